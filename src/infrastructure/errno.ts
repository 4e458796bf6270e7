/**
 * Whether a system call failed with this code, such as `ENOENT`. Looks at the code alone: where code runs in a
 * context of its own, as under jest, Node's errors are no instances of that context's `Error`.
 */
export function hasErrorCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

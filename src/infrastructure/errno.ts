/** Checks the code only: under jest, Node's errors are not instances of the context's `Error`. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** Approximate characters of a number, boolean or null. */
const PLAIN_LENGTH = 8;

/** Whether the JSON exceeds `maximum` characters, ignoring escapes. */
export function isLongerThan(value: unknown, maximum: number): boolean {
  let rest = maximum;
  const count = (part: unknown): void => {
    if (rest < 0) return;
    if (typeof part === 'string') rest -= part.length + 2;
    else if (Array.isArray(part)) for (const item of part) count(item);
    else if (typeof part === 'object' && part !== null) {
      for (const key in part) {
        rest -= key.length + 4;
        count((part as Readonly<Record<string, unknown>>)[key]);
      }
    } else rest -= PLAIN_LENGTH;
  };
  count(value);
  return rest < 0;
}

/** From here on JSON writes a double with an exponent. */
const exponentFrom = 1e21;

/** Whether every reader gets the same number: finite, and not an integer written digit by digit beyond 2^53-1. */
export function isExactNumber(value: number): boolean {
  if (!Number.isFinite(value)) return false;
  return !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= exponentFrom;
}

/**
 * Whether parsing a number token keeps its value: no overflow, underflow or lost digit. `1.10`, `11e-1` and `1.1` are
 * equal, as are `-0` and `0`.
 */
export function isExactNumberToken(token: string): boolean {
  const value = Number(token);
  if (!isExactNumber(value)) return false;
  const kept = String(value);
  return kept === token || decimal(kept) === decimal(token);
}

/** The absolute value as significant digits and power of ten; null if the token is not a number. */
function decimal(token: string): string | null {
  const parts = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token);
  if (!parts) return null;
  const fraction = parts[2] ?? '';
  const digits = (parts[1] ?? '') + fraction;
  let start = 0;
  while (digits[start] === '0') start += 1;
  if (start === digits.length) return '0';
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return `${digits.slice(start, end)}e${Number(parts[3] ?? 0) - fraction.length + digits.length - end}`;
}

/** From here on JSON writes a double with an exponent, so nothing suggests that every digit counts. */
const exponentFrom = 1e21;

/**
 * Whether a number means the same to everyone who reads it. What is not finite is not JSON; an
 * integer written out digit by digit beyond 2^53-1 loses its last digits in most readers.
 */
export function isExactNumber(value: number): boolean {
  if (!Number.isFinite(value)) return false;
  return !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= exponentFrom;
}

/**
 * Whether parsing a JSON number token keeps what was written: no overflow, no underflow, no digit
 * lost. Spelling does not count: `1.10`, `11e-1` and `1.1` are the same number, as are `-0` and `0`.
 */
export function isExactNumberToken(token: string): boolean {
  const value = Number(token);
  if (!isExactNumber(value)) return false;
  const kept = String(value);
  return kept === token || decimal(kept) === decimal(token);
}

/** The absolute value in one canonical spelling, significant digits and power of ten; null if the token is no number. */
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

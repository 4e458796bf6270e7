/** Char codes for scans that run before parsing. */
export const code = {
  quote: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  dot: 0x2e,
  colon: 0x3a,
  backslash: 0x5c,
  openObject: 0x7b,
} as const;

export function isOpening(unit: number): boolean {
  return unit === 0x5b || unit === code.openObject;
}

export function isClosing(unit: number): boolean {
  return unit === 0x5d || unit === 0x7d;
}

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** The offset of the closing quote, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === code.backslash) before -= 1;
    // An even number of backslashes does not escape the quote.
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

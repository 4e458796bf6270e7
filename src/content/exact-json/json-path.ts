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

export type JsonPath = (string | number)[];

interface Container {
  /** Names seen so far; null for an array. */
  readonly names: Set<string> | null;
  isNameNext: boolean;
  name: string;
  index: number;
}

/** The path to the value that starts at an offset. */
export function jsonPathAt(text: string, offset: number): JsonPath {
  return findPath(text, (at) => at === offset) ?? [];
}

/** The path to the first member that repeats a name. */
export function duplicateKeyPath(text: string): JsonPath | null {
  return findPath(text, (_at, isDuplicate) => isDuplicate);
}

/** Scans up to the first matching token. Names are decoded: `"a"` and `"\u0061"` are duplicates. */
function findPath(text: string, isFound: (at: number, isDuplicate: boolean) => boolean): JsonPath | null {
  const stack: Container[] = [];
  const path = () => stack.map(({ names, name, index }) => (names ? name : index));
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isFound(at, false)) return path();
    const container = stack.at(-1);
    if (unit === code.quote) {
      const end = endOfString(text, at);
      if (container?.isNameNext && isFound(at, enterMember(container, text.slice(at, end + 1))))
        return path();
      at = end;
    } else if (isOpening(unit)) stack.push(containerOf(unit));
    else if (isClosing(unit)) stack.pop();
    else if (unit === code.comma && container) {
      container.index += 1;
      container.isNameNext = container.names !== null;
    }
  }
  return null;
}

function containerOf(unit: number): Container {
  const isObject = unit === code.openObject;
  return { names: isObject ? new Set() : null, isNameNext: isObject, name: '', index: 0 };
}

/** Returns true for a duplicate. */
function enterMember(container: Container, token: string): boolean {
  container.name = decodeName(token);
  container.isNameNext = false;
  const isDuplicate = container.names?.has(container.name) ?? false;
  container.names?.add(container.name);
  return isDuplicate;
}

function decodeName(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    // The text may not be JSON: depth is checked before parsing.
    return token;
  }
}

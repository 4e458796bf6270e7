import { code, endOfString, isClosing, isOpening } from './json-tokens.js';

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

import { code, endOfString, isClosing, isOpening } from './json-tokens.js';

/** A way from the root of a JSON value into it. */
export type JsonPath = (string | number)[];

interface Container {
  /** Names seen so far, where it is an object. */
  readonly names: Set<string> | null;
  isNameNext: boolean;
  name: string;
  index: number;
}

/** The path to the value that starts at an offset of a JSON text. */
export function jsonPathAt(text: string, offset: number): JsonPath {
  return findPath(text, (at) => at === offset) ?? [];
}

/** The path to the first member whose object already has one of that name, or null if there is none. */
export function duplicateKeyPath(text: string): JsonPath | null {
  return findPath(text, (_at, isDuplicate) => isDuplicate);
}

/**
 * Follows names and positions through a JSON text up to the first token that is looked for. Names
 * are decoded, since `"a"` and `"\u0061"` are the same one.
 */
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

/** Takes note of a member's name; true if the object had it before. */
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
    // Nesting is looked for before the text is known to be JSON.
    return token;
  }
}

import { limits } from '../../../contracts/limits.js';
import { isExactNumberToken } from './exact-value.js';
import { code, endOfString, isClosing, isDigit, isOpening } from './json-tokens.js';

/** A double keeps any 15 digits, so a token of this length without an exponent is exact. */
const safeTokenLength = 15;

/** Offsets are -1 where nothing was found. */
interface JsonScan {
  /** Where nesting first exceeds `limits.jsonDepth`; the scan stops there. */
  readonly tooDeepAt: number;
  /** Where an object first exceeds `limits.jsonMembers`; the scan stops there. */
  readonly tooWideAt: number;
  /** The first number that parsing would alter. */
  readonly inexactAt: number;
  /** Members of all objects, duplicates included. */
  readonly memberCount: number;
}

/** Members of the objects around the current position, by depth. A text that is not JSON may close more than it opens. */
const membersAt = new Int32Array(limits.jsonDepth + 1);

/** Scans a text before it is parsed, in one pass without allocation. The text need not be JSON. */
export function scanJson(text: string): JsonScan {
  let depth = 0;
  membersAt[0] = 0;
  let memberCount = 0;
  let inexactAt = -1;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === code.quote) at = endOfString(text, at);
    else if (unit === code.colon) {
      memberCount += 1;
      membersAt[depth] = (membersAt[depth] ?? 0) + 1;
      if ((membersAt[depth] ?? 0) > limits.jsonMembers)
        return { tooDeepAt: -1, tooWideAt: at, inexactAt, memberCount };
    } else if (isDigit(unit) || unit === code.minus) {
      const end = endOfNumber(text, at);
      if (inexactAt < 0 && !isExactIn(text, at, end)) inexactAt = at;
      at = end - 1;
    } else if (isOpening(unit)) {
      depth += 1;
      if (depth > limits.jsonDepth) return { tooDeepAt: at, tooWideAt: -1, inexactAt, memberCount };
      membersAt[depth] = 0;
    } else if (isClosing(unit)) depth -= 1;
  }
  return { tooDeepAt: -1, tooWideAt: -1, inexactAt, memberCount };
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isNumberUnit(text.charCodeAt(end))) end += 1;
  return end;
}

function isNumberUnit(unit: number): boolean {
  return (
    isDigit(unit) || unit === code.dot || unit === code.plus || unit === code.minus || isExponentSign(unit)
  );
}

function isExponentSign(unit: number): boolean {
  return unit === 0x65 || unit === 0x45;
}

/** Most numbers are short and have no exponent, so they need no conversion. */
function isExactIn(text: string, start: number, end: number): boolean {
  if (end - start <= safeTokenLength) {
    let at = start;
    while (at < end && !isExponentSign(text.charCodeAt(at))) at += 1;
    if (at === end) return true;
  }
  return isExactNumberToken(text.slice(start, end));
}

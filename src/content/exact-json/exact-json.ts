import { limits } from '../../../contracts/limits.js';
import { AppError, invalidInput, type InputIssue } from '../../../contracts/errors.js';
import { isExactNumberToken, walkExactValue } from './exact-value.js';
import {
  code,
  endOfString,
  isClosing,
  isDigit,
  isOpening,
  duplicateKeyPath,
  jsonPathAt,
  type JsonPath,
} from './json-path.js';

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
function scanJson(text: string): JsonScan {
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

export { checkExactText } from './exact-value.js';

/**
 * Parses a JSON body and rejects what parsing, storing or returning it would silently alter. Fails with
 * `invalid_json` (400), or `validation_failed` (422) with the issue codes invalid_encoding, too_deep, too_many_members, inexact_number,
 * duplicate_key, invalid_text and reserved_key. An empty body is not JSON.
 */
export function parseExactJson(body: Uint8Array): unknown {
  const steps = exactJsonSteps(body);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As {@link parseExactJson}, in parts that take a few milliseconds each for a megabyte. */
export function* exactJsonSteps(body: Uint8Array): Generator<undefined, unknown> {
  const text = decodeUtf8(body);
  const scan = scanJson(text);
  if (scan.tooDeepAt >= 0) {
    throw refusal(
      jsonPathAt(text, scan.tooDeepAt),
      'too_deep',
      `Values may be nested ${limits.jsonDepth} deep.`,
    );
  }
  if (scan.tooWideAt >= 0) {
    throw refusal(
      jsonPathAt(text, scan.tooWideAt),
      'too_many_members',
      `An object can have at most ${limits.jsonMembers} members.`,
    );
  }
  yield;
  const value = parse(text);
  yield;
  if (scan.inexactAt >= 0) {
    throw refusal(
      jsonPathAt(text, scan.inexactAt),
      'inexact_number',
      'The number cannot be stored exactly. Write it as a string.',
    );
  }
  const { issues, memberCount } = walkExactValue(value);
  // Parsing keeps one member per name, so a lower count means a duplicate name.
  if (issues.length === 0 && memberCount !== scan.memberCount) {
    throw refusal(duplicateKeyPath(text) ?? [], 'duplicate_key', 'The object has two members of this name.');
  }
  if (issues.length > 0) throw invalidInput(...issues);
  return value;
}

/** The checks of {@link parseExactJson} for a parsed value; at most 20 issues. */
export function checkExactValue(value: unknown): InputIssue[] {
  return walkExactValue(value).issues;
}

function decodeUtf8(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw refusal([], 'invalid_encoding', 'The body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's message quotes the body, so it is not passed on.
    throw new AppError('invalid_json');
  }
}

function refusal(path: JsonPath, code: string, message: string): AppError {
  return invalidInput({ path, code, message });
}

import { AppError, invalidInput, type InputIssue } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { walkExactValue } from './exact-value.js';
import { duplicateKeyPath, jsonPathAt, type JsonPath } from './json-path.js';
import { scanJson } from './json-scan.js';

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

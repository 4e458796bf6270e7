import { AppError, invalidInput, type InputIssue } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { walkExactValue } from './exact-value.js';
import { duplicateKeyPath, jsonPathAt, type JsonPath } from './json-path.js';
import { scanJson } from './json-scan.js';

export { checkExactText } from './exact-text.js';

/**
 * The one gate for JSON bodies: the value as it was written, or a refusal. Nothing passes that
 * parsing, storing or answering would silently alter. Fails with `invalid_json` (400) or with
 * `validation_failed` (422) and the issue codes invalid_encoding, too_deep, inexact_number,
 * duplicate_key, invalid_text, reserved_key. An empty body is not JSON: callers that take one ask first.
 */
export function parseExactJson(body: Uint8Array): unknown {
  const text = decodeUtf8(body);
  const scan = scanJson(text);
  if (scan.tooDeepAt >= 0) {
    throw refusal(
      jsonPathAt(text, scan.tooDeepAt),
      'too_deep',
      `Values may be nested ${limits.jsonDepth} deep.`,
    );
  }
  const value = parse(text);
  if (scan.inexactAt >= 0) {
    throw refusal(
      jsonPathAt(text, scan.inexactAt),
      'inexact_number',
      'The number cannot be stored exactly. Write it as a string.',
    );
  }
  const { issues, memberCount } = walkExactValue(value);
  // Parsing keeps one member of each name, so fewer members than were written mean a name given twice.
  if (issues.length === 0 && memberCount !== scan.memberCount) {
    throw refusal(duplicateKeyPath(text) ?? [], 'duplicate_key', 'The object has two members of this name.');
  }
  if (issues.length > 0) throw invalidInput(...issues);
  return value;
}

/**
 * The same gate for values that were not parsed by {@link parseExactJson}: every issue it would
 * have had with them, at most 20. Members that are undefined count as absent.
 */
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
    // The parser's own message quotes the body, so it is not passed on.
    throw new AppError('invalid_json');
  }
}

function refusal(path: JsonPath, code: string, message: string): AppError {
  return invalidInput({ path, code, message });
}

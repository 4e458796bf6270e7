import type { InputIssue } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { JsonPath } from './json-path.js';

/** From here on JSON writes a double with an exponent. */
const exponentFrom = 1e21;

/** Whether every reader gets the same number: finite, and not an integer written digit by digit beyond 2^53-1. */
function isExactNumber(value: number): boolean {
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

/**
 * NUL, which PostgreSQL cannot store, and lone surrogates, which UTF-8 cannot encode. The `u` flag excludes paired
 * ones.
 */
const inexactCharacter = /[\0\uD800-\uDFFF]/u;

export function checkExactText(text: string): boolean {
  return !inexactCharacter.test(text);
}

/** Bounds the response to a hostile value. */
const issuesMaximum = 20;

interface ExactValueFindings {
  readonly issues: InputIssue[];
  /** Members of all objects. */
  readonly memberCount: number;
}

class Walk implements ExactValueFindings {
  readonly issues: InputIssue[] = [];
  memberCount = 0;
  readonly #path: JsonPath = [];

  visit(value: unknown): void {
    if (this.issues.length >= issuesMaximum) return;
    if (typeof value === 'string') this.#checkText(value, 'The string');
    else if (typeof value === 'number') {
      if (!isExactNumber(value))
        this.#refuse('inexact_number', 'The number cannot be stored exactly. Write it as a string.');
    } else if (typeof value === 'object' && value !== null) this.#visitParts(value);
    else if (value !== null && typeof value !== 'boolean')
      this.#refuse('invalid_type', 'The value is not JSON.');
  }

  #visitParts(value: object): void {
    if (this.#path.length >= limits.jsonDepth)
      this.#refuse('too_deep', `Values may be nested ${limits.jsonDepth} deep.`);
    else if (Array.isArray(value)) value.forEach((item, index) => this.#enter(index, item));
    else this.#visitMembers(value);
  }

  #visitMembers(value: object): void {
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      this.memberCount += 1;
      if (members[name] !== undefined) this.#enter(name, members[name]);
    }
  }

  #enter(step: string | number, value: unknown): void {
    this.#path.push(step);
    if (typeof step === 'string') this.#checkName(step);
    this.visit(value);
    this.#path.pop();
  }

  #checkName(name: string): void {
    if (name === '__proto__') this.#refuse('reserved_key', 'The key __proto__ is not accepted.');
    else this.#checkText(name, 'The key');
  }

  #checkText(text: string, what: string): void {
    if (!checkExactText(text))
      this.#refuse('invalid_text', `${what} holds a NUL or half of a surrogate pair.`);
  }

  #refuse(code: string, message: string): void {
    if (this.issues.length < issuesMaximum) this.issues.push({ path: [...this.#path], code, message });
  }
}

/** Finds what cannot be stored unchanged, and counts members. */
export function walkExactValue(value: unknown): ExactValueFindings {
  const walk = new Walk();
  walk.visit(value);
  return walk;
}

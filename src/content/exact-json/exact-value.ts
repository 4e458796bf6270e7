import type { InputIssue } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { isExactNumber } from './exact-number.js';
import { checkExactText } from './exact-text.js';
import type { JsonPath } from './json-path.js';

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

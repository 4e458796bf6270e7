import { hash } from 'node:crypto';
import { storedJson } from '../../content/exact-json/stored-json.js';
import type { FieldValues } from '../../content/model/field-definition.js';

/** JSON has no line break outside of the escapes of strings. */
const BREAK = '\n';
const QUOTE = 0x22;

const digestOf = (lines: string): string => hash('sha256', lines, 'base64');

/** A published document as text: a digest, then one line of JSON per field, `"name":value`. */
export function publishedBody(values: FieldValues): string {
  const lines = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${storedJson(value)}`)
    .join(BREAK);
  return `${digestOf(lines)}${BREAK}${lines}`;
}

/** Reads {@link publishedBody}; lines are divided and values are parsed on access. */
export class PublishedBody {
  readonly #body: string;
  #lines: readonly string[] | undefined;

  constructor(body: string) {
    this.#body = body;
  }

  /** Equal for equal lines. */
  get digest(): string {
    const end = this.#body.indexOf(BREAK);
    return end === -1 ? this.#body : this.#body.slice(0, end);
  }

  get lines(): readonly string[] {
    if (this.#lines === undefined) {
      const [, ...lines] = this.#body.split(BREAK);
      this.#lines = lines.length === 1 && lines[0] === '' ? [] : lines;
    }
    return this.#lines;
  }

  /** Whether the lines are those that the digest was made of. */
  get isIntact(): boolean {
    return digestOf(this.lines.join(BREAK)) === this.digest;
  }

  /**
   * The place of a field's line, -1 if the document has no such field.
   * @param expected where it usually is
   */
  indexOf(name: string, expected = 0): number {
    return this.#isAt(expected, name)
      ? expected
      : this.lines.findIndex((_, index) => this.#isAt(index, name));
  }

  line(name: string): string | undefined {
    const start = this.#startOf(name);
    return start === 0 ? undefined : this.#lineFrom(start);
  }

  /** JSON of the value of a field; undefined if the document has no such field. */
  text(name: string): string | undefined {
    const start = this.#startOf(name);
    return start === 0 ? undefined : this.#lineFrom(start + name.length + 3);
  }

  /** Undefined if the document has no such field. */
  value(name: string): unknown {
    const text = this.text(name);
    return text === undefined ? undefined : JSON.parse(text);
  }

  values(): Record<string, unknown> {
    return JSON.parse(`{${this.lines.join(',')}}`) as Record<string, unknown>;
  }

  /** Position of the line of a field; 0 if there is none. */
  #startOf(name: string): number {
    return this.#body.indexOf(`${BREAK}"${name}":`) + 1;
  }

  #lineFrom(position: number): string {
    const end = this.#body.indexOf(BREAK, position);
    return end === -1 ? this.#body.slice(position) : this.#body.slice(position, end);
  }

  #isAt(index: number, name: string): boolean {
    const line = this.lines[index];
    return line !== undefined && line.startsWith(name, 1) && line.charCodeAt(name.length + 1) === QUOTE;
  }
}

/**
 * Assignments for `entry_locales l` of `entries e` when shared values are rewritten without a change of meaning, so
 * that published locales stay published. Run before updating the entries.
 * @param sharedFields SQL expression over `e`
 */
export const sharedHashes = (sharedFields: string): string =>
  `shared_hash = md5(${sharedFields}::text), published_shared_hash = CASE WHEN l.published_shared_hash = e.shared_hash
     THEN md5(${sharedFields}::text) ELSE l.published_shared_hash END`;

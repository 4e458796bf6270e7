import type { FieldValues } from './model/field-values.js';

/** A name that changed: of a field, or of a content type that links name. */
export interface Rename {
  /** Ascending in the order in which they happened. */
  readonly number: number;
  readonly kind: 'field' | 'contentType';
  readonly from: string;
  readonly to: string;
}

/** The values with one key under another name, which leaves nothing of what stood under it before. */
function withKey(values: FieldValues, { from, to }: Rename): FieldValues {
  if (!Object.hasOwn(values, from)) return values;
  const rest = Object.entries(values).filter(([name]) => name !== from && name !== to);
  return Object.fromEntries([...rest, [to, values[from]]]);
}

/** Reads what was written under former names in those of today. */
export class Renames {
  /**
   * @param renames of the content type and its fields, and of every type that links may name, in their order
   * @param linkFields today's names of the type's fields that hold links
   */
  constructor(
    private readonly renames: readonly Rename[],
    private readonly linkFields: ReadonlySet<string>,
  ) {}

  /** @param after number of the last rename before the values were written */
  values(values: FieldValues, after: number): FieldValues {
    const since = this.renames.filter(({ number }) => number > after);
    if (since.length === 0) return values;
    const named = since.filter(({ kind }) => kind === 'field').reduce(withKey, values);
    return Object.fromEntries(
      Object.entries(named).map(([name, value]) => [
        name,
        this.linkFields.has(name) ? this.#links(value, after) : value,
      ]),
    );
  }

  /** The name that a field has today. */
  fieldName(name: string, after: number): string {
    return this.#today('field', name, after);
  }

  #links(value: unknown, after: number): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#links(item, after));
    if (typeof value !== 'object' || value === null || !('_type' in value)) return value;
    const { _type: type } = value;
    return typeof type === 'string' ? { ...value, _type: this.#today('contentType', type, after) } : value;
  }

  #today(wanted: Rename['kind'], name: string, after: number): string {
    return this.renames
      .filter(({ number, kind }) => number > after && kind === wanted)
      .reduce((known, { from, to }) => (known === from ? to : known), name);
  }
}

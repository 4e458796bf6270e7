import type { FieldValues } from './model/field-definition.js';

/** A renamed field, or a renamed content type that links name. */
export interface Rename {
  /** In the order of the renames. */
  readonly number: number;
  readonly kind: 'field' | 'contentType';
  readonly from: string;
  readonly to: string;
}

/** Replaces an existing value of the new key. */
function withKey(values: FieldValues, { from, to }: Rename): FieldValues {
  if (!Object.hasOwn(values, from)) return values;
  const rest = Object.entries(values).filter(([name]) => name !== from && name !== to);
  return Object.fromEntries([...rest, [to, values[from]]]);
}

/** Translates values written under former names to current ones. */
export class Renames {
  /**
   * @param renames of the content type, its fields, and every type that links may name, in order
   * @param linkFields current names of the type's link fields
   * @param lists whether a field is a list now, by current name, where the values tell whether it was one
   */
  constructor(
    private readonly renames: readonly Rename[],
    private readonly linkFields: ReadonlySet<string>,
    private readonly lists: Readonly<Record<string, boolean>> = {},
  ) {}

  /** @param after number of the last rename before the values were written */
  values(values: FieldValues, after: number): FieldValues {
    const since = this.renames.filter(({ number }) => number > after);
    const named = since.filter(({ kind }) => kind === 'field').reduce(withKey, values);
    return Object.fromEntries(
      Object.entries(named).flatMap(([name, value]) => {
        const shaped = this.#shaped(name, value);
        if (shaped === undefined) return [];
        return [[name, since.length > 0 && this.linkFields.has(name) ? this.#links(shaped, after) : shaped]];
      }),
    );
  }

  /** The value of a field that became a list or a single value since. */
  #shaped(name: string, value: unknown): unknown {
    const isList = Object.hasOwn(this.lists, name) ? this.lists[name] : undefined;
    if (isList === undefined || value === null || isList === Array.isArray(value)) return value;
    return isList ? [value] : (value as unknown[])[0];
  }

  fieldName(name: string, after: number): string {
    return this.#currentName('field', name, after);
  }

  #links(value: unknown, after: number): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#links(item, after));
    if (typeof value !== 'object' || value === null || !('_type' in value)) return value;
    const { _type: type } = value;
    return typeof type === 'string'
      ? { ...value, _type: this.#currentName('contentType', type, after) }
      : value;
  }

  #currentName(wanted: Rename['kind'], name: string, after: number): string {
    return this.renames
      .filter(({ number, kind }) => number > after && kind === wanted)
      .reduce((known, { from, to }) => (known === from ? to : known), name);
  }
}

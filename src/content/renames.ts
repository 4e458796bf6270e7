import { isObject } from './exact-json/is-object.js';
import { isOwnBlock } from './model/own-block.js';
import type { FieldValues } from './model/field-definition.js';

/** A renamed field, or a renamed content type that links name. */
export interface Rename {
  /** In the order of the renames. */
  readonly number: number;
  readonly kind: 'field' | 'contentType';
  /** The type, or the type of the field. */
  readonly contentTypeId: string;
  readonly from: string;
  readonly to: string;
}

/** What is needed of a content type to read its values. Names are current ones. */
export interface RenamedType {
  readonly id: string;
  readonly apiName: string;
  readonly linkFields: readonly string[];
  readonly blockFields: readonly string[];
  /** Whether a field is a list, where the values tell whether it was one. */
  readonly lists: Readonly<Record<string, boolean>>;
}

export interface RenameHistory {
  /** Of content types, and of fields of the types, in order. */
  readonly renames: readonly Rename[];
  /** The type of the entry, and those of its own blocks. */
  readonly types: readonly RenamedType[];
  /** The entry's type. */
  readonly contentTypeId: string;
  /** Ids of types by ids of own blocks. */
  readonly blocks: Readonly<Record<string, string>>;
}

/** Replaces an existing value of the new key. */
function withKey(values: FieldValues, { from, to }: Rename): FieldValues {
  if (!Object.hasOwn(values, from)) return values;
  const rest = Object.entries(values).filter(([name]) => name !== from && name !== to);
  return Object.fromEntries([...rest, [to, values[from]]]);
}

/** Translates values written under former names to current ones, also in own blocks. */
export class Renames {
  readonly #renames: readonly Rename[];
  readonly #types: ReadonlyMap<string, RenamedType>;
  readonly #typeIds: ReadonlyMap<string, string>;
  readonly #blocks: ReadonlyMap<string, string>;
  readonly #contentTypeId: string;

  constructor({ renames, types, contentTypeId, blocks }: RenameHistory) {
    this.#renames = renames;
    this.#types = new Map(types.map((type) => [type.id, type]));
    this.#typeIds = new Map(types.map(({ id, apiName }) => [apiName, id]));
    this.#blocks = new Map(Object.entries(blocks));
    this.#contentTypeId = contentTypeId;
  }

  /**
   * @param values shared or localized ones of an entry
   * @param after number of the last rename before the values were written
   */
  values(values: FieldValues, after: number): FieldValues {
    return this.#valuesOf(this.#contentTypeId, values, after);
  }

  /** @param name `title`, `sections[<id>].title` */
  fieldName(name: string, after: number): string {
    return this.#path(this.#contentTypeId, name, after);
  }

  #path(typeId: string, path: string, after: number): string {
    const [, name = path, id, rest] = /^([^[]+)\[([^\]]+)\](?:\.(.+))?$/.exec(path) ?? [];
    const current = this.#since('field', after)
      .filter(({ contentTypeId }) => contentTypeId === typeId)
      .reduce(currentName, name);
    if (id === undefined) return current;
    const inner = rest === undefined ? '' : `.${this.#path(this.#blocks.get(id) ?? '', rest, after)}`;
    return `${current}[${id}]${inner}`;
  }

  #valuesOf(typeId: string, values: FieldValues, after: number): FieldValues {
    const type = this.#types.get(typeId);
    if (type === undefined) return values;
    const named = this.#since('field', after)
      .filter(({ contentTypeId }) => contentTypeId === typeId)
      .reduce(withKey, values);
    return Object.fromEntries(
      Object.entries(named).flatMap(([name, value]) => {
        const shaped = shapedValue(type, name, value);
        return shaped === undefined ? [] : [[name, this.#valueOf(type, { name, value: shaped }, after)]];
      }),
    );
  }

  #valueOf(
    { linkFields, blockFields }: RenamedType,
    { name, value }: { readonly name: string; readonly value: unknown },
    after: number,
  ): unknown {
    if (!linkFields.includes(name)) return value;
    if (!blockFields.includes(name)) return this.#link(value, after);
    if (Array.isArray(value)) return value.map((item) => this.#block(item, after));
    if (!isObject(value)) return value;
    // Localized values of blocks in a list that all locales share.
    return Object.fromEntries(
      Object.entries(value).map(([id, own]) => [
        id,
        isObject(own) ? this.#valuesOf(this.#blocks.get(id) ?? '', own, after) : own,
      ]),
    );
  }

  #block(item: unknown, after: number): unknown {
    const named = this.#link(item, after);
    if (!isOwnBlock(named)) return named;
    const fields = this.#valuesOf(this.#typeIds.get(named._type) ?? '', named.fields, after);
    return { ...named, fields };
  }

  #link(value: unknown, after: number): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#link(item, after));
    if (!isObject(value) || typeof value._type !== 'string') return value;
    return { ...value, _type: this.#since('contentType', after).reduce(currentName, value._type) };
  }

  #since(wanted: Rename['kind'], after: number): readonly Rename[] {
    return this.#renames.filter(({ number, kind }) => number > after && kind === wanted);
  }
}

const currentName = (known: string, { from, to }: Rename): string => (known === from ? to : known);

/** The value of a field that became a list or a single value since. */
function shapedValue({ lists }: RenamedType, name: string, value: unknown): unknown {
  const isList = Object.hasOwn(lists, name) ? lists[name] : undefined;
  if (isList === undefined || value === null || isList === Array.isArray(value)) return value;
  return isList ? [value] : (value as unknown[])[0];
}

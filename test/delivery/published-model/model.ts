/** Content of one environment as it should be, by keys that no rename changes. */

export const locales = ['en', 'de'] as const;
export type Locale = (typeof locales)[number];

export type Kind = 'text' | 'longText' | 'integer' | 'boolean' | 'json' | 'richText' | 'reference' | 'blocks';

export interface ModelField {
  readonly key: number;
  name: string;
  kind: Kind;
  localized: boolean;
  isList: boolean;
  /** Blocks of one type, of which clients see one object. It is kept as a list. */
  isGroup: boolean;
}

export interface ModelType {
  readonly key: number;
  readonly isBlock: boolean;
  name: string;
  fieldFallback: boolean;
  fields: ModelField[];
}

/** A text that links an entry. */
export interface ModelText {
  readonly words: string;
  readonly target: string;
}

/**
 * Values by the key of their field; those of references are ids of entries, those of texts are `ModelText`s, those of blocks
 * are lists of `ModelBlock`s. Unset values are absent.
 */
export type Values = Map<number, unknown>;

/** A block of an entry. */
export interface ModelBlock {
  readonly id: string;
  readonly type: number;
  /** All of them, if the list is localized; else those that all locales share. */
  readonly values: Values;
  /** Localized values in a list that all locales share. */
  readonly local: Map<Locale, Values>;
}

export interface ModelEntry {
  readonly id: string;
  readonly type: number;
  /** Values of fields that are not localized. */
  readonly shared: Values;
  readonly drafts: Map<Locale, Values>;
  /** Published values, shared ones included. */
  readonly live: Map<Locale, Values>;
}

export interface Model {
  readonly types: ModelType[];
  readonly entries: ModelEntry[];
}

export const copyOf = (model: Model): Model => structuredClone(model);

export const typeOf = ({ types }: Model, { type }: { readonly type: number }): ModelType => {
  const found = types.find(({ key }) => key === type);
  if (found === undefined) throw new Error(`no type ${String(type)}`);
  return found;
};

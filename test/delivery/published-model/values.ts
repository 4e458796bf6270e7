import type { Kind, ModelEntry, ModelField, ModelType } from './model.js';

export const fieldNames = ['alpha', 'beta', 'gamma', 'delta', 'zeta', 'eta', 'theta', 'iota'];
export const typeNames = ['page', 'note', 'memo', 'card', 'leaf'];
export const MOST_ENTRIES = 6;
export const MOST_FIELDS = 7;

export const at = <Item>(list: readonly Item[], index: number): Item | undefined => list[index % list.length];
export const free = (names: readonly string[], used: readonly string[], index: number): string | undefined =>
  at(
    names.filter((name) => !used.includes(name)),
    index,
  );

let keys = 0;
export const newKey = (): number => (keys += 1);

/** A content type of a document. */
export interface WrittenType {
  readonly apiName: string;
  displayField?: string;
  fields: { readonly apiName: string; readonly [key: string]: unknown }[];
}

/** Of the first fields of a type. */
export const shapesOf = (type: number): Omit<ModelField, 'key' | 'name'>[] => [
  { kind: 'text', localized: true, isList: false, isGroup: false },
  { kind: type === 2 ? 'richText' : 'json', localized: false, isList: false, isGroup: false },
  { kind: 'reference', localized: true, isList: type === 0, isGroup: false },
  { kind: 'blocks', localized: type === 1, isList: true, isGroup: false },
  { kind: type === 2 ? 'json' : 'blocks', localized: false, isList: type !== 2, isGroup: type !== 2 },
];

export const namesOf = ({ fields }: ModelType): string[] => fields.map(({ name }) => name);

/** With a display name that no other field has, so that a document never looks like a rename. */
export const definitionOf = (
  { key, name, kind, localized, isList, isGroup }: ModelField,
  types: readonly ModelType[],
) => ({
  apiName: name,
  name: `Field ${String(key)}`,
  type: kind,
  localized,
  isList,
  ...(isGroup && {
    settings: {
      shape: 'group',
      contentTypes: types.filter(({ isBlock }) => isBlock).map((type) => type.name),
    },
    validations: { maxItems: 1 },
  }),
});

export function valueOf(
  kind: Exclude<Kind, 'blocks'>,
  index: number,
  entries: readonly ModelEntry[],
): unknown {
  switch (kind) {
    case 'text':
      return `Word ${String(index)} "quoted"`;
    case 'longText':
      return index % 3 === 0 ? `Line ${String(index)}\n`.repeat(500) : `Line ${String(index)}`;
    case 'integer':
      return index;
    case 'boolean':
      return index % 2 === 0;
    case 'richText': {
      const target = at(entries, index)?.id;
      return target === undefined ? undefined : { words: `Words ${String(index)}`, target };
    }
    case 'json':
      return { longer: [index, null], b: { 2: 'x', 1: 'y' } };
    case 'reference':
      return at(entries, index)?.id;
  }
}

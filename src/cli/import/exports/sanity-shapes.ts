import { limits } from '../../../../contracts/limits.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import { ApiNames, type Losses, type SourceField, type SourceType } from './export-source.js';
import { isReference } from './portable-text.js';
import { ColumnTally, isLanguage } from './table-columns.js';

export type Item = Readonly<Record<string, unknown>>;
export type Kind = SourceField['type'];

/** A document of the dataset; its id is that of its published version. */
export interface Document {
  readonly id: string;
  readonly type: string;
  readonly isDraft: boolean;
  readonly values: Item;
}

/** Values of a field in one form: the parts of lists, and of each locale. */
export interface FieldShape {
  readonly kind: Kind;
  readonly isList: boolean;
  readonly isLocalized: boolean;
}

export const isSlug = (value: unknown): value is Item & { readonly current: string } =>
  isObject(value) && value._type === 'slug' && typeof value.current === 'string';
const isPoint = (value: unknown): boolean => isObject(value) && value._type === 'geopoint';
export const isAsset = (value: unknown): value is Item =>
  isObject(value) &&
  (typeof value._sanityAsset === 'string' || (isObject(value.asset) && isReference(value.asset)));
const isBlock = (value: unknown): boolean => isObject(value) && value._type === 'block';

/** Values by locale: of an internationalised array, or of an object such as `localeString`. */
export function localesIn(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value) && value.length > 0) {
    const isOne = (item: unknown): item is Item =>
      isObject(item) &&
      /^internationalizedArray.+Value$/.test(String(item._type)) &&
      typeof (item.language ?? item._key) === 'string';
    return value.every(isOne)
      ? new Map(value.map((item) => [String(item.language ?? item._key), item.value]))
      : undefined;
  }
  if (!isObject(value) || !String(value._type).startsWith('locale')) return undefined;
  const own = Object.entries(value).filter(([key]) => !key.startsWith('_'));
  return own.length > 0 && own.every(([key]) => isLanguage(key)) ? new Map(own) : undefined;
}

/** The kind of values, of which each has been seen in the export. */
function kindOf(name: string, values: readonly unknown[]): Kind {
  const every = (isOne: (value: unknown) => boolean): boolean => values.every(isOne);
  if (every(isSlug)) return name === 'slug' ? 'slug' : 'text';
  if (every(isPoint)) return 'location';
  if (every(isAsset)) return 'media';
  if (every(isReference)) return 'reference';
  if (values.some((value) => typeof value === 'object')) return 'json';
  const tally = new ColumnTally(name);
  for (const value of values) tally.add(value);
  const { kind } = tally.guess(() => false, '');
  const isText = values.some((value) => typeof value === 'string');
  if (['select', 'media', 'json', 'reference'].includes(kind)) return 'text';
  return isText && ['boolean', 'integer', 'number'].includes(kind) ? 'text' : kind;
}

function shapeOf(name: string, given: readonly unknown[]): FieldShape {
  const byLocale = given.map(localesIn);
  const isLocalized = byLocale.every((one) => one !== undefined);
  const values = isLocalized ? byLocale.flatMap((one) => [...(one?.values() ?? [])]) : given;
  const filled = values.filter((value) => value !== null && value !== undefined);
  const isList = filled.length > 0 && filled.every((value) => Array.isArray(value));
  if (!isList) return { kind: kindOf(name, filled), isList, isLocalized };
  const items = filled.flat();
  if (items.some(isBlock)) return { kind: 'richText', isList: false, isLocalized };
  const kind = items.length === 0 ? 'json' : kindOf(name, items);
  return { kind, isList: kind !== 'json', isLocalized };
}

/** Forms of the fields by type. */
export function shapesOf(
  documents: readonly Document[],
  losses: Losses,
): Map<string, Map<string, FieldShape>> {
  const values = new Map<string, Map<string, unknown[]>>();
  for (const { type, values: own } of documents) {
    const fields = values.get(type) ?? new Map<string, unknown[]>();
    values.set(type, fields);
    for (const [name, value] of Object.entries(own))
      if (!name.startsWith('_') && value !== null)
        fields.set(name, [...(fields.get(name) ?? []).slice(-5000), value]);
  }
  const shapes = new Map<string, Map<string, FieldShape>>();
  for (const [type, fields] of values) {
    const kept = [...fields].slice(0, limits.fieldsPerContentType);
    for (const [name] of [...fields].slice(limits.fieldsPerContentType))
      losses.add('field', `${type}.${name}`, [
        'the field',
        `A type has at most ${String(limits.fieldsPerContentType)} fields.`,
        'Leave out others in the mapping.',
      ]);
    shapes.set(type, new Map(kept.map(([name, own]) => [name, shapeOf(name, own)])));
  }
  return shapes;
}

/** The most frequent one first. */
export function datasetLocales(documents: readonly Document[]): string[] {
  const counts = new Map<string, number>();
  for (const { values } of documents)
    for (const value of Object.values(values))
      for (const code of localesIn(value)?.keys() ?? []) counts.set(code, (counts.get(code) ?? 0) + 1);
  const codes = [...counts].sort(([, a], [, b]) => b - a).map(([code]) => code);
  return codes.length === 0 ? ['en'] : codes;
}

/** The export has no schema: types are what documents have. */
export function sanityTypes(
  shapes: ReadonlyMap<string, ReadonlyMap<string, FieldShape>>,
  losses: Losses,
): SourceType[] {
  const names = new ApiNames('type');
  return [...shapes].map(([id, shape]): SourceType => {
    const own = new ApiNames('field');
    const fields = [...shape].map(([name, { kind, isList, isLocalized }]): SourceField => {
      if (kind === 'json')
        losses.add('field', `${id}.${name}`, [
          'the structure',
          'The export has no schema. Objects are kept as JSON.',
          'Model them as blocks.',
        ]);
      return {
        id: name,
        apiName: own.nameFor(name),
        type: kind,
        required: false,
        localized: isLocalized,
        isList,
      };
    });
    const title =
      fields.find((one) => ['title', 'name', 'heading'].includes(one.id)) ??
      fields.find(({ type }) => type === 'text');
    const isLocalized = fields.some(({ localized }) => localized);
    return {
      id,
      apiName: names.nameFor(id),
      name: id,
      description: '',
      displayField: title?.id ?? null,
      isPage: false,
      isLocalized,
      fields,
    };
  });
}

/** `image@file://./images/<name>`; in a raw export, the id of its document. */
export const assetId = ({ _sanityAsset: address, asset }: Item): string =>
  typeof address === 'string' ? address : isReference(asset) ? asset._ref : '';

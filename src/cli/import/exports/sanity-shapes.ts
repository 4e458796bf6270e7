import { limits } from '../../../../contracts/limits.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import {
  ApiNames,
  type Losses,
  type SourceEntry,
  type SourceField,
  type SourceType,
} from './export-source.js';
import { isReference } from './portable-text.js';
import { cellValue, ColumnTally, isLanguage } from './table-columns.js';

export type Item = Readonly<Record<string, unknown>>;
export type Kind = SourceField['type'];

/** A document of the dataset, which is read again when it is written; its id is that of its published version. */
export interface Document {
  readonly id: string;
  readonly type: string;
  readonly isDraft: boolean;
  read(): Item;
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

/** The kind of values, of which each is seen once. */
class KindTally {
  count = 0;
  readonly #tally: ColumnTally;
  /** Kinds that every value has. */
  readonly #every = { slug: true, location: true, media: true, reference: true };
  #hasObject = false;
  #hasText = false;

  constructor(private readonly name: string) {
    this.#tally = new ColumnTally(name);
  }

  add(value: unknown): void {
    this.count += 1;
    this.#every.slug &&= isSlug(value);
    this.#every.location &&= isPoint(value);
    this.#every.media &&= isAsset(value);
    this.#every.reference &&= isReference(value);
    this.#hasText ||= typeof value === 'string';
    if (typeof value === 'object') this.#hasObject = true;
    else this.#tally.add(value);
  }

  get kind(): Kind {
    if (this.#every.slug) return this.name === 'slug' ? 'slug' : 'text';
    const { location, media, reference } = this.#every;
    if (location) return 'location';
    if (media) return 'media';
    if (reference) return 'reference';
    if (this.#hasObject) return 'json';
    const { kind } = this.#tally.guess(() => false, '');
    if (['select', 'media', 'json', 'reference'].includes(kind)) return 'text';
    return this.#hasText && ['boolean', 'integer', 'number'].includes(kind) ? 'text' : kind;
  }
}

/** Values of a field, alone and in lists. */
class ValueTally {
  readonly #alone: KindTally;
  readonly #items: KindTally;
  #lists = 0;
  #hasBlock = false;

  constructor(name: string) {
    this.#alone = new KindTally(name);
    this.#items = new KindTally(name);
  }

  add(value: unknown): void {
    if (value === null || value === undefined) return;
    this.#alone.add(value);
    if (!Array.isArray(value)) return;
    this.#lists += 1;
    for (const item of value) {
      this.#hasBlock ||= isBlock(item);
      this.#items.add(item);
    }
  }

  get shape(): Omit<FieldShape, 'isLocalized'> {
    const isList = this.#lists > 0 && this.#lists === this.#alone.count;
    if (!isList) return { kind: this.#alone.kind, isList };
    if (this.#hasBlock) return { kind: 'richText', isList: false };
    const kind = this.#items.count === 0 ? 'json' : this.#items.kind;
    return { kind, isList: kind !== 'json' };
  }
}

class FieldTally {
  readonly #plain: ValueTally;
  readonly #localized: ValueTally;
  #isLocalized = true;

  constructor(name: string) {
    this.#plain = new ValueTally(name);
    this.#localized = new ValueTally(name);
  }

  /** @returns the locales of the value */
  add(value: unknown): Iterable<string> {
    this.#plain.add(value);
    const byLocale = localesIn(value);
    if (byLocale === undefined) this.#isLocalized = false;
    else for (const own of byLocale.values()) this.#localized.add(own);
    return byLocale?.keys() ?? [];
  }

  get shape(): FieldShape {
    const { shape } = this.#isLocalized ? this.#localized : this.#plain;
    return { ...shape, isLocalized: this.#isLocalized };
  }
}

/** What the documents of a dataset have, which are seen one after the other. */
export class DatasetTally {
  readonly #fields = new Map<string, Map<string, FieldTally>>();
  readonly #locales = new Map<string, number>();

  add(type: string, values: Item): void {
    const fields = this.#fields.get(type) ?? new Map<string, FieldTally>();
    this.#fields.set(type, fields);
    for (const [name, value] of Object.entries(values)) {
      if (name.startsWith('_') || value === null) continue;
      const field = fields.get(name) ?? new FieldTally(name);
      fields.set(name, field);
      for (const code of field.add(value)) this.#locales.set(code, (this.#locales.get(code) ?? 0) + 1);
    }
  }

  /** Forms of the fields by type. */
  shapes(losses: Losses): Map<string, Map<string, FieldShape>> {
    const shapes = new Map<string, Map<string, FieldShape>>();
    for (const [type, fields] of this.#fields) {
      const kept = [...fields].slice(0, limits.fieldsPerContentType);
      for (const [name] of [...fields].slice(limits.fieldsPerContentType))
        losses.add('field', `${type}.${name}`, [
          'the field',
          `A type has at most ${String(limits.fieldsPerContentType)} fields.`,
          'Leave out others in the mapping.',
        ]);
      shapes.set(type, new Map(kept.map(([name, { shape }]) => [name, shape])));
    }
    return shapes;
  }

  /** The most frequent one first. */
  get locales(): string[] {
    const codes = [...this.#locales].sort(([, a], [, b]) => b - a).map(([code]) => code);
    return codes.length === 0 ? ['en'] : codes;
  }
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

/** What the first document that uses a file says of it. */
export interface Picture {
  readonly where: string;
  readonly alt: unknown;
}

/** Pictures and files anywhere in a document. */
export function findPictures(found: Map<string, Picture>, value: unknown, where: string): void {
  if (Array.isArray(value)) for (const item of value) findPictures(found, item, where);
  else if (isObject(value)) {
    if (isAsset(value) && !found.has(assetId(value))) found.set(assetId(value), { where, alt: value.alt });
    for (const part of Object.values(value)) findPictures(found, part, where);
  }
}

export function factsOf({ isDraft }: Document, values: Item): SourceEntry['facts'] {
  const time = (name: string): string | undefined =>
    cellValue(values[name] ?? '', 'dateTime') as string | undefined;
  const updatedAt = time('_updatedAt');
  return { createdAt: time('_createdAt'), updatedAt, publishedAt: isDraft ? undefined : updatedAt };
}

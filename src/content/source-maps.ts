import type { ContentSource } from '../../contracts/publishing/delivery/source-map.js';
import type { Catalog, FieldDefinition } from './catalog.js';
import { isObject } from './exact-json/is-object.js';
import { kindOf } from './field-kinds/index.js';

/** Four characters that are not shown, for two bits each. Scripts of sites read them. */
const DIGITS = ['\u200B', '\u200C', '\u200D', '\u2060'];
const EDGE = '\u2063';

/** The source in characters that are not shown, to be appended to a text. */
function hiddenSource({ entryId, locale, path }: ContentSource): string {
  const bytes = new TextEncoder().encode(JSON.stringify([entryId, locale, path]));
  const digits = Array.from(bytes, (byte) =>
    [6, 4, 2, 0].map((shift) => DIGITS[(byte >> shift) & 3] ?? '').join(''),
  );
  return EDGE + digits.join('') + EDGE;
}

interface TextChoices {
  readonly in?: unknown;
  readonly pattern?: unknown;
}

/** Whether people read the values: those of a list of choices, or of a pattern, are compared by programs. */
const isRead = (field: FieldDefinition): boolean => {
  const { in: choices, pattern } = field.validations as TextChoices;
  return kindOf(field).isProse && choices === undefined && pattern === undefined;
};

/** The first words of a text, in which its source is hidden. */
const FIRST_WORDS = />([^<]*[^<\s][^<]*)</;

/** A value with its source in what people read of it; unchanged where they read nothing. */
export function withHiddenSource(field: FieldDefinition, value: unknown, source: ContentSource): unknown {
  if (Array.isArray(value)) return value.map((item) => withHiddenSource(field, item, source));
  if (typeof value === 'string' && value !== '' && isRead(field)) return value + hiddenSource(source);
  if (kindOf(field).graphqlType !== 'RichText' || !isObject(value) || typeof value.html !== 'string')
    return value;
  const html = value.html.replace(FIRST_WORDS, (_, words: string) => `>${words}${hiddenSource(source)}<`);
  return { ...value, html };
}

interface Owner {
  readonly entryId: string;
  readonly locale: string;
  /** Of the block within its entry, with a dot at the end. */
  readonly prefix: string;
}

interface Delivered {
  readonly _id: string;
  readonly _type: string;
  readonly _slug: string;
  readonly _locale: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const isDelivered = (value: unknown): value is Delivered =>
  isObject(value) && typeof value._id === 'string' && isObject(value.fields);

/** A block that is part of an entry has its id as its slug (rule entries/own-blocks). */
const isPart = ({ _id, _slug }: Delivered): boolean => _id === _slug;

/** The sources of what a response of delivery has, and the response with them. */
export class SourceMap {
  /** By JSON pointer into the response. */
  readonly sources: Record<string, ContentSource> = {};

  constructor(
    private readonly catalog: Catalog,
    private readonly isHidden: boolean,
  ) {}

  /** @param place where a block is */
  map(value: unknown, pointer = '', place?: Owner): unknown {
    if (Array.isArray(value))
      return value.map((item, index) => this.map(item, `${pointer}/${String(index)}`, place));
    if (isDelivered(value)) return this.#entry(value, pointer, place);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.map(member, `${pointer}/${key}`, place)]),
    );
  }

  #entry(entry: Delivered, pointer: string, place: Owner | undefined): Delivered {
    const owner =
      place !== undefined && isPart(entry)
        ? { ...place, prefix: `${place.prefix}[${entry._id}].` }
        : { entryId: entry._id, locale: entry._locale, prefix: '' };
    const fields = Object.entries(entry.fields).map(([name, value]) => {
      const field = this.catalog.contentType(entry._type)?.fields.find(({ apiName }) => apiName === name);
      if (field === undefined) return [name, value] as const;
      return [name, this.#field(field, value, { at: `${pointer}/fields/${name}`, owner })] as const;
    });
    return { ...entry, fields: Object.fromEntries(fields) };
  }

  #field(
    field: FieldDefinition,
    value: unknown,
    { at, owner }: { readonly at: string; readonly owner: Owner },
  ): unknown {
    const { entryId, locale, prefix } = owner;
    const path = prefix + field.apiName;
    const source = { entryId, locale, path };
    this.sources[at] = source;
    if (kindOf(field).isLink) return this.map(value, at, { ...owner, prefix: path });
    return this.isHidden ? withHiddenSource(field, value, source) : value;
  }
}

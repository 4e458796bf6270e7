import { limits } from '../../../../contracts/limits.js';
import { EntrySlug, ExternalId } from '../../../../contracts/primitives.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import { markdownToHtml } from '../../../content/rich-text/html/html-to-rich-text.js';
import { isDeep } from './contentful-values.js';
import {
  AssetLink,
  BlockValue,
  EntryLink,
  HtmlText,
  type Losses,
  type SourceEntry,
  type SourceVersion,
} from './export-source.js';
import { readStrapiBlocks } from './strapi-blocks.js';
import { rowKey, type RowName, type StrapiLinks } from './strapi-rows.js';
import { FILE, type StrapiField, type StrapiModel } from './strapi-types.js';
import { cellValue } from './table-columns.js';

type Values = Readonly<Record<string, unknown>>;
type Lose = (what: string, why: string) => void;

const EDIT = 'Edit the entry after the import.';

/** A row of a content type. Its values are read again when they are written. */
export interface StrapiRow extends RowName {
  /** Of Strapi 5: what its locales, and its draft and published version share. */
  readonly documentId: string | undefined;
  readonly locale: string | undefined;
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly publishedAt: string | undefined;
  read(): Values;
}

export interface StrapiContent {
  readonly rows: readonly StrapiRow[];
  readonly models: ReadonlyMap<string, StrapiModel>;
  readonly links: StrapiLinks;
  /** Codes, the default one first. */
  readonly locales: readonly string[];
  /** Ids of assets by their rows. */
  readonly files: ReadonlyMap<string, string>;
  /** Ids of assets by their addresses. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Where values are: in a row, or in a component of one. */
interface Place extends RowName {
  readonly where: string;
  /** Of blocks in it. */
  readonly prefix: string;
  readonly depth: number;
  /** Blocks in the version until now. */
  readonly blocks: { count: number };
}

/** A locale of an entry. */
interface Chosen {
  readonly row: StrapiRow;
  readonly isPublished: boolean;
}

/** Reads entries: rows of one document, or of one group of locales. */
export class StrapiEntries {
  /** Ids of entries by their rows. */
  readonly #ids = new Map<string, string>();
  readonly #groups = new Map<string, StrapiRow[]>();

  constructor(
    private readonly content: StrapiContent,
    private readonly losses: Losses,
  ) {
    for (const row of content.rows) {
      const { type, documentId } = row;
      const key =
        documentId === undefined
          ? content.links.firstOf(rowKey(row))
          : JSON.stringify([type, 'document', documentId]);
      const rows = this.#groups.get(key) ?? [];
      this.#groups.set(key, rows);
      if (rows.length === 0 || rows[0]?.type === type) rows.push(row);
    }
    for (const rows of this.#groups.values()) {
      const first = rows.map(({ ref }) => ref).sort((a, b) => Number(a) - Number(b))[0] ?? '';
      const id = rows[0]?.documentId ?? first;
      if (ExternalId.safeParse(id).success) for (const row of rows) this.#ids.set(rowKey(row), id);
    }
  }

  read(): SourceEntry[] {
    return [...this.#groups.values()].flatMap((rows) => this.#entry(rows) ?? []);
  }

  #entry(rows: readonly StrapiRow[]): SourceEntry | undefined {
    const [first] = rows;
    const id = first === undefined ? undefined : this.#ids.get(rowKey(first));
    const model = this.content.models.get(first?.type ?? '');
    if (first === undefined || id === undefined || model === undefined) return undefined;
    const where = `${first.type} ${id}`;
    const chosen = this.#chosen(rows, model, where);
    const [main] = chosen;
    if (main === undefined) return undefined;
    const times = (name: 'createdAt' | 'updatedAt'): string[] =>
      rows.flatMap((row) => row[name] ?? []).sort((a, b) => Date.parse(a) - Date.parse(b));
    const facts = {
      createdAt: times('createdAt')[0],
      updatedAt: main[1].row.updatedAt,
      publishedAt: main[1].row.publishedAt,
    };
    const read = (): SourceVersion[] =>
      chosen.map(([locale, one], index) =>
        this.#version(model, one, { locale, where, isFirst: index === 0 }),
      );
    return {
      type: first.type,
      id,
      where,
      isPublished: main[1].isPublished,
      facts,
      author: undefined,
      get versions() {
        return read();
      },
    };
  }

  /** The published row of each locale, or else its draft; the default locale first. */
  #chosen(
    rows: readonly StrapiRow[],
    { schema }: StrapiModel,
    where: string,
  ): (readonly [locale: string, chosen: Chosen])[] {
    const [standard = ''] = this.content.locales;
    const found = new Map<string, Chosen>();
    for (const row of rows) {
      const locale = row.locale ?? standard;
      const isPublished = !schema.options.draftAndPublish || row.publishedAt !== undefined;
      const known = found.get(locale);
      if (known === undefined || (isPublished && !known.isPublished)) found.set(locale, { row, isPublished });
      if (known === undefined) continue;
      const [draft, published] = isPublished ? [known, { row }] : [{ row, isPublished }, known];
      if (known.isPublished === isPublished)
        this.#lose(`${where} / ${locale}`, `the row ${row.ref}`, 'An earlier row has the same locale.');
      else if (Date.parse(draft.row.updatedAt ?? '') > Date.parse(published.row.updatedAt ?? ''))
        this.losses.add('entry', `${where} / ${locale}`, [
          'the changed draft',
          'The published version is kept.',
          'Publish it before the export.',
        ]);
    }
    return this.content.locales.flatMap((locale) => {
      const one = found.get(locale);
      return one === undefined ? [] : [[locale, one] as const];
    });
  }

  #lose(where: string, what: string, why: string): void {
    this.losses.add('entry', where, [what, why, EDIT]);
  }

  #version(
    { fields, type: { isLocalized } }: StrapiModel,
    { row, isPublished }: Chosen,
    { locale, where, isFirst }: { locale: string; where: string; isFirst: boolean },
  ): SourceVersion {
    const { type, ref, publishedAt } = row;
    const values = row.read();
    const read = new Map<string, unknown>();
    const blocks = { count: 0 };
    for (const field of fields) {
      const { localized } = field.source;
      if (!isFirst && !localized) continue;
      const prefix = isLocalized && localized ? `${locale}/` : '';
      const place = { type, ref, where: `${where} / ${locale} / ${field.name}`, prefix, depth: 0, blocks };
      const value = this.#value(field, values[field.name], place);
      if (value !== undefined) read.set(field.name, value);
    }
    const uid = fields.find(({ attribute }) => attribute.type === 'uid');
    const slug = EntrySlug.safeParse(uid === undefined ? undefined : values[uid.name]).data;
    return { locale, slug, state: { isPublished, publishedAt }, fields: read };
  }

  #value({ name, attribute, source }: StrapiField, given: unknown, place: Place): unknown {
    const { type: kind } = source;
    const lose: Lose = (what, why) => {
      this.#lose(place.where, what, why);
    };
    if (kind === 'media' || kind === 'reference') return this.#links({ name, source }, place, lose);
    if (given === null || given === undefined || given === '') return undefined;
    if (kind === 'blocks') return this.#blocks(name, attribute, { given, place });
    if (kind === 'richText') return this.#text(given, lose);
    if (kind === 'json') {
      if (!isDeep(given)) return given;
      lose('the value', `It is nested deeper than ${String(limits.jsonDepth)} levels.`);
      return undefined;
    }
    const time = typeof given === 'number' ? new Date(given) : undefined;
    const isTime = kind === 'dateTime' && time !== undefined && !Number.isNaN(time.getTime());
    const value = cellValue(isTime ? time.toISOString() : given, kind);
    if (value === undefined) lose('the value', `It is no value of the kind ${kind}.`);
    return value;
  }

  #links({ name, source }: Pick<StrapiField, 'name' | 'source'>, place: Place, lose: Lose): unknown {
    const found = new Map<string, AssetLink | EntryLink>();
    for (const row of this.content.links.targetsOf(place, name)) {
      const key = rowKey(row);
      const id = row.type === FILE ? this.content.files.get(key) : this.#ids.get(key);
      if (id === undefined) lose(`the link to ${row.type} ${row.ref}`, 'The export does not have it.');
      else
        found.set(`${row.type} ${id}`, row.type === FILE ? new AssetLink(id) : new EntryLink(row.type, id));
    }
    const links = [...found.values()];
    const most = source.isList === true ? limits.itemsPerField : 1;
    if (links.length > most) lose('the end of the list', `The field has at most ${String(most)} values.`);
    if (links.length === 0) return undefined;
    return source.isList === true ? links.slice(0, most) : links[0];
  }

  #text(given: unknown, lose: Lose): unknown {
    if (Array.isArray(given)) {
      const assetOf = ({ url }: Values): AssetLink | undefined => {
        const id = this.#assetAt(String(url));
        return id === undefined ? undefined : new AssetLink(id);
      };
      return readStrapiBlocks(given, { assetOf, lose });
    }
    if (typeof given !== 'string' || given.length > limits.conversionCharacters) {
      lose(
        'the rich text',
        `It has more than ${String(limits.conversionCharacters)} characters, or is no string.`,
      );
      return undefined;
    }
    return new HtmlText(markdownToHtml(given), {
      assetOf: (src) => this.#assetAt(src),
      entryOf: () => undefined,
    });
  }

  /** Addresses in texts may have the host of the service. */
  #assetAt(address: string): string | undefined {
    const { addresses } = this.content;
    const uploaded = /^https?:\/\/[^/]+(\/uploads\/.+)$/.exec(address)?.[1] ?? '';
    return addresses.get(address) ?? addresses.get(uploaded);
  }

  /** Components of a field; in a dynamic zone, each says which it is. */
  #blocks(
    name: string,
    { type, component, repeatable }: StrapiField['attribute'],
    { given, place }: { given: unknown; place: Place },
  ): unknown {
    const isGroup = type === 'component' && !repeatable;
    const counts = new Map<string, number>();
    const blocks = [given].flat().flatMap((item): BlockValue[] => {
      const values = isObject(item) ? item : {};
      const uid = type === 'dynamiczone' ? String(values.__component) : component;
      const model = this.content.models.get(uid);
      const count = (counts.get(uid) ?? 0) + 1;
      counts.set(uid, count);
      const isTooMany = place.depth >= limits.ownBlockDepth || place.blocks.count >= limits.ownBlocks;
      if (model === undefined || !isObject(item) || isTooMany) {
        const { ownBlocks, ownBlockDepth } = limits;
        const most = `An entry has at most ${String(ownBlocks)} blocks, ${String(ownBlockDepth)} deep.`;
        this.#lose(
          place.where,
          `the component ${uid.slice(0, 200)}`,
          isTooMany ? most : 'The export lacks its schema, or it is malformed.',
        );
        return [];
      }
      place.blocks.count += 1;
      // The ids of components differ between the draft and the published version.
      const id = `${place.prefix}${name}.${uid}#${String(count)}`;
      const externalId = ExternalId.safeParse(id).data ?? `${String(place.blocks.count)} of ${uid}`;
      return [this.#block(model, values, { ...place, prefix: `${id}/`, depth: place.depth + 1, externalId })];
    });
    if (blocks.length === 0) return undefined;
    return isGroup ? blocks[0] : blocks.slice(0, limits.itemsPerField);
  }

  #block(
    { schema: { uid }, fields }: StrapiModel,
    values: Values,
    place: Place & { readonly externalId: string },
  ): BlockValue {
    const ref = String(values.id);
    const read = fields.flatMap((field): (readonly [string, unknown])[] => {
      const own = { ...place, type: uid, ref, where: `${place.where}.${field.name}` };
      const value = this.#value(field, values[field.name], own);
      return value === undefined ? [] : [[field.name, value]];
    });
    return new BlockValue(uid, place.externalId, read);
  }
}

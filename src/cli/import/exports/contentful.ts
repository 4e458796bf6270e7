import path from 'node:path';
import { z } from 'zod';
import { limits } from '../../../../contracts/limits.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import type { LinePlace } from '../read-lines.js';
import { findFile, inTurn } from './export-files.js';
import {
  ContentfulEntries,
  Entry,
  Localized,
  metadata,
  Sys,
  Tag,
  tagEntry,
  tagTypeOf,
  withTags,
  type EntryHead,
} from './contentful-entries.js';
import { ContentfulTally, ContentfulType, ContentfulTypes } from './contentful-types.js';
import type { LinkTargets } from './contentful-values.js';
import {
  Losses,
  type AssetTexts,
  type ExportSource,
  type SourceAsset,
  type SourceLocale,
} from './export-source.js';
import { JsonLists } from './json-places.js';

/** Of one item. */
const MAXIMUM_BYTES = 16 * 1024 * 1024;
const AGAIN = 'Export the space again.';
/** Objects in which a schema would drop a key in silence: those of an entry, and of a content type. */
const DEPTH = { entry: 3, type: 6 };

const Asset = z.object({
  sys: Sys,
  metadata,
  fields: z
    .object({ title: Localized.catch({}), description: Localized.catch({}), file: Localized.catch({}) })
    .partial()
    .default({}),
});
type Asset = z.infer<typeof Asset>;

const AssetFile = z.object({
  url: z.string().max(limits.urlLength),
  fileName: z.string().min(1).max(1000).catch('file'),
});

const Locale = z.object({
  code: z.string().min(1).max(35),
  name: z.string().default(''),
  fallbackCode: z.string().nullish(),
  default: z.boolean().default(false),
});

/** Places of keys named __proto__, which schemas drop. */
function hiddenKeys(value: unknown, depth: number, where: string): string[] {
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) =>
    key === '__proto__'
      ? [`${where} / ${key}`]
      : hiddenKeys((value as Record<string, unknown>)[key], depth - 1, `${where} / ${key.slice(0, 100)}`),
  );
}

type ListKind = 'type' | 'entry' | 'asset' | 'other';

/** Reads an export of a Contentful space. */
class ContentfulExport {
  readonly losses = new Losses();

  constructor(
    private readonly lists: JsonLists,
    private readonly folder: string,
  ) {}

  async read(): Promise<ExportSource> {
    const locales = this.#locales();
    const types = this.#list('contentTypes', ContentfulType, 'type');
    const tags = this.#list('tags', Tag, 'other');
    const tally = new ContentfulTally(types);
    const fields = new Map(types.map((type) => [type.sys.id, type.fields]));
    const entries = [...this.#entriesOf(fields, tally)];
    const assets = this.#list('assets', Asset, 'asset');
    this.#loseSettings();
    const reader = new ContentfulTypes(this.losses, tally);
    const read = types.map((type) => reader.read(type));
    const isTagged = new Set(
      entries.flatMap(({ sys, tags: own }) => (own.length > 0 ? sys.contentType : [])),
    );
    const tagType = tags.length > 0 ? tagTypeOf(reader.nameFor('tag'), types) : undefined;
    const all =
      tagType === undefined
        ? read
        : [...read.map((type) => (isTagged.has(type.id) ? withTags(type, tagType.id) : type)), tagType];
    const targets: LinkTargets = {
      entryTypes: new Map(entries.map(({ sys }) => [sys.id, sys.contentType])),
      assets: new Set(assets.map(({ sys }) => sys.id)),
    };
    const known = new Set(tags.map(({ sys }) => sys.id));
    const context = { locales, targets, fields, known, tagType: tagType?.id };
    const entryReader = new ContentfulEntries(context, this.losses);
    return {
      system: 'contentful',
      locales,
      types: all,
      assets: await inTurn(assets, (asset) => this.#asset(asset, locales)),
      entries: [
        ...entries.map((entry) => entryReader.read(entry)),
        ...(tagType === undefined ? [] : tags.map((tag) => tagEntry(tag, { type: tagType.id, locales }))),
      ],
      authors: new Map(
        entries.flatMap(({ sys: { createdBy } }) =>
          createdBy === undefined ? [] : [[createdBy, createdBy]],
        ),
      ),
      losses: this.losses,
    };
  }

  #list<T>(name: string, schema: z.ZodType<T>, kind: ListKind): T[] {
    return [...this.#items(name, schema, kind)].map(([item]) => item);
  }

  /** Items of a list of the export; malformed ones are lost. */
  *#items<T>(name: string, schema: z.ZodType<T>, kind: ListKind): Generator<readonly [T, LinePlace]> {
    const ids = new Set<unknown>();
    for (const [index, place] of this.lists.placesOf(name).entries()) {
      const where = `${name}[${String(index)}]`;
      const lose = (why: string): void => {
        this.losses.add(kind, where, ['the item', why, AGAIN]);
      };
      if (place.length > MAXIMUM_BYTES) {
        lose('It has more than 16 MB.');
        continue;
      }
      const item = this.lists.read(place);
      const result = schema.safeParse(item);
      const id = isObject(item) && isObject(item.sys) ? item.sys.id : undefined;
      const isTwice = id !== undefined && ids.has(id);
      ids.add(id);
      const [issue] = result.error?.issues ?? [];
      if (isTwice) lose('An earlier item has the same id.');
      else if (!result.success)
        lose(
          issue === undefined ? 'It is malformed.' : [...issue.path, issue.message].map(String).join(': '),
        );
      else {
        for (const hidden of hiddenKeys(item, kind === 'type' ? DEPTH.type : DEPTH.entry, where))
          this.losses.add(kind, hidden, ['the value', 'Nothing can have the name __proto__.', AGAIN]);
        yield [result.data, place];
      }
    }
  }

  *#entriesOf(
    types: ReadonlyMap<string, ContentfulType['fields']>,
    tally: ContentfulTally,
  ): Generator<EntryHead> {
    for (const [
      {
        sys,
        metadata: { tags },
        fields,
      },
      place,
    ] of this.#items('entries', Entry, 'entry')) {
      const own = types.get(sys.contentType);
      if (own === undefined) {
        this.losses.add('entry', `entry ${sys.id}`, [
          'the entry',
          `The export lacks its content type ${sys.contentType.slice(0, 100)}.`,
          'Export the content model, too.',
        ]);
        continue;
      }
      tally.add(sys.contentType, fields);
      yield {
        sys,
        tags,
        unknown: Object.keys(fields).filter((name) => !own.some(({ id }) => id === name)),
        read: () => Entry.parse(this.lists.read(place)).fields,
      };
    }
  }

  #locales(): SourceLocale[] {
    const found = this.#list('locales', Locale, 'other');
    const [first] = found;
    if (first === undefined)
      throw new Error('The export has no locales. Export the space with its content model.');
    const standard = found.find((locale) => locale.default) ?? first;
    return [standard, ...found.filter((locale) => locale !== standard)].map(
      ({ code, name, fallbackCode }) => ({
        code,
        name: name || code,
        fallback: fallbackCode ?? null,
      }),
    );
  }

  #loseSettings(): void {
    const parts = [
      ['webhooks', 'Create it in Headwater: its secrets are not exported.'],
      ['roles', 'Create the role and give it to users.'],
      ['editorInterfaces', 'Forms follow the kinds of the fields.'],
    ] as const;
    for (const [name, remedy] of parts) {
      for (const [index, place] of this.lists.placesOf(name).entries()) {
        const item = place.length > MAXIMUM_BYTES ? undefined : this.lists.read(place);
        const { name: label, sys } = isObject(item) ? item : {};
        const type =
          isObject(sys) && isObject(sys.contentType) && isObject(sys.contentType.sys)
            ? sys.contentType.sys.id
            : undefined;
        const where = `${name}[${String(index)}] ${textIn(label ?? type, 200) ?? ''}`.trim();
        this.losses.add('other', where, ['the item', 'Settings of the space are not imported.', remedy]);
      }
    }
  }

  async #asset(
    { sys, metadata: { tags }, fields }: Asset,
    locales: readonly SourceLocale[],
  ): Promise<SourceAsset> {
    const where = `asset ${sys.id}`;
    const files = locales.flatMap(({ code }) => {
      const parsed = AssetFile.safeParse(fields.file?.[code]);
      return parsed.success ? [parsed.data] : [];
    });
    const [first] = files;
    for (const { url } of files.slice(1))
      if (url !== first?.url)
        this.losses.add('asset', where, [
          `the file ${url}`,
          'An asset has one file; that of the default locale is kept.',
          'Upload it as another asset.',
        ]);
    if (sys.publishedVersion === undefined)
      this.losses.add('asset', where, [
        'draft',
        'Assets have no drafts. It is private: only signed URLs serve the file.',
        'Make it public.',
      ]);
    const file = first === undefined ? undefined : await findFile(this.folder, first.url);
    if (file === undefined)
      this.losses.add('asset', where, [
        `the file ${first?.url ?? ''}`,
        'It is not beside the export.',
        'Export with downloaded assets, or upload it.',
      ]);
    return {
      id: sys.id,
      where,
      address: first?.url ?? '',
      file,
      fileName: (first?.fileName ?? 'file').slice(0, limits.mediaFileNameLength),
      tags: tags.filter((tag) => tag !== undefined),
      isPrivate: sys.publishedVersion === undefined,
      texts: textsOf(fields, locales),
    };
  }
}

const textIn = (value: unknown, maximum: number): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, maximum) : undefined;

/** Contentful's description is used as alternative text, too. */
function textsOf(fields: Asset['fields'], locales: readonly SourceLocale[]): Map<string, AssetTexts> {
  const texts = new Map<string, AssetTexts>();
  for (const { code } of locales) {
    const title = textIn(fields.title?.[code], limits.mediaTitleLength);
    const description = textIn(fields.description?.[code], limits.mediaDescriptionLength);
    const altText = textIn(description, limits.mediaAltTextLength);
    const own = { ...(title && { title }), ...(description && { description }), ...(altText && { altText }) };
    if (Object.keys(own).length > 0) texts.set(code, own);
  }
  return texts;
}

/**
 * @param file JSON of `contentful space export`; downloaded assets are beside it, by host and path
 * @throws Error in one line for people
 */
export async function readContentful(file: string): Promise<ExportSource> {
  const lists = await JsonLists.open(file, 'Contentful');
  const remove = (): Promise<void> => Promise.resolve(lists.close());
  try {
    if (!lists.has('contentTypes'))
      throw new Error(`The file ${file} is not an export of Contentful: it has no contentTypes.`);
    return { ...(await new ContentfulExport(lists, path.dirname(path.resolve(file))).read()), remove };
  } catch (error) {
    lists.close();
    throw error;
  }
}

import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { limits } from '../../../../contracts/limits.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import { readFailure } from '../read-lines.js';
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
  valuesOf,
  withTags,
} from './contentful-entries.js';
import { ContentfulType, ContentfulTypes } from './contentful-types.js';
import type { LinkTargets } from './contentful-values.js';
import {
  Losses,
  type AssetTexts,
  type ExportSource,
  type SourceAsset,
  type SourceLocale,
} from './export-source.js';

const MAXIMUM_BYTES = 400 * 1024 * 1024;

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

/** @throws Error in one line */
async function readJson(file: string): Promise<Readonly<Record<string, unknown>>> {
  let text: string;
  try {
    const { size } = await stat(file);
    if (size > MAXIMUM_BYTES)
      throw new Error(`The file ${file} is larger than 400 MB. Export a part of the space.`);
    const bytes = await readFile(file);
    if (!isUtf8(bytes))
      throw new Error(`The file ${file} has bytes that are not UTF-8. Export the space again.`);
    text = bytes.toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new Error(`The file ${file} cannot be read: ${readFailure(error)}.`, { cause: error });
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`The file ${file} is not JSON, or is truncated.`, { cause: error });
  }
  if (isObject(value) && Array.isArray(value.contentTypes)) return value;
  throw new Error(`The file ${file} is not an export of Contentful: it has no contentTypes.`);
}

/** Reads an export of a Contentful space. */
class ContentfulExport {
  readonly losses = new Losses();
  readonly #document: Readonly<Record<string, unknown>>;

  constructor(
    document: Readonly<Record<string, unknown>>,
    private readonly folder: string,
  ) {
    this.#document = document;
  }

  async read(): Promise<ExportSource> {
    const locales = this.#locales();
    const types = this.#list('contentTypes', ContentfulType, 'type');
    const tags = this.#list('tags', Tag, 'other');
    const entries = this.#entriesOf(new Set(types.map(({ sys }) => sys.id)));
    const assets = this.#list('assets', Asset, 'asset');
    this.#loseSettings();
    const reader = new ContentfulTypes(this.losses, valuesOf(entries));
    const read = types.map((type) => reader.read(type));
    const isTagged = new Set(
      entries.flatMap(({ sys, metadata: { tags: own } }) => (own.length > 0 ? sys.contentType : [])),
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
    const fields = new Map(types.map((type) => [type.sys.id, type.fields]));
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

  /** Items of a list of the export; malformed ones are lost. */
  #list<T>(name: string, schema: z.ZodType<T>, kind: 'type' | 'entry' | 'asset' | 'other'): T[] {
    const list: unknown[] = Array.isArray(this.#document[name]) ? this.#document[name] : [];
    const ids = new Set<unknown>();
    return list.flatMap((item, index) => {
      const result = schema.safeParse(item);
      const id = isObject(item) && isObject(item.sys) ? item.sys.id : undefined;
      const [issue] = result.error?.issues ?? [];
      const why =
        ids.has(id) && id !== undefined
          ? 'An earlier item has the same id.'
          : issue && `${[...issue.path, issue.message].map(String).join(': ')}`;
      ids.add(id);
      if (result.success && why === undefined) return [result.data];
      this.losses.add(kind, `${name}[${String(index)}]`, [
        'the item',
        why ?? 'It is malformed.',
        'Export the space again.',
      ]);
      return [];
    });
  }

  #entriesOf(types: ReadonlySet<string>): Entry[] {
    return this.#list('entries', Entry, 'entry').filter(({ sys }) => {
      if (types.has(sys.contentType)) return true;
      this.losses.add('entry', `entry ${sys.id}`, [
        'the entry',
        `The export lacks its content type ${sys.contentType.slice(0, 100)}.`,
        'Export the content model, too.',
      ]);
      return false;
    });
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
      const list: unknown[] = Array.isArray(this.#document[name]) ? this.#document[name] : [];
      for (const [index, item] of list.entries()) {
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
  return new ContentfulExport(await readJson(file), path.dirname(path.resolve(file))).read();
}

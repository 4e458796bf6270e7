import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../../../contracts/limits.js';
import { EntrySlug, ExternalId } from '../../../../contracts/primitives.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import { openFolder } from '../archives.js';
import { LineReader, type LinePlace } from '../read-lines.js';
import { findFile } from './export-files.js';
import {
  AssetLink,
  EntryLink,
  Losses,
  type ExportSource,
  type SourceAsset,
  type SourceEntry,
  type SourceVersion,
} from './export-source.js';
import { readPortableText } from './portable-text.js';
import {
  assetId,
  DatasetTally,
  factsOf,
  findPictures,
  isAsset,
  isSlug,
  localesIn,
  sanityTypes,
  type Document,
  type FieldShape,
  type Item,
  type Kind,
  type Picture,
} from './sanity-shapes.js';
import { cellValue } from './table-columns.js';
import { readJsonLines } from './table-file.js';

const EDIT = 'Edit the entry after the import.';
const MAXIMUM_DOCUMENTS = 1_000_000;

interface DocumentContext {
  readonly shapes: ReadonlyMap<string, FieldShape>;
  readonly locales: readonly string[];
}

/** Reads the documents of a dataset. Its export has no schema: types are what the documents have. */
class SanityDataset {
  readonly losses = new Losses();
  readonly #documents = new Map<string, Document>();
  readonly #drafts = new Map<string, Document>();
  readonly #assets: SourceAsset[] = [];
  #reader: LineReader | undefined;
  /** What the export says of files: `image-<hash>` and their names. */
  #files: Item = {};
  #locale = '';

  constructor(private readonly folder: string) {}

  async read(): Promise<ExportSource> {
    await this.#readDocuments();
    const documents = [...this.#documents.values()];
    const tally = new DatasetTally();
    const pictures = new Map<string, Picture>();
    const facts = documents.map((document) => {
      const values = document.read();
      tally.add(document.type, values);
      findPictures(pictures, values, `${document.type} ${document.id}`);
      return factsOf(document, values);
    });
    const shapes = tally.shapes(this.losses);
    const { locales } = tally;
    [this.#locale = ''] = locales;
    const types = sanityTypes(shapes, this.losses);
    for (const [id, picture] of pictures) await this.#addAsset(id, picture);
    const entries = documents.map((document, index) => {
      const context = { shapes: shapes.get(document.type) ?? new Map<string, FieldShape>(), locales };
      return this.#entry(document, context, facts[index] ?? {});
    });
    return {
      system: 'sanity',
      locales: locales.map((code) => ({ code, name: code, fallback: null })),
      types,
      assets: this.#assets,
      entries,
      authors: new Map(),
      losses: this.losses,
    };
  }

  async #readDocuments(): Promise<void> {
    const map = await readFile(path.join(this.folder, 'assets.json'), 'utf8').catch(() => '{}');
    try {
      const parsed: unknown = JSON.parse(map);
      if (isObject(parsed)) this.#files = parsed;
    } catch {
      this.losses.add('asset', 'assets.json', [
        'names and descriptions of files',
        'It is not JSON.',
        'Export the dataset again.',
      ]);
    }
    let count = 0;
    const file = path.join(this.folder, 'data.ndjson');
    this.#reader = LineReader.open(file);
    for await (const { line, cells, problem, place } of readJsonLines(file)) {
      count += 1;
      if (count > MAXIMUM_DOCUMENTS)
        throw new Error('The dataset has more than 1,000,000 documents. Export a part of it.');
      const why = problem ?? this.#keep(cells, place);
      if (why !== undefined)
        this.losses.add('entry', `data.ndjson, line ${String(line)}`, [
          'the document',
          why,
          'Export the dataset again.',
        ]);
    }
    for (const [id, draft] of this.#drafts)
      if (!this.#documents.has(id)) this.#documents.set(id, draft);
      else
        this.losses.add('entry', `${draft.type} ${id}`, [
          'the changed draft',
          'The published version is kept.',
          'Publish it before the export.',
        ]);
  }

  /** @returns why it is no entry */
  #keep(cells: ReadonlyMap<string, unknown>, place: LinePlace | undefined): string | undefined {
    const [given, type] = [cells.get('_id'), cells.get('_type')];
    if (typeof given !== 'string' || typeof type !== 'string') return 'It has no _id or no _type.';
    if (type.startsWith('sanity.')) return undefined;
    if (/^system\.|^translation\.metadata$/.test(type) || given.startsWith('_.'))
      return `It belongs to Sanity: ${type.slice(0, 100)}.`;
    if (given.startsWith('versions.')) return 'It is a version of a release, which is not imported.';
    const isDraft = given.startsWith('drafts.');
    const id = isDraft ? given.slice('drafts.'.length) : given;
    if (!ExternalId.safeParse(id).success) return 'Its _id is not allowed.';
    const into = isDraft ? this.#drafts : this.#documents;
    if (into.has(id)) return 'An earlier document has the same _id.';
    into.set(id, { id, type, isDraft, read: () => this.#readAgain(place) });
    return undefined;
  }

  #readAgain(place: LinePlace | undefined): Item {
    const text = place === undefined ? undefined : this.#reader?.read(place);
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  }

  close(): void {
    this.#reader?.close();
  }

  async #addAsset(id: string, { where, alt }: Picture): Promise<void> {
    const [, kind = '', name = ''] = /^(image|file)@file:\/\/\.?\/?(.+)$/.exec(id) ?? [];
    const file = name === '' ? undefined : await findFile(this.folder, name);
    if (file === undefined)
      this.losses.add('asset', where, [
        `the file ${id.slice(0, 200)}`,
        'The export does not have it.',
        'Export with assets, or upload it.',
      ]);
    const known = this.#files[`${kind}-${path.basename(name).replace(/[-.].*$/, '')}`];
    const facts = isObject(known) ? known : {};
    const text = (one: unknown, most: number): string | undefined =>
      typeof one === 'string' && one !== '' ? one.slice(0, most) : undefined;
    const [title, description] = [
      text(facts.title, limits.mediaTitleLength),
      text(facts.description, limits.mediaDescriptionLength),
    ];
    const altText = text(facts.altText ?? alt, limits.mediaAltTextLength);
    const texts = {
      ...(title && { title }),
      ...(description && { description }),
      ...(altText && { altText }),
    };
    this.#assets.push({
      id,
      where: `asset ${id}`,
      address: id,
      file,
      fileName: (text(facts.originalFilename, limits.mediaFileNameLength) ?? path.basename(name)) || 'file',
      isPrivate: false,
      tags: [],
      texts: new Map(Object.keys(texts).length > 0 ? [[this.#locale, texts]] : []),
    });
  }

  #entry(document: Document, context: DocumentContext, facts: SourceEntry['facts']): SourceEntry {
    const { id, type, isDraft } = document;
    const where = `${type} ${id}`;
    const read = (): SourceVersion[] => this.#versions(document, context);
    return {
      type,
      id,
      where,
      isPublished: !isDraft,
      facts,
      author: undefined,
      get versions() {
        return read();
      },
    };
  }

  #versions(document: Document, { shapes, locales }: DocumentContext): SourceVersion[] {
    const where = `${document.type} ${document.id}`;
    const values = document.read();
    const slug = EntrySlug.safeParse(isSlug(values.slug) ? values.slug.current : undefined).data;
    const versions: SourceVersion[] = [];
    for (const locale of locales) {
      const fields = new Map<string, unknown>();
      for (const [name, shape] of shapes) {
        if (versions.length > 0 && !shape.isLocalized) continue;
        const given = shape.isLocalized ? localesIn(values[name])?.get(locale) : values[name];
        const value =
          given === undefined || given === null
            ? undefined
            : this.#value(given, shape, `${where} / ${locale} / ${name}`);
        if (value !== undefined) fields.set(name, value);
      }
      if (versions.length === 0 || fields.size > 0) versions.push({ locale, slug, fields });
    }
    return versions;
  }

  #value(value: unknown, { kind, isList }: FieldShape, where: string): unknown {
    const lose = (what: string, why: string): void => {
      this.losses.add('entry', where, [what, why, EDIT]);
    };
    if (kind === 'richText') {
      const blocks: unknown[] = Array.isArray(value) ? value : [];
      const assetOf = (one: Item): AssetLink | undefined =>
        isAsset(one) ? this.#asset(one, lose) : undefined;
      return readPortableText(blocks, { entryOf: (one) => this.#link(one, lose), assetOf, lose });
    }
    if (isList) {
      const items = (Array.isArray(value) ? value : []).flatMap((item) => this.#one(item, kind, lose) ?? []);
      if (items.length > limits.itemsPerField)
        lose('the end of the list', `It has more than ${String(limits.itemsPerField)} values.`);
      return items.length === 0 ? undefined : items.slice(0, limits.itemsPerField);
    }
    return this.#one(value, kind, lose);
  }

  #one(value: unknown, kind: Kind, lose: (what: string, why: string) => void): unknown {
    if (kind === 'reference') return isObject(value) ? this.#link(value, lose) : undefined;
    if (kind === 'media') return isObject(value) ? this.#asset(value, lose) : undefined;
    if (kind === 'location') return isObject(value) ? { lat: value.lat, lng: value.lng } : undefined;
    if (isSlug(value) && kind !== 'json') return value.current;
    return cellValue(value, kind);
  }

  #link(reference: Item, lose: (what: string, why: string) => void): EntryLink | undefined {
    const id = String(reference._ref).replace(/^drafts\./, '');
    const target = this.#documents.get(id);
    if (target !== undefined) return new EntryLink(target.type, id);
    lose(`the link to ${id.slice(0, 200)}`, 'The export does not have it.');
    return undefined;
  }

  #asset(value: Item, lose: (what: string, why: string) => void): AssetLink {
    if (value.crop !== undefined) lose('the crop', 'Each use of a picture has its own crop in Sanity only.');
    if (value.hotspot !== undefined) lose('the hotspot', 'An asset has one focal point for all uses.');
    return new AssetLink(assetId(value));
  }
}

/** The folder with the documents: archives have one around it. @throws Error with one line for people */
async function datasetIn(folder: string, name: string): Promise<string> {
  const inner = await readdir(folder, { withFileTypes: true });
  const folders = ['.', ...inner.filter((entry) => entry.isDirectory()).map((entry) => entry.name)];
  for (const one of folders) {
    const names = await readdir(path.join(folder, one));
    if (names.includes('data.ndjson')) return path.join(folder, one);
  }
  throw new Error(`${name} is not an export of Sanity: it has no data.ndjson.`);
}

/**
 * @param name archive of `sanity dataset export`, or the folder that it unpacks to
 * @throws Error in one line for people
 */
export async function readSanity(name: string): Promise<ExportSource> {
  const { folder, remove } = await openFolder(name);
  const closing: SanityDataset[] = [];
  const end = async (): Promise<void> => {
    for (const dataset of closing) dataset.close();
    await remove();
  };
  try {
    const dataset = new SanityDataset(await datasetIn(folder, name));
    closing.push(dataset);
    return { ...(await dataset.read()), remove: end };
  } catch (error) {
    await end();
    throw error;
  }
}

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../../../contracts/limits.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import { openFolder } from '../archives.js';
import { LineReader, readLines, type LinePlace } from '../read-lines.js';
import { findFile } from './export-files.js';
import { Losses, type AssetTexts, type ExportSource, type SourceAsset } from './export-source.js';
import { StrapiEntries, type StrapiRow } from './strapi-entries.js';
import { rowKey, StrapiLinks, StrapiSurvey } from './strapi-rows.js';
import { FILE, isContentType, StrapiSchema, StrapiTypes } from './strapi-types.js';
import { cellValue } from './table-columns.js';

type Values = Readonly<Record<string, unknown>>;

/** Of one line; more is a record that does not end. */
const LINE_BYTES = 16 * 1024 * 1024;
const MAXIMUM_ROWS = 1_000_000;
const AGAIN = 'Export the project again.';

interface StrapiRecord extends LinePlace {
  readonly where: string;
  readonly value: Values;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const textIn = (value: unknown, most: number): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, most) : undefined;

const timeIn = (value: unknown): string | undefined =>
  typeof value === 'number' && Math.abs(value) < 8e15
    ? new Date(value).toISOString()
    : (cellValue(value ?? '', 'dateTime') as string | undefined);

/** Reads what `strapi export` writes: folders of JSON Lines, and files. */
class StrapiExport {
  readonly losses = new Losses();
  readonly #schemas = new Map<string, StrapiSchema>();
  readonly #rows = new Map<string, StrapiRow>();
  readonly #links = new StrapiLinks();
  readonly #locales = new Map<string, string>();
  readonly #assets: SourceAsset[] = [];
  readonly #files = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  /** Names of folders of the media library by their paths. */
  readonly #folders = new Map<string, string>();
  /** Numbers of rows that are not imported, by type. */
  readonly #others = new Map<string, number>();
  /** Attributes that title entries. */
  readonly #titles = new Map<string, string>();
  readonly #readers: LineReader[] = [];
  #standard = '';

  constructor(private readonly folder: string) {}

  close(): void {
    for (const reader of this.#readers) reader.close();
  }

  async read(): Promise<ExportSource> {
    for await (const { value, where } of this.#records('schemas', 'type')) {
      const { data: schema } = StrapiSchema.safeParse(value);
      if (schema === undefined) this.losses.add('type', where, ['the schema', 'It is malformed.', AGAIN]);
      else this.#schemas.set(schema.uid, schema);
    }
    await this.#readSettings();
    const survey = new StrapiSurvey(this.#schemas);
    const files: Values[] = [];
    for await (const record of this.#records('entities', 'entry')) this.#keep(record, { survey, files });
    const rows = [...this.#rows.values()];
    const locales = this.#localesOf(rows);
    for (const file of files) await this.#addFile(file, locales[0] ?? '');
    for await (const { value, where } of this.#records('links', 'entry'))
      if (!this.#links.add(value)) this.losses.add('entry', where, ['the link', 'It is malformed.', AGAIN]);
    const models = new StrapiTypes(
      this.#schemas,
      (uid, name) => survey.otherValue(uid, name),
      this.losses,
    ).read(this.#titles);
    const content = {
      rows,
      models,
      links: this.#links,
      locales,
      files: this.#files,
      addresses: this.#addresses,
    };
    this.#loseOthers();
    return {
      system: 'strapi',
      locales: locales.map((code) => ({ code, name: this.#locales.get(code) || code, fallback: null })),
      types: [...models.values()].map(({ type }) => type),
      assets: this.#assets,
      entries: new StrapiEntries(content, this.losses).read(),
      authors: new Map(),
      losses: this.losses,
    };
  }

  /** Codes, the default one first. */
  #localesOf(rows: readonly StrapiRow[]): string[] {
    for (const { locale } of rows)
      if (locale !== undefined && !this.#locales.has(locale)) this.#locales.set(locale, locale);
    const known = [...this.#locales.keys()];
    const standard = this.#locales.has(this.#standard) ? this.#standard : (known[0] ?? 'en');
    return [standard, ...known.filter((code) => code !== standard)];
  }

  /** Objects of the files of a folder, in the order of their names. */
  async *#records(
    part: string,
    kind: 'type' | 'entry' | 'other',
  ): AsyncGenerator<StrapiRecord & { reader: LineReader }> {
    const names = await readdir(path.join(this.folder, part)).catch(() => []);
    for (const name of names.filter((one) => one.endsWith('.jsonl')).sort()) {
      const file = path.join(this.folder, part, name);
      const reader = LineReader.open(file);
      this.#readers.push(reader);
      for await (const { number, text, fault, start, length } of readLines(file, LINE_BYTES)) {
        const where = `${part}/${name}, line ${String(number)}`;
        const value = parsed(text);
        if (isObject(value)) yield { value, where, start, length, reader };
        else {
          const why = fault === 'encoding' ? 'It is not UTF-8.' : 'It is no object of JSON, or is too long.';
          this.losses.add(kind, where, ['the line', why, AGAIN]);
        }
      }
    }
  }

  async #readSettings(): Promise<void> {
    for await (const { value: record } of this.#records('configuration', 'other')) {
      const value = isObject(record.value) ? record.value : {};
      const { key, value: setting, name } = value;
      if (record.type === 'webhook')
        this.losses.add('other', `webhook ${textIn(name, 200) ?? ''}`.trim(), [
          'the webhook',
          'Settings of the project are not imported.',
          'Create it in Headwater.',
        ]);
      if (key === 'plugin_i18n_default_locale') this.#standard = String(setting);
      const uid = /^plugin_content_manager_configuration_(?:content_types|components)::(.+)$/.exec(
        String(key),
      )?.[1];
      const { settings } = isObject(setting) ? setting : {};
      if (uid !== undefined && isObject(settings) && typeof settings.mainField === 'string')
        this.#titles.set(uid, settings.mainField);
    }
  }

  #keep(
    { value: { type, id, data }, where, reader, start, length }: StrapiRecord & { reader: LineReader },
    { survey, files }: { survey: StrapiSurvey; files: Values[] },
  ): void {
    const lose = (why: string): void => {
      this.losses.add('entry', where, ['the entry', why, AGAIN]);
    };
    if (typeof type !== 'string' || !['string', 'number'].includes(typeof id) || !isObject(data)) {
      lose('It has no type, id or data.');
      return;
    }
    const ref = String(id).slice(0, 200);
    if (type === FILE) files.push({ ...data, id: ref });
    else if (type === 'plugin::upload.folder') this.#folders.set(String(data.path), String(data.name));
    else if (type === 'plugin::i18n.locale')
      this.#locales.set(String(data.code), textIn(data.name, limits.nameLength) ?? '');
    else if (!isContentType(type)) this.#others.set(type, (this.#others.get(type) ?? 0) + 1);
    else if (!this.#schemas.has(type)) lose('The export lacks its schema.');
    else if (this.#rows.has(rowKey({ type, ref }))) lose('An earlier one has the same id.');
    else if (this.#rows.size >= MAXIMUM_ROWS)
      throw new Error('The export has more than 1,000,000 entries. Export a part of the project.');
    else {
      survey.add(type, data);
      this.#rows.set(rowKey({ type, ref }), {
        type,
        ref,
        documentId: textIn(data.documentId, 255),
        locale: textIn(data.locale, 35),
        createdAt: timeIn(data.createdAt),
        updatedAt: timeIn(data.updatedAt),
        publishedAt: timeIn(data.publishedAt),
        read: () => {
          const record = parsed(reader.read({ start, length }));
          return isObject(record) && isObject(record.data) ? record.data : {};
        },
      });
    }
  }

  async #addFile(data: Values, locale: string): Promise<void> {
    const id = textIn(data.documentId, 200) ?? String(data.id);
    const where = `asset ${id}`;
    const url = textIn(data.url, limits.urlLength) ?? '';
    const stored = `${textIn(data.hash, 500) ?? ''}${textIn(data.ext, 100) ?? ''}`;
    const file = await findFile(
      path.join(this.folder, 'assets', 'uploads'),
      `/${encodeURIComponent(stored)}`,
    ).catch(() => undefined);
    const isRemote = /^https?:\/\//.test(url);
    if (file === undefined && !isRemote)
      this.losses.add('asset', where, [
        `the file ${url.slice(0, 200)}`,
        'The export does not have it.',
        'Export with files, or upload it.',
      ]);
    const texts: AssetTexts = {
      ...(textIn(data.alternativeText, 1) && {
        altText: textIn(data.alternativeText, limits.mediaAltTextLength) ?? null,
      }),
      ...(textIn(data.caption, 1) && {
        description: textIn(data.caption, limits.mediaDescriptionLength) ?? null,
      }),
    };
    this.#files.set(rowKey({ type: FILE, ref: String(data.id) }), id);
    const formats = isObject(data.formats) ? Object.values(data.formats).filter(isObject) : [];
    for (const address of [url, ...formats.map((one) => one.url)])
      if (typeof address === 'string' && address !== '') this.#addresses.set(address, id);
    const folder = (textIn(data.folderPath, 1000) ?? '/')
      .split('/')
      .flatMap((_, at, steps) => this.#folders.get(steps.slice(0, at + 1).join('/')) ?? [])
      .join('/');
    this.#assets.push({
      id,
      where,
      address: url,
      file,
      ...(file === undefined && isRemote && { url }),
      fileName: (textIn(data.name, limits.mediaFileNameLength) ?? stored).slice(
        0,
        limits.mediaFileNameLength,
      ),
      isPrivate: false,
      tags: folder === '' ? [] : [folder],
      texts: new Map(Object.keys(texts).length > 0 ? [[locale, texts]] : []),
    });
  }

  #loseOthers(): void {
    for (const [type, count] of this.#others)
      if (!type.startsWith('admin::') && !type.startsWith('plugin::i18n'))
        this.losses.add('other', type.slice(0, 200), [
          `${String(count)} entries`,
          'Entries of plug-ins, and users, are not imported.',
          'Model what is needed, and create it.',
        ]);
    for (const name of this.#folders.values())
      this.losses.add('other', `folder ${name.slice(0, 200)}`, [
        'the folder',
        'Its files have its name as a tag.',
        'Create folders in the media library.',
      ]);
    this.losses.add('other', 'users', ['authors', 'The export has no users.', 'None.']);
  }
}

/**
 * @param name archive of `strapi export`, or the folder that it unpacks to
 * @throws Error in one line for people
 */
export async function readStrapi(name: string): Promise<ExportSource> {
  if (name.endsWith('.enc'))
    throw new Error(`The file ${name} is encrypted. Export with strapi export --no-encrypt.`);
  const { folder, remove } = await openFolder(name);
  const reader = new StrapiExport(folder);
  const close = async (): Promise<void> => {
    reader.close();
    await remove();
  };
  try {
    const parts = await readdir(folder);
    if (!parts.includes('schemas'))
      throw new Error(`${name} is not an export of Strapi: it has no folder schemas.`);
    return { ...(await reader.read()), remove: close };
  } catch (error) {
    await close();
    throw error;
  }
}

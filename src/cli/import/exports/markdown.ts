import path from 'node:path';
import { limits } from '../../../../contracts/limits.js';
import { EntrySlug } from '../../../../contracts/primitives.js';
import {
  AssetLink,
  EntryLink,
  Losses,
  type ExportSource,
  type SourceEntry,
  type SourceType,
  type SourceVersion,
} from './export-source.js';
import {
  addressOf,
  listOf,
  markdownFacts,
  markdownTypes,
  readMarkdownFolder,
  taxonomies,
  urlName,
  type MarkdownFile,
  type MarkdownFolder,
} from './markdown-files.js';
import { MarkdownTexts } from './markdown-text.js';
import { cellValue, isWeb, textOf } from './table-columns.js';

const EDIT = 'Edit the entry after the import.';

/** Reads the files of a site. */
class MarkdownSite {
  readonly #types: ReadonlyMap<string, SourceType>;
  readonly #indexes = new Map<string, MarkdownFile>();
  readonly #terms = new Map<string, SourceEntry>();
  readonly #texts: MarkdownTexts;
  readonly #locales: readonly string[];

  constructor(
    private readonly folder: MarkdownFolder,
    private readonly losses: Losses,
  ) {
    const { files, locale } = folder;
    const others = new Set(files.map((file) => file.locale));
    this.#locales = [locale, ...[...others].filter((one) => one !== locale).sort()];
    const sizes = new Map<string, number>();
    for (const { section, isIndex } of files)
      sizes.set(section, (sizes.get(section) ?? 0) + (isIndex ? 0 : 1));
    this.#lonely = new Set([...sizes].filter(([, size]) => size === 0).map(([section]) => section));
    for (const file of files) if (file.isIndex) this.#indexes.set(file.key, file);
    const typeOf = (file: MarkdownFile): string => this.#typeOf(file);
    this.#types = markdownTypes(files, typeOf, this.#locales.length > 1);
    this.#texts = new MarkdownTexts(folder, typeOf, (file, reason) => {
      this.#lose(file, 'body', reason);
    });
  }

  /** Sections of indexes alone are pages. */
  readonly #lonely: ReadonlySet<string>;

  async read(): Promise<ExportSource> {
    const entries: SourceEntry[] = [];
    const groups = Map.groupBy(this.folder.files, (file) => JSON.stringify([this.#typeOf(file), file.key]));
    for (const files of groups.values()) {
      const [first] = this.#locales.flatMap((locale) => files.filter((file) => file.locale === locale));
      if (first !== undefined) entries.push(await this.#entry(first, files));
    }
    return {
      system: 'markdown',
      locales: this.#locales.map((code) => ({ code, name: code, fallback: null })),
      types: [...this.#types.values()],
      assets: [...this.#texts.assets.values()],
      entries: [...this.#terms.values(), ...entries],
      authors: new Map(
        this.folder.files.flatMap(({ values: { author } }) =>
          typeof author === 'string' && author !== '' ? [[author, author]] : [],
        ),
      ),
      losses: this.losses,
    };
  }

  #typeOf({ section }: MarkdownFile): string {
    return section === '' || this.#lonely.has(section) ? 'page' : section;
  }

  async #entry(first: MarkdownFile, files: readonly MarkdownFile[]): Promise<SourceEntry> {
    const { values } = first;
    const type = this.#typeOf(first);
    const versions: SourceVersion[] = [];
    const ordered = [first, ...files.filter((file) => file !== first)];
    for (const file of ordered)
      if (versions.some(({ locale }) => locale === file.locale))
        this.#lose(file, '', ['the file', `Another file is ${file.key} in ${file.locale}.`]);
      else versions.push({ locale: file.locale, slug: this.#slugOf(file), fields: await this.#fields(file) });
    const date = cellValue(values.date ?? first.day ?? '', 'dateTime') as string | undefined;
    const isFuture = date !== undefined && Date.parse(date) > Date.now();
    const isDraft = first.isDraft || values.draft === true || values.published === false;
    if (isFuture && !isDraft)
      this.#lose(first, 'date', ['the schedule', `It is a draft, planned for ${date}.`]);
    const parent = this.#parentOf(first);
    const aliases = ordered.flatMap((file) => [
      ...listOf(file.values.aliases),
      ...listOf(file.values.redirect_from),
    ]);
    const updated = cellValue(values.lastmod ?? values.updated ?? '', 'dateTime') as string | undefined;
    return {
      type,
      id: first.key === '' ? 'index' : first.key.slice(0, limits.externalIdLength),
      where: first.path,
      isPublished: !isDraft && !isFuture,
      facts: isFuture ? {} : { createdAt: date, updatedAt: updated, publishedAt: date },
      author: typeof values.author === 'string' ? values.author : undefined,
      ...(parent !== undefined && { parent }),
      address: addressOf(first),
      aliases: aliases.map((one) =>
        one.startsWith('/') || isWeb(one) ? one : path.posix.join(addressOf(first), '..', one),
      ),
      versions,
    };
  }

  #lose({ path: where }: MarkdownFile, place: string, [what, why]: readonly [string, string]): void {
    this.losses.add('entry', place === '' ? where : `${where} / ${place}`, [what, why, EDIT]);
  }

  #slugOf(file: MarkdownFile): string | undefined {
    const { key, day, values } = file;
    const stem = path.posix.basename(key).slice(day === undefined ? 0 : day.length + 1) || 'index';
    const given = typeof values.slug === 'string' ? values.slug : stem;
    return EntrySlug.safeParse(path.posix.basename(urlName(given))).data;
  }

  /** The entry of the nearest folder above that has an index. */
  #parentOf(file: MarkdownFile): EntryLink | undefined {
    for (let key = path.posix.dirname(file.key); key !== '.' && key !== '/'; key = path.posix.dirname(key)) {
      const index = this.#indexes.get(key);
      if (index !== undefined && file.key !== '') return new EntryLink(this.#typeOf(index), key);
    }
    return undefined;
  }

  async #fields(file: MarkdownFile): Promise<Map<string, unknown>> {
    const { values } = file;
    const read = new Map<string, unknown>();
    const title = typeof values.title === 'string' ? values.title : /^#\s+(.+)$/m.exec(file.body)?.[1];
    if (title !== undefined) read.set('title', title.slice(0, limits.textLength));
    const body = await this.#texts.bodyOf(file);
    if (body !== undefined) read.set('body', body);
    for (const [term, name, given] of taxonomies) {
      const links = given.flatMap((one) => listOf(values[one])).map((label) => this.#term(term, label));
      if (links.length > 0) read.set(name, links.slice(0, limits.itemsPerField));
    }
    for (const { id, type, isList = false } of this.#types.get(this.#typeOf(file))?.fields ?? []) {
      if (
        markdownFacts.has(id) ||
        id === 'body' ||
        values[id] === undefined ||
        values[id] === null ||
        values[id] === ''
      )
        continue;
      const given: unknown[] = isList && Array.isArray(values[id]) ? values[id] : [values[id]];
      const items: unknown[] = [];
      for (const one of given) {
        const item = type === 'media' ? await this.#media(file, id, textOf(one)) : cellValue(one, type);
        if (item !== undefined) items.push(item);
        else if (type !== 'media')
          this.#lose(file, id, [`the value ${textOf(one).slice(0, 200)}`, `It cannot be read as ${type}.`]);
      }
      if (items.length > 0) read.set(id, isList ? items : items[0]);
    }
    return read;
  }

  #term(type: string, label: string): EntryLink {
    const id = urlName(label).slice(0, limits.externalIdLength);
    const fields = new Map([['name', label.slice(0, limits.textLength)]]);
    const entry = {
      type: `(${type})`,
      id,
      where: `${type} ${label}`,
      isPublished: true,
      facts: {},
      author: undefined,
    };
    const version = { locale: this.#locales[0] ?? '', slug: EntrySlug.safeParse(id).data, fields };
    if (!this.#terms.has(`${type} ${id}`))
      this.#terms.set(`${type} ${id}`, { ...entry, versions: [version] });
    return new EntryLink(`(${type})`, id);
  }

  async #media(file: MarkdownFile, name: string, address: string): Promise<AssetLink | undefined> {
    const id = await this.#texts.assetOf(file, address);
    if (id !== undefined) return new AssetLink(id);
    this.#lose(file, name, [`the file ${address.slice(0, 200)}`, 'It is not in the folder.']);
    return undefined;
  }
}

/**
 * @param folder of a site for Hugo, Astro or Jekyll, or any other one with Markdown files
 * @throws Error in one line for people
 */
export async function readMarkdown(folder: string): Promise<ExportSource> {
  const losses = new Losses();
  return new MarkdownSite(await readMarkdownFolder(folder, losses), losses).read();
}

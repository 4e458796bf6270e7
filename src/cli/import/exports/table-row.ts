import path from 'node:path';
import { limits } from '../../../../contracts/limits.js';
import { EntrySlug } from '../../../../contracts/primitives.js';
import { findFile } from './export-files.js';
import {
  AssetLink,
  EntryLink,
  type ColumnMapping,
  type Losses,
  type SourceAsset,
  type SourceVersion,
  type TableColumns,
  type TableEntry,
} from './export-source.js';
import { booleanOf, cellValue, isWeb, textOf } from './table-columns.js';

export const EDIT = 'Correct the row, and import again.';

export type LocalizedColumns = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface RowContext {
  readonly line: number;
  readonly id: string;
  readonly cells: ReadonlyMap<string, unknown>;
  readonly columns: TableColumns;
  readonly fields: ReadonlyMap<string, ColumnMapping>;
  /** Columns by locale, of fields that have one for each. */
  readonly localized: LocalizedColumns;
  readonly type: string;
  readonly folder: string;
  readonly losses: Losses;
}

/** Reads one row. */
export class RowReader {
  readonly #assets = new Map<string, SourceAsset>();
  readonly #where: string;

  constructor(private readonly row: RowContext) {
    this.#where = `line ${String(row.line)}`;
  }

  async read(): Promise<TableEntry> {
    const { line, id, columns, fields, localized, type } = this.row;
    const codes = [...new Set([...localized.values()].flatMap((byLocale) => [...byLocale.keys()]))];
    const versions: SourceVersion[] = [];
    const slug = this.#slug();
    for (const locale of ['', ...codes]) {
      const values = new Map<string, unknown>();
      for (const [field, mapping] of fields) {
        const column = locale === '' ? field : localized.get(field)?.get(locale);
        const value = column === undefined ? undefined : await this.#cell(column, mapping);
        if (value !== undefined) values.set(field, value);
      }
      if (locale === '' || values.size > 0) versions.push({ locale, slug, fields: values });
    }
    const published =
      typeof columns.published === 'string'
        ? booleanOf(this.row.cells.get(columns.published))
        : columns.published;
    const facts = Object.fromEntries(
      (['createdAt', 'updatedAt', 'publishedAt'] as const).map((name) => [name, this.#fact(columns[name])]),
    );
    return {
      line,
      entry: {
        type,
        id,
        where: this.#where,
        isPublished: published === true,
        facts,
        author: this.#text(columns.author),
        versions: mergedVersions(versions, localized),
      },
      assets: [...this.#assets.values()],
    };
  }

  #lose(column: string, [what, why]: readonly [string, string]): undefined {
    this.row.losses.add('entry', `${this.#where} / ${column}`, [what, why, EDIT]);
  }

  #text(column: string | null): string | undefined {
    const value = this.row.cells.get(column ?? '');
    return value === undefined || value === null || value === '' ? undefined : textOf(value).trim();
  }

  #fact(column: string | null): string | undefined {
    const text = this.#text(column);
    if (text === undefined) return undefined;
    const time = cellValue(text, 'dateTime');
    return typeof time === 'string'
      ? time
      : this.#lose(column ?? '', ['the time', 'It is not a date or time.']);
  }

  #slug(): string | undefined {
    const text = this.#text(this.row.columns.slug);
    const slug = EntrySlug.safeParse(text).data;
    if (text !== undefined && slug === undefined)
      this.#lose(this.row.columns.slug ?? '', ['the slug', 'It is not allowed.']);
    return slug;
  }

  async #cell(column: string, mapping: ColumnMapping): Promise<unknown> {
    const value = this.row.cells.get(column);
    if (value === undefined || value === null || value === '') return undefined;
    const { separator } = mapping;
    if (separator === undefined) return this.#one(column, Array.isArray(value) ? value[0] : value, mapping);
    const parts: unknown[] = Array.isArray(value) ? value : textOf(value).split(separator);
    if (parts.length > limits.itemsPerField)
      this.#lose(column, ['the end of the list', `It has more than ${String(limits.itemsPerField)} values.`]);
    const items: unknown[] = [];
    for (const part of parts.slice(0, limits.itemsPerField)) {
      const item = textOf(part).trim() === '' ? undefined : await this.#one(column, part, mapping);
      if (item !== undefined) items.push(item);
    }
    return items.length === 0 ? undefined : items;
  }

  async #one(column: string, value: unknown, { kind, to }: ColumnMapping): Promise<unknown> {
    const read = cellValue(value, kind);
    if (read === undefined) {
      const text = textOf(value).slice(0, 200);
      return this.#lose(column, [`the value ${text}`, `It cannot be read as ${kind}.`]);
    }
    if (kind === 'reference') return new EntryLink(to ?? this.row.type, textOf(read));
    if (kind !== 'media') return read;
    const address = textOf(read);
    const file = await findFile(this.row.folder, address);
    if (file === undefined && !isWeb(address))
      return this.#lose(column, [`the file ${address.slice(0, 200)}`, 'It is not beside the table.']);
    this.#assets.set(address, {
      id: address,
      where: `${this.#where} / ${column}`,
      address,
      file,
      url: file === undefined ? address : undefined,
      fileName: path.posix.basename(address).slice(0, limits.mediaFileNameLength) || 'file',
      isPrivate: false,
      tags: [],
      texts: new Map(),
    });
    return new AssetLink(address);
  }
}

/** Leaves out a version of the default locale that has only shared values, if another has the localized ones. */
function mergedVersions(versions: SourceVersion[], localized: LocalizedColumns): SourceVersion[] {
  const [first, second, ...others] = versions;
  if (first === undefined || second === undefined) return versions;
  if ([...first.fields.keys()].some((field) => localized.has(field))) return versions;
  return [{ ...second, fields: new Map([...first.fields, ...second.fields]) }, ...others];
}

import path from 'node:path';
import { fieldKindOptions } from '../../../../contracts/content/fields/field-kinds.js';
import { limits } from '../../../../contracts/limits.js';
import { ApiName, ExternalId } from '../../../../contracts/primitives.js';
import {
  ApiNames,
  Losses,
  type ColumnMapping,
  type ExportSource,
  type SourceField,
  type SourceTable,
  type TableColumns,
  type TableEntry,
} from './export-source.js';
import { ColumnTally, IdFilter, localizedColumn } from './table-columns.js';
import { readCsv, readJsonLines, type TableRow } from './table-file.js';
import { EDIT, RowReader, type LocalizedColumns } from './table-row.js';

const factNames: Readonly<Record<Exclude<keyof TableColumns, 'published'>, readonly string[]>> = {
  id: ['externalid', 'id', 'uuid', 'sku', 'key', 'slug'],
  slug: ['slug'],
  createdAt: ['createdat', 'created'],
  updatedAt: ['updatedat', 'updated', 'modified'],
  publishedAt: ['publishedat'],
  author: ['author', 'createdby'],
};

/** Facts by the names of columns. */
function factsOf(names: readonly string[]): TableColumns {
  const plain = new Map(
    names.map((name) => [name.toLowerCase().replaceAll(/[^a-z]/g, ''), name]).reverse() as [string, string][],
  );
  const find = (wanted: readonly string[]): string | null =>
    wanted.flatMap((one) => plain.get(one) ?? [])[0] ?? null;
  const published = find(['published', 'ispublished', 'status']) ?? true;
  const facts = Object.fromEntries(Object.entries(factNames).map(([key, wanted]) => [key, find(wanted)]));
  return { ...(facts as unknown as TableColumns), published };
}

/** Without columns whose values are of another kind. */
function typedFacts(facts: TableColumns, tallies: ReadonlyMap<string, ColumnTally>): TableColumns {
  const isOf = (column: string | boolean | null, kinds: readonly string[]): boolean =>
    typeof column === 'string' && kinds.includes(tallies.get(column)?.guess(() => false, '').kind ?? '');
  const time = (column: string | null): string | null => (isOf(column, ['date', 'dateTime']) ? column : null);
  return {
    ...facts,
    published: isOf(facts.published, ['boolean']) ? facts.published : true,
    createdAt: time(facts.createdAt),
    updatedAt: time(facts.updatedAt),
    publishedAt: time(facts.publishedAt),
  };
}

type Rows = () => AsyncIterable<TableRow>;

/** What a first reading finds. */
interface Survey {
  readonly rows: number;
  readonly tallies: ReadonlyMap<string, ColumnTally>;
  /** Of fields with a column for each locale. */
  readonly localized: LocalizedColumns;
  readonly ids: IdFilter;
  /** Ids that more rows than one seem to have. */
  readonly doubled: ReadonlySet<string>;
  readonly facts: TableColumns;
}

const idOf = (cells: ReadonlyMap<string, unknown>, column: string | null): string | undefined => {
  const value = cells.get(column ?? '');
  return ExternalId.safeParse(typeof value === 'number' ? String(value) : value).data;
};

async function survey(rows: Rows): Promise<Survey> {
  const [tallies, ids, doubled] = [new Map<string, ColumnTally>(), new IdFilter(), new Set<string>()];
  const columns = new Set<string>();
  let count = 0;
  let facts = factsOf([]);
  for await (const { cells, problem } of rows()) {
    count += 1;
    if (problem !== undefined) continue;
    const known = columns.size;
    for (const name of cells.keys()) columns.add(name);
    if (columns.size > limits.fieldsPerContentType * 10)
      throw new Error('The rows have too many different columns.');
    if (columns.size > known) facts = factsOf([...columns]);
    for (const [name, value] of cells) {
      const field = localizedColumn(name)?.[0] ?? name;
      const tally = tallies.get(field) ?? new ColumnTally(field);
      tallies.set(field, tally);
      tally.add(value);
    }
    const id = idOf(cells, facts.id);
    if (id !== undefined && ids.add(id)) doubled.add(id);
  }
  const localized = new Map<string, Map<string, string>>();
  for (const name of columns) {
    const [field, locale] = localizedColumn(name) ?? [];
    if (field === undefined || locale === undefined) continue;
    const own = localized.get(field) ?? new Map<string, string>();
    localized.set(field, own.set(locale, name));
  }
  return { rows: count, tallies, localized, ids, doubled, facts: typedFacts(facts, tallies) };
}

/** A table as it is read with a mapping. */
class TableReader implements SourceTable {
  readonly rows: number;
  readonly columns: TableColumns;
  readonly #names = new Map<string, string>();

  constructor(
    private readonly found: Survey,
    private readonly given: {
      readonly read: Rows;
      readonly type: string;
      readonly folder: string;
      readonly losses: Losses;
    },
  ) {
    this.rows = found.rows;
    this.columns = found.facts;
    const names = new ApiNames('field');
    for (const field of this.fields) this.#names.set(field, names.nameFor(field));
  }

  /** Columns that are no facts. More than a type has are lost. */
  get fields(): string[] {
    const facts = new Set<unknown>(Object.values(this.columns));
    return [...this.found.tallies.keys()]
      .filter((name) => !facts.has(name))
      .slice(0, limits.fieldsPerContentType);
  }

  mappingOf(field: string): ColumnMapping {
    const guessed = this.found.tallies.get(field)?.guess((text) => this.found.ids.has(text), this.given.type);
    return { apiName: this.#names.get(field) ?? field, kind: 'text', required: false, ...guessed };
  }

  fieldOf(field: string, { apiName, kind, required, separator, to }: ColumnMapping): SourceField {
    if (kind === 'blocks' || kind === 'location')
      throw new Error(`The column ${field} cannot be read as ${kind}.`);
    const options = this.found.tallies.get(field)?.options?.flatMap((text) => {
      const parts = separator === undefined ? [text] : text.split(separator);
      return parts.map((part) => part.trim()).filter((part) => part !== '');
    });
    if (kind === 'select' && (options === undefined || options.length === 0))
      throw new Error(`The column ${field} has no values, or too many different ones, for a select.`);
    const settings =
      kind === 'select'
        ? { options: [...new Set(options)].map((value) => ({ value })) }
        : kind === 'reference'
          ? { contentTypes: [to ?? this.given.type] }
          : undefined;
    const isLocalized = this.found.localized.has(field);
    const own = {
      id: field,
      apiName,
      type: kind,
      required,
      localized: isLocalized,
      isList: separator !== undefined,
    };
    if (settings === undefined) return own;
    const { data, error } = fieldKindOptions[kind].settings.safeParse(settings);
    if (error !== undefined) throw new Error(`The column ${field}: ${error.issues[0]?.message ?? ''}`);
    return { ...own, settings: data };
  }

  async *read(fields: ReadonlyMap<string, ColumnMapping>, columns: TableColumns): AsyncGenerator<TableEntry> {
    const seen = new Set<string>();
    for await (const { line, cells, problem, missing } of this.given.read()) {
      const id = idOf(cells, columns.id);
      const isTwice = id !== undefined && seen.has(id);
      if (id !== undefined && (this.found.doubled.has(id) || columns.id !== this.columns.id)) seen.add(id);
      const why =
        problem ??
        (isTwice
          ? `An earlier row has the id ${id}.`
          : id === undefined
            ? 'It has no usable external id.'
            : undefined);
      if (missing !== undefined)
        this.given.losses.add('entry', `line ${String(line)}`, [
          `the cells ${missing.join(', ').slice(0, 200)}`,
          'The row is incomplete: it has fewer cells than the first row.',
          EDIT,
        ]);
      if (why !== undefined) this.given.losses.add('entry', `line ${String(line)}`, ['the row', why, EDIT]);
      if (why !== undefined || id === undefined) yield { line, entry: undefined, assets: [] };
      else
        yield await new RowReader({
          line,
          id,
          cells,
          columns,
          fields,
          localized: this.found.localized,
          ...this.given,
        }).read();
    }
  }
}

async function readTable(read: Rows, file: string, type: string | undefined): Promise<ExportSource> {
  if (!ApiName.safeParse(type).success) throw new Error('Name the content type of the rows with --type.');
  const losses = new Losses();
  const found = await survey(read);
  const own = type ?? '';
  const table = new TableReader(found, { read, type: own, folder: path.dirname(file), losses });
  for (const name of [...found.tallies.keys()].filter((one) => !table.fields.includes(one)))
    if (!Object.values(found.facts).includes(name))
      losses.add('field', name, [
        'the column',
        `A type has at most ${String(limits.fieldsPerContentType)} fields.`,
        'Import it as another type.',
      ]);
  const fields = table.fields.map((field) => table.fieldOf(field, table.mappingOf(field)));
  const codes = new Set([...found.localized.values()].flatMap((byLocale) => [...byLocale.keys()]));
  const title =
    fields.find(({ id }) => /^(?:title|name|label)$/i.test(id)) ??
    fields.find(({ type: kind }) => kind === 'text');
  return {
    system: 'table',
    locales: [...codes].map((code) => ({ code, name: code, fallback: null })),
    types: [
      {
        id: own,
        apiName: own,
        name: own,
        description: '',
        displayField: title?.id ?? null,
        isPage: false,
        isLocalized: codes.size > 0,
        fields,
      },
    ],
    assets: [],
    entries: [],
    authors: new Map(),
    losses,
    table,
  };
}

/** @throws Error in one line for people */
export const readCsvTable = (file: string, type: string | undefined): Promise<ExportSource> =>
  readTable(() => readCsv(file), file, type);

/** @throws Error in one line for people */
export const readJsonTable = (file: string, type: string | undefined): Promise<ExportSource> =>
  readTable(() => readJsonLines(file), file, type);

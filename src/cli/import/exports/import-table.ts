import type { Progress } from '../../progress.js';
import { AssetImport } from './import-assets.js';
import { EntryImport, type ImportContext } from './import-entries.js';
import type { SourceAsset, SourceEntry, SourceTable, TableEntry } from './export-source.js';
import type { ImportPlan } from './import-plan.js';

/** Rows that are read and written together. */
const ROWS = 100;

/** Ids of assets that are remembered, so that one that many rows name is looked up once. */
const ASSETS = 5000;

const noProgress: Progress = { start: () => undefined, advance: () => undefined, stop: () => undefined };

/** Rows in parts of equal length, numbered from 0. */
async function* partsOf(
  rows: AsyncIterable<TableEntry>,
): AsyncGenerator<readonly [number, readonly TableEntry[]]> {
  let part: TableEntry[] = [];
  let index = 0;
  for await (const row of rows) {
    part.push(row);
    if (part.length < ROWS) continue;
    yield [index, part];
    index += 1;
    part = [];
  }
  if (part.length > 0) yield [index, part];
}

const entriesOf = (rows: readonly TableEntry[]): SourceEntry[] => rows.flatMap(({ entry }) => entry ?? []);

/** Writes the rows of a table part by part: its size does not matter. */
export class TableImport {
  readonly #ids = new Map<string, string>();
  /** Lines with links to rows that come later. */
  readonly #later = new Set<number>();
  readonly #entries: EntryImport;

  /** @param saveLosses called after every part */
  constructor(
    private readonly context: Omit<ImportContext, 'assets'>,
    private readonly table: SourceTable,
    private readonly saveLosses: () => Promise<void>,
  ) {
    this.#entries = new EntryImport({ ...context, assets: this.#ids });
  }

  get failed(): number {
    return this.#entries.failed;
  }

  #rows(): AsyncIterable<TableEntry> {
    const { columns = this.table.columns, cells } = this.context.plan;
    return this.table.read(cells, columns);
  }

  async preview(): Promise<void> {
    for await (const [, rows] of partsOf(this.#rows())) {
      if (this.#ids.size > ASSETS) this.#ids.clear();
      for (const { id } of rows.flatMap(({ assets }) => assets)) {
        if (!this.#ids.has(id)) this.context.report.count('asset', 'made');
        this.#ids.set(id, id);
      }
      await this.#entries.previewPart(entriesOf(rows));
      await this.saveLosses();
    }
  }

  async write(progress: Progress): Promise<void> {
    const { state } = this.context;
    progress.start(this.table.rows);
    try {
      for await (const [index, rows] of partsOf(this.#rows())) {
        const key = `rows ${String(index)}`;
        if (state.has(key)) this.#dropLosses(() => true);
        else {
          const later = await this.#writeRows(rows, false);
          this.#dropLosses((line) => later.includes(line));
          await state.add([...later.map((line) => `later ${String(line)}`), key]);
          await this.saveLosses();
        }
        for (const { line } of rows) if (state.has(`later ${String(line)}`)) this.#later.add(line);
        progress.advance(rows.length);
      }
    } finally {
      progress.stop();
    }
    if (this.#later.size > 0) await this.#writeLater();
  }

  /** Reads the table again for rows whose links can be written now. */
  async #writeLater(): Promise<void> {
    const { state } = this.context;
    for await (const [index, rows] of partsOf(this.#rows())) {
      const key = `links ${String(index)}`;
      this.#dropLosses((line) => state.has(key) || !this.#later.has(line));
      const open = rows.filter(({ line }) => this.#later.has(line));
      if (open.length === 0 || state.has(key)) continue;
      await this.#writeRows(open, true);
      await state.add([key]);
      await this.saveLosses();
    }
  }

  /** Of lines that have been reported, or that will be. */
  #dropLosses(isDropped: (line: number) => boolean): void {
    this.context.report.losses.drop((where) => {
      const line = /^line (\d+)/.exec(where)?.[1];
      return line !== undefined && isDropped(Number(line));
    });
  }

  /** @returns lines with links to entries that do not exist yet */
  async #writeRows(rows: readonly TableEntry[], isLast: boolean): Promise<number[]> {
    await this.#store(rows.flatMap(({ assets }) => assets));
    const later = new Set(await this.#entries.writePart(entriesOf(rows), isLast));
    return rows.flatMap(({ line, entry }) => (entry !== undefined && later.has(entry) ? [line] : []));
  }

  async #store(named: readonly SourceAsset[]): Promise<void> {
    const { target, plan, report } = this.context;
    if (this.#ids.size > ASSETS) this.#ids.clear();
    const assets = [...new Map(named.map((asset) => [asset.id, asset])).values()].filter(
      ({ id }) => !this.#ids.has(id),
    );
    if (assets.length === 0) return;
    const part: ImportPlan = { ...plan, source: { ...plan.source, assets } };
    const stored = new AssetImport(target, part, report);
    await stored.store(noProgress);
    for (const [id, own] of stored.ids) this.#ids.set(id, own);
  }
}

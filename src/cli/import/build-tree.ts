import type { OperationsClient } from '../client/operations-client.js';
import type { ImportRun } from './import-run.js';
import { batchesOf } from './page-batches.js';
import { parsePageLine, type PageLine, type LineReader } from './read-lines.js';
import type { PagePlacer } from './page-placer.js';
import type { PageWriter } from './page-writer.js';
import { isFailed, sendItems } from './send-items.js';
import type { StoredPage } from './stored-pages.js';
import type { ListedLine } from './survey.js';

/** What the steps of an import share. */
export interface ImportPhase {
  readonly run: ImportRun;
  readonly client: OperationsClient;
  readonly projectSlug: string;
  readonly reader: LineReader;
  /** By key. */
  readonly stored: ReadonlyMap<string, StoredPage>;
  /** Keys by depth in the tree, siblings in order. */
  readonly levels: readonly (readonly string[])[];
  readonly writer: PageWriter;
  readonly placer: PagePlacer;
  readonly batchSize: number;
  /** @throws LineProblem for a locale that the site does not have */
  assertLocale(line: PageLine): void;
}

/** Prepares a change for each line; lines that fail are reported and left out. */
export function prepareLines<T extends object>(
  { run, reader }: Pick<ImportPhase, 'run' | 'reader'>,
  lines: readonly ListedLine[],
  prepare: (line: PageLine) => T,
): (T & { readonly number: number })[] {
  const prepared: (T & { readonly number: number })[] = [];
  for (const { number, ...place } of lines) {
    if (run.problems.has(number)) continue;
    try {
      prepared.push({ ...prepare(parsePageLine(reader.read(place))), number });
    } catch (error) {
      run.fail(number, error);
    }
  }
  return prepared;
}

async function createPages(phase: ImportPhase, lines: readonly ListedLine[]): Promise<void> {
  const { run, writer, placer, assertLocale } = phase;
  const changes = prepareLines(phase, lines, (line) => {
    assertLocale(line);
    return writer.creation(line, placer.parentNodeOf(line.key));
  });
  const jobs = changes.flatMap(({ item, ...change }) => (item === undefined ? [] : [{ ...change, item }]));
  for (const { job, outcome } of await sendItems(phase, jobs))
    if (isFailed(outcome)) run.fail(job.number, outcome);
    else writer.created(job, outcome);
}

/**
 * Creates missing pages and moves the others, level by level because a parent node must exist first. Links are
 * written later, once every page exists, because pages link to each other in both directions.
 */
export async function buildTree(phase: ImportPhase): Promise<void> {
  const { run, stored, levels, placer, batchSize } = phase;
  const { pages, lines } = run.survey;
  const byNumber = new Map(lines.map((line) => [line.number, line]));
  for (const level of levels) {
    for (const key of level)
      await placer.placeBelowParent(key).catch((error: unknown) => {
        run.failPage(key, error);
      });
    const missing = level.filter((key) => !stored.has(key));
    const leading = missing.flatMap((key) => byNumber.get(pages.get(key)?.leadingLine ?? 0) ?? []);
    for (const batch of batchesOf(leading, batchSize)) await createPages(phase, batch);
  }
  await placer.order((key, error) => {
    run.failPage(key, error);
  });
  run.moved = placer.moved.size;
}

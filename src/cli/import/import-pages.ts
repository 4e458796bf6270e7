import { limits } from '../../../contracts/limits.js';
import type { OperationsClient } from '../client/operations-client.js';
import type { Progress } from '../progress.js';
import { ensureProject, type Destination } from './ensure-project.js';
import { ImportRun, type ImportReport } from './import-run.js';
import { levelsOf, PagePlacer } from './page-placer.js';
import { LineProblem, type PageLine, LineReader, parsePageLine } from './read-lines.js';
import { PageWriter, type PageChange } from './page-writer.js';
import { PictureLibrary, KeyedPool } from './picture-library.js';
import { listStoredPages, type StoredPage } from './stored-pages.js';
import { surveyFile, type ListedLine, type Survey } from './survey.js';
import { isFailed, sendItems, type BatchItemInput, type Sent } from './send-items.js';

/** Pages of one level whose lines are written one locale after the other. */
export interface PageGroup {
  /** Lines that are written together: of one locale, each of another page. */
  readonly batches: readonly (readonly ListedLine[])[];
}

/** Bytes of the lines that are written together, because their documents are in memory together. */
const BATCH_BYTES = 1_048_576;
/** Fewer lines are not divided. */
const SMALL = 20;

/** In their order; at most `size` lines and {@link BATCH_BYTES}, but at least one line. */
export function batchesOf(lines: readonly ListedLine[], size: number): ListedLine[][] {
  const batches: ListedLine[][] = [];
  let bytes = 0;
  for (const line of lines) {
    const last = batches.at(-1);
    bytes += line.length;
    if (last === undefined || last.length >= size || bytes > BATCH_BYTES) {
      batches.push([line]);
      bytes = line.length;
    } else last.push(line);
  }
  return batches;
}

function* inChunks<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/** Pages with others below them, and those without. */
function byRole(
  keys: readonly string[],
  parents: ReadonlySet<string | null>,
): readonly (readonly string[])[] {
  const { above = [], leaf = [] } = Object.groupBy(keys, (key) => (parents.has(key) ? 'above' : 'leaf'));
  return [above, leaf];
}

/**
 * Groups by level, each with at most `size` pages. Groups of a level do not depend on each other; there are several, so
 * that one is converted while another is stored. Pages with others below them are kept apart: a batch that changes their
 * paths has the tree for itself, and those of the other pages do not wait for each other.
 */
export function groupPages(
  { lines, locales, pages }: Pick<Survey, 'lines' | 'locales' | 'pages'>,
  levels: readonly (readonly string[])[],
  size: number,
): PageGroup[][] {
  const byLocale = new Map(
    [...Map.groupBy(lines, ({ locale }) => locale)].map(([locale, own]) => [
      locale,
      new Map(own.map((line) => [line.key, line])),
    ]),
  );
  const parents = new Set([...pages.values()].map(({ parent }) => parent));
  const chunksOf = (keys: readonly string[]): (readonly string[])[] => {
    const count = keys.length <= SMALL ? keys.length : Math.min(size, Math.ceil(keys.length / 2));
    return [...inChunks(keys, Math.max(count, 1))];
  };
  return levels.map((level) =>
    byRole(level, parents)
      .flatMap(chunksOf)
      .map((chunk) => ({
        batches: locales.flatMap((locale) => {
          const own = byLocale.get(locale);
          return batchesOf(
            chunk.flatMap((key) => own?.get(key) ?? []),
            size,
          );
        }),
      })),
  );
}

/** What the steps of an import share. */
interface ImportPhase {
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
function prepareLines<T extends object>(
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
async function buildTree(phase: ImportPhase): Promise<void> {
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

interface Job extends PageChange {
  readonly number: number;
  readonly item: BatchItemInput;
}

const isPublication = ({ item }: Job): boolean =>
  item.action === 'publish' || (item.action === 'update' && item.publish === true);

function noteSent({ run, writer }: ImportPhase, { job, outcome }: Sent<Job>): void {
  if (isFailed(outcome)) {
    run.fail(job.number, outcome);
    if (job.item.action === 'publish') run.note(job);
    return;
  }
  writer.changed(job, outcome);
  run.note(job);
  if (isPublication(job)) run.versions.published += 1;
}

/** An item that cannot be published changes nothing. Its draft is kept, and the failure of the publication reported. */
async function keepDrafts(phase: ImportPhase, failed: readonly Sent<Job>[]): Promise<void> {
  const drafts = failed.flatMap(({ job, outcome: failure }) =>
    job.item.action === 'update' ? [{ ...job, item: { ...job.item, publish: false }, failure }] : [],
  );
  for (const { job, outcome } of await sendItems(phase, drafts)) {
    noteSent(phase, { job, outcome });
    if (!isFailed(outcome)) phase.run.fail(job.number, job.failure);
  }
}

async function writeBatch(phase: ImportPhase, lines: readonly ListedLine[]): Promise<void> {
  const { run, writer, assertLocale } = phase;
  const changes = prepareLines(phase, lines, (line) => {
    assertLocale(line);
    return writer.change(line);
  });
  const jobs: Job[] = [];
  for (const { item, ...change } of changes)
    if (item === undefined) run.note(change);
    else jobs.push({ ...change, item });
  const sent = await sendItems(phase, jobs);
  const isDraftLost = ({ job, outcome }: Sent<Job>): boolean =>
    isFailed(outcome) && job.item.action === 'update' && isPublication(job);
  for (const one of sent.filter((some) => !isDraftLost(some))) noteSent(phase, one);
  await keepDrafts(phase, sent.filter(isDraftLost));
}

/**
 * Writes and publishes every line. Parents are published before their children, so that no page appears under a path that
 * its parent's slug is about to change.
 */
async function writeLines(
  phase: ImportPhase,
  { concurrency, progress }: { readonly concurrency: number; readonly progress: Progress },
): Promise<void> {
  const { run, levels, batchSize } = phase;
  for (const groups of groupPages(run.survey, levels, batchSize)) {
    const pool = new KeyedPool(concurrency);
    for (const [index, { batches }] of groups.entries())
      for (const batch of batches)
        await pool.add(String(index), async () => {
          const lines = batch.filter(({ number }) => !run.problems.has(number));
          await writeBatch(phase, lines);
          progress.advance(lines.length);
        });
    await pool.drain();
  }
}

export interface ImportOptions {
  readonly client: OperationsClient;
  readonly file: string;
  readonly destination: Destination;
  readonly isPublishing: boolean;
  /** Batches, or pictures, written concurrently. */
  readonly concurrency: number;
  readonly progress: Progress;
}

async function importInto(run: ImportRun, options: ImportOptions, reader: LineReader): Promise<ImportReport> {
  const { client, destination, isPublishing, progress } = options;
  const { survey } = run;
  const { siteId, ...place } = await ensureProject(client, destination, survey);
  const { project: projectSlug, site: siteSlug } = destination;
  const locales = survey.locales.filter((locale) => place.locales.includes(locale));
  const stored = await listStoredPages(client, projectSlug, { siteId, locales });
  const { levels, cyclic } = levelsOf(survey.pages);
  for (const { key, number } of survey.lines)
    if (cyclic.has(key)) run.fail(number, new LineProblem('its parents form a cycle'));
  const library = new PictureLibrary({ ...options, projectSlug, locales });
  await library.store(survey.pictures);
  run.pictures = library.report;
  const pictures = place.hasPictures ? library.ids : undefined;
  const shared = { client, projectSlug, siteId, siteSlug, stored, facts: survey.pages, pictures };
  const assertLocale = ({ locale }: PageLine): void => {
    if (locales.includes(locale)) return;
    throw new LineProblem(
      `is in ${locale}, which the site ${siteSlug} does not have. Add the locale to the tenant and the site first`,
    );
  };
  const parts = { writer: new PageWriter({ ...shared, isPublishing }), placer: new PagePlacer(shared) };
  const phase = { run, reader, levels, assertLocale, batchSize: limits.batchItems, ...parts, ...shared };
  await buildTree(phase);
  progress.start(survey.lines.length - (run.problems.size - survey.problems.size));
  try {
    await writeLines(phase, options);
  } finally {
    progress.stop();
  }
  return run.report(place.created);
}

/**
 * Imports a corpus of pages as a tree, with their pictures. Only differences are written, so a second run changes nothing. An invalid
 * line is reported and the others continue.
 * @throws Error in one line when the file cannot be read or the destination does not fit
 */
export async function importPages(options: ImportOptions): Promise<ImportReport> {
  const run = new ImportRun(await surveyFile(options.file));
  if (run.survey.lines.length === 0) return run.report([]);
  const reader = LineReader.open(options.file);
  try {
    return await importInto(run, options, reader);
  } finally {
    reader.close();
  }
}

import { limits } from '../../../contracts/limits.js';
import type { OperationsClient } from '../client/operations-client.js';
import type { Progress } from '../progress.js';
import { buildTree, prepareLines, type ImportPhase } from './build-tree.js';
import { ensureProject, type Destination } from './ensure-project.js';
import { ImportRun, type ImportReport } from './import-run.js';
import { levelsOf, PagePlacer } from './page-placer.js';
import { LineProblem, type PageLine, LineReader } from './read-lines.js';
import { PageWriter, type PageChange } from './page-writer.js';
import { PictureLibrary } from './picture-library.js';
import { listStoredPages } from './stored-pages.js';
import { surveyFile, type ListedLine } from './survey.js';
import { KeyedPool } from './keyed-pool.js';
import { groupPages } from './page-batches.js';
import { isFailed, sendItems, type BatchItemInput, type Sent } from './send-items.js';

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

import { limits } from '../../../contracts/limits.js';
import type { OperationsClient } from '../client/operations-client.js';
import type { Progress } from '../progress.js';
import { buildTree } from './build-tree.js';
import { ensureProject, type Destination } from './ensure-project.js';
import { ImportRun, type ImportReport } from './import-run.js';
import { levelsOf, PagePlacer } from './page-placer.js';
import { LineProblem, type PageLine, LineReader } from './read-lines.js';
import { PageWriter } from './page-writer.js';
import { PictureLibrary } from './picture-library.js';
import { listStoredPages } from './stored-pages.js';
import { surveyFile } from './survey.js';
import { writeLines } from './write-lines.js';

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

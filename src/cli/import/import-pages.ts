import type { OperationsClient } from '../client/operations-client.js';
import { ensureProject, type Destination } from './ensure-project.js';
import { HtmlTally } from '../../content/rich-text/html/html-tally.js';
import { KeyedPool } from './keyed-pool.js';
import { LineProblem, parsePageLine, type PageLine } from './page-line.js';
import { levelsOf } from './page-levels.js';
import { PagePlacer } from './page-placer.js';
import { PictureLibrary, type PictureReport } from './picture-library.js';
import { publishPages, type PublisherOptions, type WrittenLine } from './page-publisher.js';
import { PageWriter, reasonOf, type WriteResult } from './page-writer.js';
import type { Progress } from '../progress.js';
import { readLines } from './read-lines.js';
import { listStoredPages, type StoredPage } from './stored-pages.js';
import { surveyFile, type Survey } from './survey.js';

export interface ImportOptions {
  readonly client: OperationsClient;
  readonly file: string;
  readonly destination: Destination;
  readonly isPublishing: boolean;
  /** Pages, or pictures, written concurrently. */
  readonly concurrency: number;
  readonly progress: Progress;
}

export interface ImportReport {
  readonly pages: number;
  /** Locale versions by outcome. */
  readonly versions: Readonly<Record<WriteResult['outcome'] | 'published', number>>;
  /** Pages that were elsewhere in the tree, or outside it. */
  readonly moved: number;
  readonly pictures: PictureReport;
  readonly tally: HtmlTally;
  /** Links in page bodies to anchors without a page, and the number of these anchors. */
  readonly linksWithoutPage: { readonly links: number; readonly anchors: number };
  /** Reasons by line number. */
  readonly problems: ReadonlyMap<number, string>;
  readonly created: readonly string[];
  /** Lines whose position or parent differs from the page's leading line, which is used. */
  readonly deviatingLines: number;
}

interface Visit {
  isWanted(number: number): boolean;
  /** Lines of the same queue keep their order; queues run concurrently. */
  queueOf(line: PageLine): string;
}

class Import {
  readonly problems: Map<number, string>;
  readonly tally = new HtmlTally();
  readonly versions = { created: 0, updated: 0, unchanged: 0, published: 0 };
  moved = 0;
  pictures: PictureReport = { uploaded: 0, known: 0, texts: 0, problems: new Map() };

  constructor(
    private readonly options: ImportOptions,
    readonly survey: Survey,
  ) {
    this.problems = new Map(survey.problems);
  }

  /** Reads the file again and processes valid lines concurrently. */
  async forEachLine(visit: Visit, work: (line: PageLine, number: number) => Promise<void>): Promise<void> {
    const pool = new KeyedPool(this.options.concurrency);
    for await (const { number, text } of readLines(this.options.file)) {
      if (this.problems.has(number) || !visit.isWanted(number)) continue;
      const attempt = async (task: () => Promise<void>): Promise<void> => {
        try {
          await task();
        } catch (error) {
          this.fail(number, error);
        }
      };
      await attempt(async () => {
        const line = parsePageLine(text);
        await pool.add(visit.queueOf(line), () => attempt(() => work(line, number)));
      });
    }
    await pool.drain();
  }

  fail(number: number, error: unknown): void {
    this.problems.set(number, reasonOf(error));
  }

  /** Reports the failure of a page on its leading line. */
  failPage(key: string, error: unknown): void {
    const { leadingLine = 0 } = this.survey.pages.get(key) ?? {};
    this.fail(leadingLine, error);
  }

  note({ outcome, tally }: WriteResult): void {
    this.versions[outcome] += 1;
    this.tally.merge(tally);
  }

  report(created: readonly string[]): ImportReport {
    const { pages, deviatingLines } = this.survey;
    const lost = [...this.tally.fragments].filter(([anchor]) => !pages.has(anchor));
    const linksWithoutPage = { links: lost.reduce((sum, [, links]) => sum + links, 0), anchors: lost.length };
    const { versions, tally, problems, moved, pictures } = this;
    const found = { tally, linksWithoutPage, problems, created, deviatingLines };
    return { pages: pages.size, versions, moved, pictures, ...found };
  }
}

interface Phase {
  readonly run: Import;
  readonly options: ImportOptions;
  readonly stored: Map<string, StoredPage>;
  readonly levels: readonly (readonly string[])[];
  readonly writer: PageWriter;
  readonly placer: PagePlacer;
  /** @throws LineProblem for a locale that the site does not have */
  assertLocale(line: PageLine): void;
}

/**
 * Creates missing pages and moves the others, level by level because a parent node must exist first. Links are
 * written later, once every page exists, because pages link to each other in both directions.
 */
async function buildTree({ run, stored, levels, writer, placer, assertLocale }: Phase): Promise<void> {
  const { pages } = run.survey;
  for (const level of levels) {
    for (const key of level)
      await placer.placeBelowParent(key).catch((error: unknown) => {
        run.failPage(key, error);
      });
    const missing = level.filter((key) => !stored.has(key));
    if (missing.length === 0) continue;
    const leading = new Set(missing.map((key) => pages.get(key)?.leadingLine));
    const visit: Visit = {
      isWanted: (number) => leading.has(number),
      queueOf: ({ key }) => pages.get(key)?.parent ?? '',
    };
    await run.forEachLine(visit, async (line) => {
      assertLocale(line);
      await writer.create(line, placer.parentNodeOf(line.key));
    });
  }
  await placer.order((key, error) => {
    run.failPage(key, error);
  });
  run.moved = placer.moved.size;
}

/** Writes the draft of every line. */
async function writeLines({ run, options, writer, assertLocale }: Phase): Promise<WrittenLine[]> {
  const written: WrittenLine[] = [];
  const everyLine: Visit = { isWanted: () => true, queueOf: ({ key }) => key };
  await run.forEachLine(everyLine, async (line, number) => {
    try {
      assertLocale(line);
      run.note(await writer.write(line));
      written.push({ number, key: line.key, locale: line.locale });
    } finally {
      options.progress.advance();
    }
  });
  return written;
}

async function publishLines(phase: Phase & PublisherOptions, written: readonly WrittenLine[]): Promise<void> {
  const { run, options } = phase;
  await publishPages(phase, written, {
    done: (_line, isPublished) => {
      if (isPublished) run.versions.published += 1;
      options.progress.advance();
    },
    failed: ({ number }, error) => {
      run.fail(number, error);
      options.progress.advance();
    },
  });
}

/**
 * Imports a corpus of pages as a tree, with their pictures. Only differences are written, so a second run changes nothing. An invalid
 * line is reported and the others continue.
 * @throws Error in one line when the file cannot be read or the destination does not fit
 */
export async function importPages(options: ImportOptions): Promise<ImportReport> {
  const { client, file, destination, isPublishing, progress } = options;
  const survey = await surveyFile(file);
  const run = new Import(options, survey);
  if (survey.goodLines === 0) return run.report([]);
  const { siteId, ...place } = await ensureProject(client, destination, survey);
  const { project: projectSlug, site: siteSlug } = destination;
  const locales = survey.locales.filter((locale) => place.locales.includes(locale));
  const stored = await listStoredPages(client, projectSlug, { siteId, locales });
  const { levels, cyclic } = levelsOf(survey.pages);
  for (const key of cyclic) run.failPage(key, new LineProblem('its parents form a cycle'));
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
  const parts = { writer: new PageWriter(shared), placer: new PagePlacer(shared) };
  const phase = { run, options, levels, assertLocale, ...parts, ...shared };
  await buildTree(phase);
  const lines = survey.goodLines - (run.problems.size - survey.problems.size);
  progress.start(isPublishing ? 2 * lines : lines);
  try {
    const written = await writeLines(phase);
    if (isPublishing) await publishLines(phase, written);
  } finally {
    progress.stop();
  }
  return run.report(place.created);
}

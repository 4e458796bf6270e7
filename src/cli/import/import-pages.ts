import type { OperationsClient } from '../client/operations-client.js';
import { ensureProject, type Destination } from './ensure-project.js';
import { HtmlTally } from './html-tally.js';
import { KeyedPool } from './keyed-pool.js';
import { LineProblem, parsePageLine, type PageLine } from './page-line.js';
import { levelsOf } from './page-levels.js';
import { PagePlacer } from './page-placer.js';
import { publishPages, type PublisherOptions, type WrittenLine } from './page-publisher.js';
import { PageWriter, reasonOf, type WriteResult } from './page-writer.js';
import type { Progress } from './progress.js';
import { readLines } from './read-lines.js';
import { listStoredPages, type StoredPage } from './stored-pages.js';
import { surveyFile, type Survey } from './survey.js';

/** What to import, and whereto. */
export interface ImportOptions {
  readonly client: OperationsClient;
  readonly file: string;
  readonly destination: Destination;
  readonly isPublishing: boolean;
  /** Pages that are written at a time. */
  readonly concurrency: number;
  readonly progress: Progress;
}

/** What an import did. */
export interface ImportReport {
  readonly pages: number;
  /** Locale versions by what happened to them. */
  readonly versions: Readonly<Record<WriteResult['outcome'] | 'published', number>>;
  /** Pages that stood elsewhere in the tree, or outside it. */
  readonly moved: number;
  readonly tally: HtmlTally;
  /** Links in texts to anchors that are no page, and how many such anchors there are. */
  readonly linksWithoutPage: { readonly links: number; readonly anchors: number };
  /** Reasons by line number. */
  readonly problems: ReadonlyMap<number, string>;
  /** Places that had to be made. */
  readonly created: readonly string[];
  /** Lines that say another position or parent than the page's leading line, whose word counts. */
  readonly deviatingLines: number;
}

/** Which lines to visit, and which of them one after the other. */
interface Visit {
  isWanted(number: number): boolean;
  /** Lines with one answer keep their order; the others go side by side. */
  queueOf(line: PageLine): string;
}

/** One import under way. */
class Import {
  readonly problems: Map<number, string>;
  readonly tally = new HtmlTally();
  readonly versions = { created: 0, updated: 0, unchanged: 0, published: 0 };
  moved = 0;

  constructor(
    private readonly options: ImportOptions,
    readonly survey: Survey,
  ) {
    this.problems = new Map(survey.problems);
  }

  /** Reads the file again and does something with each good line, several at a time. */
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

  /** A page as a whole fails where its leading line does. */
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
    const { versions, tally, problems, moved } = this;
    return { pages: pages.size, versions, moved, tally, linksWithoutPage, problems, created, deviatingLines };
  }
}

/** What the phases of an import share. */
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
 * Makes the pages that are missing and puts the others where they belong: level by level, since a page
 * stands below a node that must be there. Links are left for later: pages link to each other in both
 * directions, so every page exists before any link is written.
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

/** Writes the drafts of every line; answers the lines that went well. */
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
 * Imports a corpus of pages as a tree. What is there already is compared and only what differs is
 * written, so that a second run changes nothing. A bad line is reported and the others go on.
 * @throws Error in one line where the file cannot be read or the destination does not fit
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
  const { levels, looped } = levelsOf(survey.pages);
  for (const key of looped) run.failPage(key, new LineProblem('its parents lead back to it'));
  const shared = { client, projectSlug, siteId, siteSlug, stored, facts: survey.pages };
  const assertLocale = ({ locale }: PageLine): void => {
    if (locales.includes(locale)) return;
    throw new LineProblem(
      `is in ${locale}, which the site ${siteSlug} does not have: add the locale to tenant and site first`,
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

import type { OperationsClient } from '../operations-client.js';
import { ensureProject, type Destination } from './ensure-project.js';
import { HtmlTally } from './html-tally.js';
import { KeyedPool } from './keyed-pool.js';
import { LineProblem, parsePageLine, type PageLine } from './page-line.js';
import { PageWriter, reasonOf, type WriteResult } from './page-writer.js';
import type { Progress } from './progress.js';
import { readLines } from './read-lines.js';
import { listStoredPages } from './stored-pages.js';
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

/** One import under way. */
class Import {
  readonly problems: Map<number, string>;
  readonly tally = new HtmlTally();
  readonly versions = { created: 0, updated: 0, unchanged: 0, published: 0 };

  constructor(
    private readonly options: ImportOptions,
    private readonly survey: Survey,
  ) {
    this.problems = new Map(survey.problems);
  }

  /** Reads the file again and does something with each good line, several at a time. */
  async forEachLine(
    isWanted: (number: number) => boolean,
    work: (line: PageLine) => Promise<void>,
  ): Promise<void> {
    const pool = new KeyedPool(this.options.concurrency);
    for await (const { number, text } of readLines(this.options.file)) {
      if (this.problems.has(number) || !isWanted(number)) continue;
      const attempt = async (task: () => Promise<void>): Promise<void> => {
        try {
          await task();
        } catch (error) {
          this.problems.set(number, reasonOf(error));
        }
      };
      await attempt(async () => {
        const line = parsePageLine(text);
        await pool.add(line.key, () => attempt(() => work(line)));
      });
    }
    await pool.drain();
  }

  note({ outcome, isPublished, tally }: WriteResult): void {
    this.versions[outcome] += 1;
    if (isPublished) this.versions.published += 1;
    this.tally.merge(tally);
  }

  report(created: readonly string[]): ImportReport {
    const { pages, deviatingLines } = this.survey;
    const lost = [...this.tally.fragments].filter(([anchor]) => !pages.has(anchor));
    const linksWithoutPage = { links: lost.reduce((sum, [, links]) => sum + links, 0), anchors: lost.length };
    const { versions, tally, problems } = this;
    return { pages: pages.size, versions, tally, linksWithoutPage, problems, created, deviatingLines };
  }
}

/**
 * Imports a corpus of pages. What is there already is compared and only what differs is written, so
 * that a second run changes nothing. A bad line is reported and the others go on.
 * @throws Error in one line where the file cannot be read or the destination does not fit
 */
export async function importPages(options: ImportOptions): Promise<ImportReport> {
  const { client, file, destination, isPublishing, progress } = options;
  const survey = await surveyFile(file);
  const run = new Import(options, survey);
  if (survey.goodLines === 0) return run.report([]);
  const place = await ensureProject(client, destination, survey);
  const { project: projectSlug, site } = destination;
  const locales = survey.locales.filter((locale) => place.locales.includes(locale));
  const stored = await listStoredPages(client, projectSlug, { siteId: place.siteId, locales });
  const { siteId } = place;
  const writer = new PageWriter({ client, projectSlug, siteId, isPublishing, stored, facts: survey.pages });
  const assertLocale = ({ locale }: PageLine): void => {
    if (locales.includes(locale)) return;
    throw new LineProblem(
      `is in ${locale}, which the site ${site} does not have: add the locale to tenant and site first`,
    );
  };

  // Pages link to each other in both directions, so every page exists before any link is written.
  const leading = new Set([...survey.pages.values()].map(({ leadingLine }) => leadingLine));
  await run.forEachLine(
    (number) => leading.has(number),
    async (line) => {
      assertLocale(line);
      await writer.create(line);
    },
  );
  progress.start(survey.goodLines - (run.problems.size - survey.problems.size));
  try {
    await run.forEachLine(
      () => true,
      async (line) => {
        try {
          assertLocale(line);
          run.note(await writer.write(line));
        } finally {
          progress.advance();
        }
      },
    );
  } finally {
    progress.stop();
  }
  return run.report(place.created);
}

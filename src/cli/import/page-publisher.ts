import type { OperationsClient } from '../client/operations-client.js';
import { LineProblem } from './page-line.js';
import type { StoredPage } from './stored-pages.js';

/** A written locale of a page. */
export interface WrittenLine {
  readonly number: number;
  readonly key: string;
  readonly locale: string;
}

interface Job extends WrittenLine {
  readonly entryId: string;
}

/** Where and what to publish. */
export interface PublisherOptions {
  readonly client: OperationsClient;
  readonly projectSlug: string;
  readonly stored: ReadonlyMap<string, StoredPage>;
  /** Keys by depth in the tree. */
  readonly levels: readonly (readonly string[])[];
}

/** What became of the lines that were to be published. */
export interface PublishWatch {
  done(line: WrittenLine, isPublished: boolean): void;
  failed(line: WrittenLine, error: unknown): void;
}

/** Of the hundred that a call may name: their documents are in memory together. */
const PAGES_AT_ONCE = 25;

function* inChunks<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/**
 * Publishes what is not live as it was written, many pages at a time. Parents go before their children,
 * so that no page is live under a path that its parent's slug is about to change.
 */
export async function publishPages(
  { client, projectSlug, stored, levels }: PublisherOptions,
  lines: readonly WrittenLine[],
  watch: PublishWatch,
): Promise<void> {
  const depths = new Map(levels.flatMap((keys, depth) => keys.map((key) => [key, depth] as const)));
  const waiting: Job[] = [];
  for (const line of lines) {
    const page = stored.get(line.key);
    if (page === undefined || page.versions.get(line.locale)?.status === 'published') watch.done(line, false);
    else waiting.push({ ...line, entryId: page.id });
  }
  const depthOf = ({ key }: Job): number => depths.get(key) ?? 0;
  waiting.sort((a, b) => depthOf(a) - depthOf(b));
  for (const jobs of Map.groupBy(waiting, (job) => `${String(depthOf(job))} ${job.locale}`).values())
    for (const chunk of inChunks(jobs, PAGES_AT_ONCE))
      await publishTogether({ client, projectSlug }, chunk, watch);
}

/** Publishes pages in the one locale that they have in common. */
async function publishTogether(
  { client, projectSlug }: Pick<PublisherOptions, 'client' | 'projectSlug'>,
  jobs: readonly Job[],
  watch: PublishWatch,
): Promise<void> {
  const entryIds = jobs.map(({ entryId }) => entryId);
  const params = { locale: jobs[0]?.locale, atomic: false };
  try {
    const { data } = await client.call('entries', 'bulk', {
      projectSlug,
      action: 'publish',
      entryIds,
      params,
    });
    const outcomes = new Map(data.results.map((item) => [item.entryId, item]));
    for (const job of jobs) {
      const { ok = false, error = 'not_published', message = '' } = outcomes.get(job.entryId) ?? {};
      if (ok) watch.done(job, true);
      else watch.failed(job, new LineProblem(`${error}: ${message}`));
    }
  } catch (error) {
    for (const job of jobs) watch.failed(job, error);
  }
}

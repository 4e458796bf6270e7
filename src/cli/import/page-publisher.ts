import type { OperationsClient } from '../client/operations-client.js';
import { LineProblem } from './page-line.js';
import type { StoredPage } from './stored-pages.js';

export interface WrittenLine {
  readonly number: number;
  readonly key: string;
  readonly locale: string;
}

interface Job extends WrittenLine {
  readonly entryId: string;
}

export interface PublisherOptions {
  readonly client: OperationsClient;
  readonly projectSlug: string;
  readonly stored: ReadonlyMap<string, StoredPage>;
  /** Keys by depth in the tree. */
  readonly levels: readonly (readonly string[])[];
}

export interface PublishWatch {
  done(line: WrittenLine, isPublished: boolean): void;
  failed(line: WrittenLine, error: unknown): void;
}

/** Below the limit of a call, because their documents are in memory together. */
const PAGES_AT_ONCE = 25;

function* inChunks<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/**
 * Publishes changed pages in bulk. Parents are published before their children, so that no page appears under a
 * path that its parent's slug is about to change.
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

/** The jobs have the same locale. */
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

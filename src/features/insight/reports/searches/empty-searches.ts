import { EmptySearches, type SearchSource } from '../../../../../contracts/insight/reports/report.js';
import type { reports } from '../../../../../contracts/insight/reports/reports.contract.js';
import type { PageMeta } from '../../../../../contracts/envelopes.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Clock } from '../../../../infrastructure/clock.js';
import { redactText } from '../../../../infrastructure/redaction.js';
import {
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../../../persistence/work/unit-of-work.js';
import { rowsChart } from '../charts/chart.js';
import { withFile } from '../files/report-file.js';
import { openReport, pageMeta } from '../open-report.js';
import {
  EmptySearchCountRepository,
  EmptySearchReportRepository,
  NO_SITE,
  type EmptySearchCount,
} from './empty-search.repository.js';

/** A search that found nothing. */
export interface EmptySearch {
  readonly q: string;
  readonly source: SearchSource;
  /** Null: no single one. */
  readonly siteId: string | null;
  readonly locale: string | null;
}

interface EnvironmentScope {
  readonly tenantId: string | null;
  readonly environmentId: string | null;
}

/** Queries of an environment, and environments, between two flushes. */
const MOST_QUERIES = 500;
const MOST_ENVIRONMENTS = 100;
const QUERY_CHARACTERS = 100;

/** What two writings of a query have in common. */
const normalized = (q: string): string =>
  q
    .normalize('NFC')
    .toLowerCase()
    .trim()
    .replace(/\s+/gu, ' ')
    .slice(0, QUERY_CHARACTERS)
    .toWellFormed()
    .trim();

/** Makes room for another query: the first of those that were searched for least is forgotten. */
function forgetRarest(counts: Map<string, EmptySearchCount>): void {
  let rarest: readonly [string, number] | undefined;
  for (const [key, { searches }] of counts)
    if (rarest === undefined || searches < rarest[1]) rarest = [key, searches];
  if (rarest !== undefined) counts.delete(rarest[0]);
}

/** Searches without results, counted in memory so that none waits for a write. */
export class EmptySearchCounts {
  #byEnvironment = new Map<string, Map<string, EmptySearchCount>>();

  constructor(
    private readonly units: UnitOfWorkFactory,
    private readonly clock: Clock,
  ) {}

  /** Queries that look like credentials are not kept. */
  record({ tenantId, environmentId }: EnvironmentScope, { q, source, siteId, locale }: EmptySearch): void {
    const query = normalized(q);
    if (tenantId === null || environmentId === null || !/[\p{L}\p{N}]/u.test(query)) return;
    if (redactText(q) !== q) return;
    const at = this.clock();
    this.#add({
      tenantId,
      environmentId,
      source,
      query,
      day: at.toISOString().slice(0, 10),
      siteId: siteId ?? NO_SITE,
      locale: locale ?? '',
      searches: 1,
      lastAt: at,
    });
  }

  /** Adds the counts in one transaction. After a failure they are kept for the next flush. */
  async flush(): Promise<void> {
    const counts = [...this.#byEnvironment.values()].flatMap((own) => [...own.values()]);
    if (counts.length === 0) return;
    this.#byEnvironment = new Map();
    const request = { scope: systemScope(), isReadOnly: false, lock: 'none' } as const;
    try {
      await this.units.run(request, (work) => work.use(EmptySearchCountRepository).add(counts));
    } catch (error) {
      for (const count of counts) this.#add(count);
      throw error;
    }
  }

  #add(count: EmptySearchCount): void {
    const { environmentId, day, source, siteId, locale, query, searches, lastAt } = count;
    const own = this.#byEnvironment.get(environmentId) ?? new Map<string, EmptySearchCount>();
    if (own.size === 0 && this.#byEnvironment.size >= MOST_ENVIRONMENTS) return;
    this.#byEnvironment.set(environmentId, own);
    const key = [day, source, siteId, locale, query].join(' ');
    const known = own.get(key);
    if (known !== undefined) {
      known.searches += searches;
      known.lastAt = known.lastAt > lastAt ? known.lastAt : lastAt;
      return;
    }
    if (own.size >= MOST_QUERIES) forgetRarest(own);
    own.set(key, count);
  }
}

const DAY = 86_400_000;

/** @throws AppError 422 for an invalid period, 404 for an unknown filter */
export async function reportEmptySearches(
  work: UnitOfWork,
  input: InputOf<typeof reports.emptySearches>,
): Promise<{ data: EmptySearches; meta: PageMeta }> {
  const days = { granularity: 'day', timezone: 'UTC' } as const;
  const { period, filter } = await openReport(work, { ...input, ...days });
  const whole = {
    start: Math.floor(period.start / DAY) * DAY,
    end: Math.ceil(period.end / DAY) * DAY,
  };
  const found = await work.use(EmptySearchReportRepository).list({
    period: whole,
    filter,
    source: input.source ?? null,
    limit: input.limit,
    offset: (input.page - 1) * input.limit,
  });
  const rows = found.rows.map((row) => ({ ...row, lastAt: new Date(row.lastAt).toISOString() }));
  const data = {
    range: { from: new Date(whole.start).toISOString(), to: new Date(whole.end).toISOString() },
    summary: { queries: found.queries, searches: found.searches },
    rows,
  };
  const chart = () =>
    rowsChart('Searches without results', rows, { label: ({ query }) => query, keys: ['searches'] });
  return {
    data: await withFile(data, input, { name: 'empty-searches', shape: EmptySearches, chart }),
    meta: pageMeta(found.queries, input),
  };
}

import type { HealthCode } from '../../../../../contracts/insight/reports/report.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import {
  inScope,
  isLimitedToLocales,
  type Bind,
  type ReportColumns,
  type ReportFilter,
} from '../report-scope.js';
import { severities, type FoundIssue, type HealthModel } from './health-model.js';
import { noBlock, foundSql, NO_FIELD } from './health-sql.js';

export interface EntryPlace {
  readonly entryId: string;
  readonly siteId: string;
  readonly locale: string;
}

/** A page that is not live. */
export interface OfflinePage extends EntryPlace {
  /** Without the prefix of its locale. */
  readonly path: string;
}

export interface HealthQuery {
  readonly filter: ReportFilter;
  readonly model: HealthModel;
  /** Entries whose stored issues are out of date. */
  readonly changed: readonly string[];
  readonly loops: readonly EntryPlace[];
  readonly limit: number;
  readonly offset: number;
}

interface UnhealthyEntry {
  readonly entryId: string;
  readonly title: string | null;
  readonly issues: readonly FoundIssue[];
}

export interface FoundHealth {
  readonly entries: number;
  /** Entries with issues. */
  readonly affected: number;
  /** Those with issues as a whole or in a locale that is asked for, or that their site requires if none is. */
  readonly penalized: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly rows: readonly UnhealthyEntry[];
}

/** For environments with millions of issues. */
const SECONDS = 20;
/** Issues shown of one entry. */
const ISSUES_PER_ENTRY = 100;

const ranks = { critical: 0, warning: 1, info: 2 } as const;
const codes = Object.keys(severities) as HealthCode[];
const codeRanks = codes.map((code) => ranks[severities[code]]);

const drafts = { site: 'l.site_id', locale: 'l.locale', type: 'l.content_type_id' };
const translations = { site: 't.site_id', locale: 't.locale', type: 't.content_type_id' };
/** Counts of entries, whatever their locales. */
const counters = { site: 'c.site_id', locale: 'c.locale', type: 'c.content_type_id' };
const everything: ReportFilter = { siteIds: null, locales: null, contentTypeIds: null };

/** Rows of each entry up to the limit, the most severe first. */
const pageSql = (bind: Bind, { limit, offset }: Pick<HealthQuery, 'limit' | 'offset'>): string => `
  page AS (SELECT entry_id, rank, issues FROM affected ORDER BY rank, issues DESC, entry_id
    LIMIT ${bind(limit)} OFFSET ${bind(offset)}),
  shown AS (SELECT i.*, row_number() OVER (PARTITION BY i.entry_id
      ORDER BY i.rank, i.code, i.field NULLS FIRST, i.block NULLS FIRST, i.locale NULLS FIRST) AS place
    FROM ranked i JOIN page USING (entry_id)),
  listed AS (SELECT entry_id, jsonb_agg(jsonb_build_object('code', code, 'field', field, 'block', block, 'locale', locale) ORDER BY place) AS issues
    FROM shown WHERE place <= ${String(ISSUES_PER_ENTRY)} GROUP BY 1)`;

type Scoped = (place: Pick<ReportColumns, 'site' | 'locale' | 'type'>, shown?: ReportFilter) => string;

const issuePlace = { site: 'i.site_id', locale: 'i.locale', type: 'i.content_type_id' };

/** Stored issues, and those of changed entries as they are now. */
function heldSql({ model, changed }: HealthQuery, now: string, bind: Bind): { tables: string; rows: string } {
  const columns = 'entry_id, content_type_id, site_id, code, locale, field_id, block_id';
  const stored = `SELECT ${columns} FROM health_issues s WHERE s.environment_id = $1 AND s.holds_from < ${now}`;
  if (changed.length === 0) return { tables: '', rows: stored };
  const ids = `${bind(changed)}::uuid[]`;
  return {
    tables: `${foundSql(model, bind, { among: `l.entry_id = ANY(${ids})`, isFew: true })},`,
    rows: `${stored} AND s.entry_id <> ALL (${ids}) UNION ALL SELECT ${columns} FROM found s WHERE s.holds_from < ${now}`,
  };
}

/** Issues of an entry in every locale are shown to those who may read a draft of it. */
const inIssueScope = (isByLocale: boolean, scoped: Scoped): string =>
  isByLocale
    ? `CASE WHEN i.locale <> '' THEN ${scoped(issuePlace)} ELSE EXISTS (SELECT FROM entry_locales l
         WHERE l.environment_id = $1 AND l.entry_id = i.entry_id AND NOT l.is_deleted AND ${scoped(drafts)}) END`
    : scoped(issuePlace);

/** Entries in scope: counters do not know which entries are written in one of several locales. */
const entriesSql = (isByLocale: boolean, scoped: Scoped): string =>
  isByLocale
    ? `SELECT count(*) FROM (SELECT l.entry_id FROM entry_locales l WHERE l.environment_id = $1 AND NOT l.is_deleted
         AND ${scoped(drafts)} UNION SELECT entry_id FROM affected) AS e`
    : `SELECT coalesce(sum(c.entries), 0) FROM entry_counts c WHERE c.environment_id = $1 AND NOT c.is_deleted AND c.locale = ''
         AND ${scoped(counters)}`;

/** Entries that count in the score: other locales than those of the filter, or required ones, are ignored (rule localization/locales). */
function penalizedSql({ filter, model: { requiredLocales } }: HealthQuery, bind: Bind): string {
  if (filter.locales !== null) return 'SELECT count(*) FROM affected';
  const [siteIds, locales] = (['siteId', 'locale'] as const).map((key) =>
    bind(requiredLocales.map((place) => place[key])),
  );
  return `SELECT count(DISTINCT entry_id) FROM issue WHERE locale IS NULL OR (site_id, locale) IN (
           SELECT * FROM unnest(${siteIds ?? ''}::uuid[], ${locales ?? ''}::text[]))`;
}

/** Finds what should be fixed with one statement, which reads issues that are stored and no content. */
export class ContentHealthRepository extends Repository {
  async find(query: HealthQuery): Promise<FoundHealth> {
    const { values, bind } = this.#bound();
    const { filter, model } = query;
    const isByLocale = isLimitedToLocales(this.bound.scope, filter);
    const scoped: Scoped = (place, shown = filter) => inScope(this.bound.scope, shown, { place, bind });
    const held = heldSql(query, `${bind(this.bound.now)}::timestamptz`, bind);
    await this.allowTime(SECONDS);
    const [found] = await this.query<FoundHealth>(
      `WITH ${held.tables} issue (entry_id, site_id, code, field, block, locale) AS (
         SELECT i.entry_id, i.site_id, i.code, f.api_name, nullif(i.block_id, ${noBlock}),
           CASE WHEN i.content_type_id <> ALL (${bind(model.forAll)}::uuid[]) THEN nullif(i.locale, '') END FROM (${held.rows}) AS i
           LEFT JOIN fields f ON f.environment_id = $1 AND f.id = i.field_id
           WHERE (f.id IS NOT NULL OR i.field_id = '${NO_FIELD}') AND ${inIssueScope(isByLocale, scoped)}
             AND (i.code <> 'orphaned' OR i.entry_id <> ALL (${bind(model.homeEntryIds)}::uuid[]))
         UNION ALL SELECT t.entry_id, t.site_id, t.status || '_translation', NULL, NULL, t.locale FROM translations t
           WHERE t.environment_id = $1 AND NOT t.is_deleted AND t.status IN ('missing', 'stale')
             AND t.content_type_id = ANY(${bind(model.translatedTypeIds)}::uuid[]) AND ${scoped(translations)}
         UNION ALL ${this.#loops(query, bind)}),
       ranked AS MATERIALIZED (SELECT i.*, r.rank FROM issue i
         JOIN unnest(${bind(codes)}::text[], ${bind(codeRanks)}::int[]) AS r (code, rank) USING (code)),
       affected AS MATERIALIZED (SELECT entry_id, min(rank) AS rank, count(*) AS issues FROM ranked GROUP BY 1),
       ${pageSql(bind, query)}
       SELECT (${entriesSql(isByLocale, scoped)})::float8 AS entries,
         (SELECT count(*) FROM affected)::float8 AS affected,
         (${penalizedSql(query, bind)})::float8 AS penalized,
         (SELECT coalesce(jsonb_object_agg(code, issues), '{}') FROM (SELECT code, count(*) AS issues FROM ranked GROUP BY 1) AS c)
           AS "byType",
         (SELECT coalesce(jsonb_agg(jsonb_build_object('entryId', p.entry_id, 'title', (
             SELECT l.title FROM entry_locales l WHERE l.environment_id = $1 AND l.entry_id = p.entry_id
               AND ${scoped(drafts, everything)} ORDER BY l.is_shown DESC, l.locale LIMIT 1), 'issues', s.issues)
             ORDER BY p.rank, p.issues DESC, p.entry_id), '[]')
           FROM page p JOIN listed s USING (entry_id)) AS rows`,
      values,
    );
    return found ?? { entries: 0, affected: 0, penalized: 0, byType: {}, rows: [] };
  }

  #loops({ loops }: HealthQuery, bind: Bind): string {
    const [entryIds, siteIds, locales] = (['entryId', 'siteId', 'locale'] as const).map((key) =>
      bind(loops.map((loop) => loop[key])),
    );
    return `SELECT entry_id, site_id, 'redirect_loop', NULL, NULL::uuid, locale
           FROM unnest(${entryIds ?? ''}::uuid[], ${siteIds ?? ''}::uuid[], ${locales ?? ''}::text[]) AS looping (entry_id, site_id, locale)`;
  }

  /** Pages in scope that are not live, on sites with redirects that may lead from them. */
  offlinePages(filter: ReportFilter, limit: number): Promise<OfflinePage[]> {
    const { values, bind } = this.#bound();
    return this.query<OfflinePage>(
      `SELECT r.entry_id AS "entryId", r.site_id AS "siteId", r.locale, r.own_path AS path
       FROM routes r JOIN entry_locales l ON l.environment_id = $1 AND l.entry_id = r.entry_id AND l.locale = r.locale
       WHERE r.environment_id = $1 AND r.own_path IS NOT NULL AND r.served_path IS NULL AND NOT l.is_deleted
         AND r.site_id IN (SELECT site_id FROM redirects WHERE environment_id = $1 AND is_active)
         AND ${inScope(this.bound.scope, filter, { place: drafts, bind })}
       ORDER BY r.entry_id, r.locale LIMIT ${bind(limit)}`,
      values,
    );
  }

  /** Paths of a site, without locale prefix, where a page is live. */
  livePaths(
    siteId: string,
    places: readonly { locale: string; path: string }[],
  ): Promise<{ locale: string; path: string }[]> {
    return this.query(
      `SELECT w.locale, w.path FROM unnest($3::text[], $4::text[]) AS w (locale, path)
       WHERE EXISTS (SELECT FROM routes r WHERE r.environment_id = $1 AND r.site_id = $2 AND r.locale = w.locale
         AND r.served_path = w.path COLLATE "C" AND r.entry_id IS NOT NULL)`,
      [this.environmentId, siteId, places.map(({ locale }) => locale), places.map(({ path }) => path)],
    );
  }

  #bound(): { values: unknown[]; bind: Bind } {
    const values: unknown[] = [this.environmentId];
    return { values, bind: (given) => `$${String(values.push(given))}` };
  }
}

import { Repository } from '../../../../persistence/repositories/repository.js';
import { inScope, type ReportColumns, type ReportFilter } from '../report-scope.js';

export interface TypeCount {
  readonly contentTypeId: string;
  readonly entries: number;
  readonly published: number;
}

export interface FieldCount {
  readonly contentTypeId: string;
  readonly apiName: string;
  readonly filled: number;
}

export interface TypeUpdate {
  readonly contentTypeId: string;
  readonly lastUpdatedAt: Date;
}

interface Bound {
  readonly bind: unknown[];
  readonly value: (given: unknown) => string;
}

/** Entries of an environment by content type. With locales in the filter, entries that are written in them. */
export class SchemaUsageRepository extends Repository {
  /** From counters: as many rows as there are types, sites and states. */
  entries(filter: ReportFilter): Promise<TypeCount[]> {
    const { bind, value } = this.#bound();
    const place: ReportColumns = { site: 'c.site_id', locale: 'c.locale', type: 'c.content_type_id' };
    return this.query<TypeCount>(
      `SELECT c.content_type_id AS "contentTypeId", sum(c.entries)::float8 AS entries,
         coalesce(sum(c.entries) FILTER (WHERE c.status <> 'draft'), 0)::float8 AS published
       FROM entry_counts c WHERE c.environment_id = $1 AND NOT c.is_deleted AND c.locale = ANY(${value(filter.locales ?? [''])}::text[])
         AND ${inScope(this.bound.scope, { ...filter, locales: null }, { place, bind: value })}
       GROUP BY 1`,
      bind,
    );
  }

  /** Values of fields in the locale that represents an entry, and shared values. */
  fields(filter: ReportFilter): Promise<FieldCount[]> {
    const { bind, value } = this.#bound();
    const place: ReportColumns = { site: 'l.site_id', locale: 'l.locale', type: 'l.content_type_id' };
    const shown = filter.locales === null ? ' AND l.is_shown' : '';
    return this.query<FieldCount>(
      `SELECT l.content_type_id AS "contentTypeId", name AS "apiName", count(*)::float8 AS filled
       FROM entry_locales l JOIN entries e ON e.environment_id = l.environment_id AND e.id = l.entry_id
         CROSS JOIN LATERAL (SELECT jsonb_object_keys(l.fields) UNION SELECT jsonb_object_keys(e.shared_fields)) AS filled (name)
       WHERE l.environment_id = $1 AND NOT l.is_deleted${shown}
         AND ${inScope(this.bound.scope, filter, { place, bind: value })}
       GROUP BY 1, 2`,
      bind,
    );
  }

  updates(filter: ReportFilter, contentTypeIds: readonly string[]): Promise<TypeUpdate[]> {
    const { bind, value } = this.#bound();
    const place: ReportColumns = { site: 'e.site_id', locale: 'NULL::text', type: 'e.content_type_id' };
    return this.query<TypeUpdate>(
      `SELECT t.id AS "contentTypeId", e.updated_at AS "lastUpdatedAt" FROM unnest(${value(contentTypeIds)}::uuid[]) AS t (id)
         CROSS JOIN LATERAL (SELECT e.updated_at FROM entries e WHERE e.environment_id = $1 AND e.content_type_id = t.id
           AND e.deleted_at IS NULL AND ${inScope(this.bound.scope, { ...filter, locales: null }, { place, bind: value })}
           ORDER BY e.updated_at DESC LIMIT 1) AS e`,
      bind,
    );
  }

  #bound(): Bound {
    const bind: unknown[] = [this.environmentId];
    return { bind, value: (given) => `$${String(bind.push(given))}` };
  }
}

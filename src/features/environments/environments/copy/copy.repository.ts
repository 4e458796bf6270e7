import { Repository } from '../../../../persistence/repositories/repository.js';
import type { CopiedTable } from './environment-tables.js';

/** Kinds of items that every copy of an environment has, also without its content. */
export const schemaKinds: readonly string[] = ['contentType', 'customFieldType', 'workflow'];

export class BranchRepository extends Repository {
  /** Makes the environment a branch of the base, whose changes are journaled from here on. */
  async open(baseId: string, copiesContent: boolean): Promise<void> {
    await this.query('SELECT open_branch($1, $2, $3, $4)', [
      this.tenantId,
      this.environmentId,
      baseId,
      copiesContent,
    ]);
  }

  /** What the base has in common with other environments, the copy has, too. */
  async copyBases(baseId: string, copiesContent: boolean): Promise<void> {
    await this.query(
      `INSERT INTO environment_bases (tenant_id, low_id, high_id, kind, item_id, part, environment_id, row, rename_number, status, number)
       SELECT b.tenant_id, least(o.id, $1), greatest(o.id, $1), b.kind, b.item_id, b.part, b.environment_id, b.row, b.rename_number,
         b.status, b.number
       FROM environment_bases b CROSS JOIN LATERAL (SELECT CASE b.low_id WHEN $2 THEN b.high_id ELSE b.low_id END AS id) AS o
       WHERE (b.low_id = $2 OR b.high_id = $2) AND o.id <> $1 AND ($3 OR b.kind = ANY ($4::text[]))`,
      [this.environmentId, baseId, copiesContent, [...schemaKinds]],
    );
  }

  /** Branches of an environment that is deleted remain comparable with each other and with its base. */
  async passOn(environmentId: string): Promise<void> {
    await this.query(
      `INSERT INTO former_vocabularies (tenant_id, project_id, environment_id, types, fields, renames)
       SELECT $1, $2, $3,
         (SELECT coalesce(json_agg(json_build_object('id', id, 'apiName', api_name)), '[]') FROM content_types WHERE environment_id = $3),
         (SELECT coalesce(json_agg(json_build_object('id', id, 'contentTypeId', content_type_id, 'apiName', api_name, 'type', type,
            'isList', is_list)), '[]') FROM fields WHERE environment_id = $3),
         (SELECT coalesce(json_agg(json_build_object('number', number, 'kind', CASE WHEN field_id IS NULL THEN 'contentType' ELSE 'field' END,
            'contentTypeId', content_type_id, 'from', from_name, 'to', to_name) ORDER BY number), '[]')
          FROM renames WHERE environment_id = $3)
       WHERE EXISTS (SELECT FROM environment_branches WHERE $3 IN (environment_id, base_environment_id))`,
      [this.tenantId, this.projectId, environmentId],
    );
    await this.query('SELECT pass_on_branches($1)', [environmentId]);
  }
}

/** Copied before the response: takes less than a second. */
const SMALL = 500;
const ANALYZE_SECONDS = 120;

export class CopySizeRepository extends Repository {
  /** Whether an environment has few entries, redirects and assets. */
  async isSmall(environmentId: string): Promise<boolean> {
    const [size] = await this.query<{ rows: number }>(
      `SELECT (coalesce((SELECT sum(entries) FROM entry_counts WHERE environment_id = $1 AND locale = ''), 0)
         + coalesce((SELECT sum(assets) FROM media_counts WHERE environment_id = $1), 0)
         + (SELECT count(*) FROM (SELECT FROM redirects WHERE environment_id = $1 LIMIT $2) AS r))::int AS rows`,
      [environmentId, SMALL + 1],
    );
    return (size?.rows ?? 0) <= SMALL;
  }

  /** Statistics of the tables that were copied, of which plans are made. */
  async analyze(): Promise<void> {
    await this.allowTime(ANALYZE_SECONDS);
    await this.query('SELECT analyze_content()');
  }
}

/** Above any copy; a hung one must end some day. */
const COPY_SECONDS = 6 * 3600;

interface Source {
  readonly baseId: string;
}

export interface RowsPart {
  readonly condition: string;
  readonly value: unknown;
}

/** Columns whose values are not copied. */
const own: Partial<Record<CopiedTable, Readonly<Record<string, string>>>> = {
  redirects: { hit_count: '0', last_hit_at: 'NULL' },
};

/** Rows of one environment, written as those of another. Ids stay, because keys contain the environment. */
export class CopyRepository extends Repository {
  /**
   * Rows are copied as they are: triggers that derive translations or purge caches stay silent.
   * @returns undefined if the environment is not being created any more
   */
  async begin(): Promise<Source | undefined> {
    await this.allowTime(COPY_SECONDS);
    const [source] = await this.query<Source>(
      `SELECT e.base_environment_id AS "baseId", set_config('headwater.copying', 'on', true),
         set_config('headwater.rewriting_fields', 'on', true)
       FROM environments e WHERE e.tenant_id = $1 AND e.id = $2 AND e.status = 'creating'`,
      [this.tenantId, this.environmentId],
    );
    return source;
  }

  /** Stored columns by table, without the environment. */
  async columns(tables: readonly CopiedTable[]): Promise<Map<CopiedTable, string[]>> {
    const rows = await this.query<{ table: CopiedTable; columns: string[] }>(
      `SELECT c.relname AS table, array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY($1::text[]) AND a.attnum > 0
         AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity = '' AND a.attname <> 'environment_id'
       GROUP BY c.relname`,
      [[...tables]],
    );
    return new Map(rows.map(({ table, columns }) => [table, columns]));
  }

  /** What changes in the copy from here on is kept for comparisons. */
  async journal(): Promise<void> {
    await this.query('SELECT journal_branch($1, $2)', [this.tenantId, this.environmentId]);
  }

  /**
   * One statement: no row passes through this process.
   * @param part SQL condition on `$3` of the rows to copy, with its value; all by default
   */
  async copy(
    table: CopiedTable,
    columns: readonly string[],
    { baseId, part }: Source & { readonly part?: RowsPart | undefined },
  ): Promise<void> {
    const values = columns.map((column) => own[table]?.[column] ?? column);
    const order = table === 'entry_publications' ? ' ORDER BY ordinal' : '';
    const among = part === undefined ? '' : ` AND ${part.condition}`;
    await this.query(
      `INSERT INTO ${table} (environment_id, ${columns.join(', ')})
       SELECT $1, ${values.join(', ')} FROM ${table} WHERE environment_id = $2${among}${order}`,
      [this.environmentId, baseId, ...(part === undefined ? [] : [part.value])],
    );
  }
}

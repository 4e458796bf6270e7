import { Repository } from '../../../persistence/repositories/repository.js';
import type { CopiedTable } from './environment-tables.js';

/** Above any copy; a hung one must end some day. */
const COPY_SECONDS = 6 * 3600;

interface Source {
  readonly baseId: string;
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

  /** One statement: no row passes through this process. */
  async copy(table: CopiedTable, columns: readonly string[], baseId: string): Promise<void> {
    const values = columns.map((column) => own[table]?.[column] ?? column);
    const order = table === 'entry_publications' ? ' ORDER BY ordinal' : '';
    await this.query(
      `INSERT INTO ${table} (environment_id, ${columns.join(', ')})
       SELECT $1, ${values.join(', ')} FROM ${table} WHERE environment_id = $2${order}`,
      [this.environmentId, baseId],
    );
  }
}

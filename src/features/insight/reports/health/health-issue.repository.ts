import { Repository } from '../../../../persistence/repositories/repository.js';
import type { Bind } from '../report-scope.js';
import type { HealthModel } from './health-model.js';
import { foundSql } from './health-sql.js';

const keys = 'environment_id, entry_id, code, locale, field_id, block_id';
const columns = 'entry_id, content_type_id, site_id, code, locale, field_id, block_id, holds_from';
/** For every entry of an environment. */
const WHOLE_SECONDS = 600;
const BATCH_SECONDS = 120;

export interface IssueDifference {
  /** What the issue is about. */
  readonly of: string;
  readonly problem: string;
}

/** Stored issues of entries. */
export class HealthIssueRepository extends Repository {
  /** Finds the issues of entries again and stores them. */
  async find(model: HealthModel, entryIds: readonly string[]): Promise<void> {
    await this.allowTime(BATCH_SECONDS);
    await this.#store(model, entryIds);
  }

  /** Finds all issues of the environment again. */
  async findAll(model: HealthModel): Promise<void> {
    await this.allowTime(WHOLE_SECONDS);
    await this.#store(model, null);
  }

  /** Stored issues that differ from what is found now, but for entries that wait. */
  async differences(
    model: HealthModel,
    waiting: readonly string[],
    limit: number,
  ): Promise<IssueDifference[]> {
    await this.allowTime(WHOLE_SECONDS);
    const { values, bind } = this.#bound();
    const among = `l.entry_id <> ALL (${bind(waiting)}::uuid[])`;
    return this.query<IssueDifference>(
      `WITH ${foundSql(model, bind, { among, isFew: false })},
         stored AS (SELECT * FROM health_issues WHERE environment_id = $1 AND entry_id <> ALL (${bind(waiting)}::uuid[]))
       SELECT concat_ws(' ', 'issue', code, locale, 'of', entry_id) AS of,
         CASE WHEN s.code IS NULL THEN 'missing' WHEN f.code IS NULL THEN 'not found in the content' ELSE 'differs from the content' END AS problem
       FROM found f FULL JOIN stored s USING (entry_id, code, locale, field_id, block_id)
       WHERE f.holds_from IS DISTINCT FROM s.holds_from OR f.content_type_id IS DISTINCT FROM s.content_type_id
         OR f.site_id IS DISTINCT FROM s.site_id
       ORDER BY 1 LIMIT ${bind(limit)}`,
      values,
    );
  }

  async #store(model: HealthModel, entryIds: readonly string[] | null): Promise<void> {
    const { values, bind } = this.#bound();
    const among = (alias: string): string =>
      entryIds === null ? 'true' : `${alias}.entry_id = ANY(${bind(entryIds)}::uuid[])`;
    await this.query(
      `WITH ${foundSql(model, bind, { among: among('l'), isFew: entryIds !== null })},
         fixed AS (DELETE FROM health_issues i WHERE i.environment_id = $1 AND ${among('i')}
           AND NOT EXISTS (SELECT FROM found f WHERE f.entry_id = i.entry_id AND f.code = i.code AND f.locale = i.locale
             AND f.field_id = i.field_id AND f.block_id = i.block_id))
       INSERT INTO health_issues AS i (tenant_id, environment_id, ${columns})
         SELECT ${bind(this.tenantId)}::uuid, $1, ${columns} FROM found ORDER BY entry_id, code, locale, field_id, block_id
         ON CONFLICT (${keys}) DO UPDATE SET holds_from = excluded.holds_from, content_type_id = excluded.content_type_id,
           site_id = excluded.site_id
         WHERE (i.holds_from, i.content_type_id, i.site_id) <> (excluded.holds_from, excluded.content_type_id, excluded.site_id)`,
      values,
    );
  }

  #bound(): { values: unknown[]; bind: Bind } {
    const values: unknown[] = [this.environmentId];
    return { values, bind: (given) => `$${String(values.push(given))}` };
  }
}

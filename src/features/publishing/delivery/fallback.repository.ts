import { Repository } from '../../../persistence/repositories/repository.js';

interface FallbackDifference {
  readonly of: string;
  readonly problem: string;
}

/** As long as a conversion may take. */
const STATEMENT_SECONDS = 120;

const known = `UNION SELECT d.entry_id FROM published_entries d
  WHERE d.environment_id = $1 AND (d.own_values IS NOT NULL OR d.own_blocks IS NOT NULL)`;

/** What published documents show of their fallbacks. Triggers keep it, except after what they do not see. */
export class FallbackRepository extends Repository {
  /** After the fallbacks of a tenant's locales changed; writers of its projects must be blocked. */
  async refreshTenant(tenantId: string): Promise<void> {
    await this.allowTime(STATEMENT_SECONDS);
    await this.query(
      `SELECT fill_type_fallbacks(t.environment_id, NULL, NULL) FROM content_types t
       WHERE t.tenant_id = $1 AND t.field_fallback GROUP BY t.environment_id`,
      [tenantId],
    );
  }

  /** Documents that show something else than their fallbacks say. */
  differences(limit: number): Promise<FallbackDifference[]> {
    return this.query<FallbackDifference>(
      `SELECT 'document ' || p.locale || ' of ' || p.entry_id AS "of", 'the values of fallbacks differ' AS problem
       FROM shown_fallbacks($1, ARRAY(SELECT f.entry_id FROM falling_entries($1, NULL) AS f ${known})) AS s
         JOIN published_entries p ON p.environment_id = $1 AND p.entry_id = s.entry_id AND p.locale = s.locale
       WHERE (p.fields, p.own_values, p.blocks, p.own_blocks) IS DISTINCT FROM (s.fields, s.own_values, s.blocks, s.own_blocks)
       LIMIT $2`,
      [this.environmentId, limit],
    );
  }

  async repair(): Promise<void> {
    await this.query(
      `SELECT fill_fallbacks($1, ARRAY(SELECT f.entry_id FROM falling_entries($1, NULL) AS f ${known}))`,
      [this.environmentId],
    );
  }
}

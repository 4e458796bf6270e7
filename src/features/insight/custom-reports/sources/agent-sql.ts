import { segmentsOf } from '../../reports/index.js';
import { matching, type SourceSql, type SqlContext } from './source.js';

const columns = {
  apiKeyId: 'r.api_key_id::text',
  surface: 'r.surface',
  tool: "nullif(r.tool, '')",
  date: 's.bucket::text',
};

/** Management calls of the API keys that the caller sees, failed ones included. */
export function agentSql({ plan, value, projectId, environmentId }: SqlContext): SourceSql {
  const { period, groupBy, keyIds } = plan;
  const spans = period === null ? [] : groupBy.includes('date') ? period.buckets : [period];
  const segments = segmentsOf(spans);
  const times = (of: 'start' | 'end'): string =>
    `${value(segments.map((segment) => new Date(segment[of])))}::timestamptz[]`;
  const matches = [
    `r.project_id = ${value(projectId)} AND r.environment_id = ${value(environmentId)}`,
    `r.api_key_id = ANY(${value(keyIds)}::uuid[])`,
    ...matching(plan, columns, value),
  ].join(' AND ');
  return {
    from: `FROM unnest(${value(segments.map(({ bucket }) => bucket))}::int[], ${value(segments.map(({ grain }) => grain))}::text[],
        ${times('start')}, ${times('end')}) AS s (bucket, grain, first, last)
      CROSS JOIN LATERAL (SELECT r.* FROM api_key_usage r WHERE r.grain = s.grain AND r.start >= s.first AND r.start < s.last
        AND ${matches} OFFSET 0) AS r`,
    columns,
    weight: '(r.calls + r.errors + r.rate_limited)',
    fields: {
      calls: 'r.calls',
      reads: 'r.reads',
      writes: 'r.writes',
      errors: 'r.errors',
      rateLimited: 'r.rate_limited',
      at: 'r.last_at',
    },
  };
}

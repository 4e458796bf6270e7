import { inTextOrder } from '../../../../infrastructure/text-order.js';
import type { CustomReportMetric } from '../../../../../contracts/insight/custom-reports/custom-report.js';
import { AppError } from '../../../../../contracts/errors.js';
import { limits } from '../../../../../contracts/limits.js';
import { DatabaseFailure } from '../../../../persistence/connections/database-failure.js';
import { Repository } from '../../../../persistence/repositories/repository.js';
import { entrySql, translationSql, activitySql, agentSql } from '../sources/source-sql.js';
import type { ReportPlan, SourceSql, SqlContext } from '../sources/source.js';

/** Texts of numbers and times; null for none. */
type MetricValues = readonly (string | null)[];

interface GroupCount {
  readonly groups: readonly (string | null)[];
  readonly values: MetricValues;
}

export interface GroupCounts {
  readonly totals: MetricValues;
  /** Those with the largest first metric, largest first. */
  readonly rows: readonly GroupCount[];
  /** All groups. */
  readonly groups: number;
}

interface StoredRow extends GroupCount {
  readonly isTotal: boolean;
  readonly rows: number;
}

const sources = {
  entries: entrySql,
  audit: activitySql,
  publishing: activitySql,
  agents: agentSql,
  translations: translationSql,
} as const satisfies Record<ReportPlan['source'], (context: SqlContext) => SourceSql>;

/** SQL state of a statement that ran into its time limit. */
const CANCELED = '57014';

const aggregate = ({ op }: CustomReportMetric, position: number): string =>
  op === 'count' ? 'coalesce(sum(weight), 0)' : `${op}(v${String(position)})`;

/** Calculates metrics over the rows of a source. */
export class GroupCountRepository extends Repository {
  /** @throws AppError 422 `report_too_large` if that takes longer than a statement may */
  async counts(plan: ReportPlan, milliseconds?: number): Promise<GroupCounts> {
    const bind: unknown[] = [];
    const value = (given: unknown): string => `$${String(bind.push(given))}`;
    const { projectId, environmentId } = this;
    const { scope } = this.bound;
    const counted = await this.#countedTo();
    if (milliseconds !== undefined)
      await this.query("SELECT set_config('statement_timeout', $1, true)", [String(milliseconds)]);
    const source = sources[plan.source]({ plan, value, scope, projectId, environmentId, counted });
    const [total, ...rows] = await this.#read(groupingSql(plan, source), bind);
    if (total?.isTotal !== true) throw new Error('a report has no totals');
    return { totals: total.values, rows, groups: total.rows - 1 };
  }

  /** Read first: with the number itself, the database knows that few records follow it. */
  async #countedTo(): Promise<string> {
    const [mark] = await this.query<{ number: string }>(
      `SELECT number::text FROM report_marks WHERE name = 'activity'`,
    );
    return mark?.number ?? '0';
  }

  async #read(sql: string, bind: readonly unknown[]): Promise<StoredRow[]> {
    try {
      return await this.query<StoredRow>(sql, bind);
    } catch (error) {
      if (error instanceof DatabaseFailure && error.sqlState === CANCELED)
        throw new AppError('report_too_large');
      throw error;
    }
  }
}

/** One row of totals, then the groups. */
function groupingSql({ groupBy, metrics }: ReportPlan, source: SourceSql): string {
  const keys = groupBy.map((_key, position) => `g${String(position)}`);
  const columns = [
    ...groupBy.map((key, position) => `${source.columns[key] ?? 'NULL'} AS g${String(position)}`),
    `${source.weight} AS weight`,
    ...metrics.flatMap(({ op, field = '' }, position) =>
      op === 'count' ? [] : [`${source.fields[field] ?? 'NULL'} AS v${String(position)}`],
    ),
  ];
  const values = metrics.map((metric, position) => `${aggregate(metric, position)} AS m${String(position)}`);
  const texts = metrics.map((metric, position) =>
    metric.op === 'max' ? `to_jsonb(m${String(position)}) #>> '{}'` : `m${String(position)}::text`,
  );
  const isTotal = keys[0] === undefined ? 'true' : `grouping(${keys[0]}) = 1`;
  // Counters keep groups that have become empty.
  const sets =
    keys.length === 0
      ? '()'
      : `GROUPING SETS ((${keys.join(', ')}), ()) HAVING sum(weight) > 0 OR ${isTotal}`;
  const order = ['"isTotal" DESC', 'm0 DESC NULLS LAST', ...keys.map(inTextOrder)];
  return `WITH ${source.tables === undefined ? '' : `${source.tables}, `}source AS (SELECT ${columns.join(', ')} ${source.from}),
    grouped AS (SELECT ${[...keys, ...values].join(', ')}, ${isTotal} AS "isTotal" FROM source GROUP BY ${sets})
    SELECT ARRAY[${keys.join(', ')}]::text[] AS groups, ARRAY[${texts.join(', ')}]::text[] AS values, "isTotal",
      (count(*) OVER ())::float8 AS rows
    FROM grouped ORDER BY ${order.join(', ')} LIMIT ${String(limits.customReportRows + 1)}`;
}

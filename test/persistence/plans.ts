import pg from 'pg';
import type { EntryListRepository } from '../../src/features/entries/entries/lists/entry-list.repository.js';
import { sessionSettings } from '../../src/persistence/connections/session-settings.js';
import { systemScope } from '../../src/persistence/work/unit-of-work.js';
import type { ReadPool, Statement } from '../../src/persistence/connections/read-pool.js';
import type { TestApp } from '../support/app.js';

/** What a statement read. */
export interface Touched {
  /** Rows that scans returned or filtered out. */
  readonly rows: number;
  /** Indexes, and `seq <table>` for sequential scans. */
  readonly scans: string[];
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A row of EXPLAIN (ANALYZE, FORMAT JSON). */
interface ExplainRow {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
}

/** EXPLAIN of a statement, with its parameters still to be bound. */
const explain = (sql: string): string => `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT JSON) ${sql}`;

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function touched([row]: readonly ExplainRow[]): Touched {
  const [plan] = row?.['QUERY PLAN'] ?? [];
  const scans =
    plan === undefined ? [] : nodesOf(plan.Plan).filter(({ 'Node Type': type }) => type.includes('Scan'));
  const tables = scans.filter((node) => node['Relation Name'] !== undefined);
  const rows = tables.map(
    (node) =>
      (node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops'],
  );
  return {
    rows: rows.reduce((sum, one) => sum + one, 0),
    scans: scans.flatMap(
      (node) =>
        node['Index Name'] ?? (node['Node Type'] === 'Seq Scan' ? `seq ${node['Relation Name'] ?? ''}` : []),
    ),
  };
}

export type RepositoryClass<T> = new (...given: ConstructorParameters<typeof EntryListRepository>) => T;
type Queryable = { query(sql: string, bind?: readonly unknown[]): Promise<object[]> };

/** A repository that explains each of its statements before running it. */
export function explaining<T extends object>(
  repository: RepositoryClass<T>,
  notes: Touched[],
): RepositoryClass<T> {
  const Base = repository as unknown as RepositoryClass<Queryable>;
  class Explaining extends Base {
    override async query(sql: string, bind: readonly unknown[] = []): Promise<object[]> {
      if (/^\s*(SELECT|WITH)/.test(sql))
        notes.push(touched((await super.query(explain(sql), bind)) as ExplainRow[]));
      return super.query(sql, bind);
    }
  }
  return Explaining as unknown as RepositoryClass<T>;
}

export interface ExplainedPlace {
  readonly tenantId: string;
  readonly projectId: string;
  readonly environmentId: string;
}

/** Runs a repository method and returns the plans of its statements. */
export async function explainedAt<T extends object, R>(
  app: TestApp,
  place: ExplainedPlace,
  { repository, call }: { repository: RepositoryClass<T>; call: (repository: T) => Promise<R> },
): Promise<{ result: R; taken: Touched[] }> {
  const taken: Touched[] = [];
  const { tenantId, projectId, environmentId } = place;
  const scope = {
    ...systemScope({ command: 'test' }),
    tenantId,
    environmentId,
    projectId,
    isPlatform: false,
  };
  const request = { scope, isReadOnly: true, lock: 'none' } as const;
  const { units } = app.composition.services;
  const result = await units.run(request, (work) => call(work.use(explaining(repository, taken))));
  return { result, taken };
}

const literal = (value: unknown): string => {
  if (typeof value === 'number') return String(value);
  if (value === null) return 'NULL';
  if (Array.isArray(value))
    return pg.escapeLiteral(`{${value.map((one) => JSON.stringify(String(one))).join(',')}}`);
  if (typeof value === 'string') return pg.escapeLiteral(value);
  throw new TypeError('no value that these statements take');
};

async function asReader<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sessionSettings('headwater_reader'));
    return await work(client);
  } finally {
    await client.end();
  }
}

interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The generic plan of a prepared statement, as the reader role. */
export function genericPlan(url: string, { text, values }: Asked): Promise<Touched> {
  return asReader(url, async (client) => {
    await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE statement AS ${text}`);
    const sql = explain(`EXECUTE statement (${values.map(literal).join(', ')})`);
    return touched((await client.query<ExplainRow>(sql)).rows);
  });
}

/** The custom plan of a statement for these values, as the reader role. */
export function valuesPlan(url: string, { text, values }: Asked): Promise<Touched> {
  return asReader(url, async (client) =>
    touched((await client.query<ExplainRow>(explain(text), [...values])).rows),
  );
}

/** A pool that records its statements, and answers each with `rows`. */
export function notingPool(rows: readonly object[] = []): {
  pool: ReadPool;
  asked: { text: string; values: readonly unknown[] }[];
} {
  const asked: { text: string; values: readonly unknown[] }[] = [];
  const run = ({ text }: Statement, values: readonly unknown[]) => {
    asked.push({ text, values });
    return Promise.resolve(rows);
  };
  return { pool: { run } as unknown as ReadPool, asked };
}

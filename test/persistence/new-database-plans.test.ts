import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { sessionSettings } from '../../src/persistence/connections/session-settings.js';
import { openDesk, useOwnApp } from '../support/desk.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

interface ExplainRow {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
}

const app = useOwnApp();
const tables: ReadonlySet<string> = new Set(['entries', 'entry_locales', 'published_entries']);
/** All rows of an environment may have the same value in these. */
const shared: ReadonlySet<string> = new Set([
  'tenant_id',
  'environment_id',
  'content_type_id',
  'site_id',
  'locale',
]);

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Whether the scan may read all rows of an environment. */
function readsEnvironment({ 'Relation Name': table, 'Index Cond': condition }: PlanNode): boolean {
  if (table === undefined || !tables.has(table) || condition === undefined) return false;
  const columns = [...condition.matchAll(/\((\w+) = /g)].map(([, column = '']) => column);
  return columns.every((column) => shared.has(column));
}

describe('A database that was never analyzed', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(sessionSettings('headwater_service'));
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const plansOf = async (text: string): Promise<PlanNode[]> => {
    const { rows } = await client.query<ExplainRow>(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)));
  };

  /** Statements on many rows that may read all of an environment. */
  const readingWhole = async (
    statements: readonly string[],
    settings: readonly string[],
  ): Promise<string[]> => {
    const ofMany = statements.filter((text) =>
      /^\s*(?:WITH|SELECT|INSERT|UPDATE|DELETE)[^]*(?:unnest|ANY)/.test(text),
    );
    expect(ofMany.length).toBeGreaterThan(2);
    await client.query(['BEGIN', ...settings.map((name) => `SET LOCAL ${name} = off`)].join('; '));
    const whole: string[] = [];
    for (const text of ofMany) if ((await plansOf(text)).some(readsEnvironment)) whole.push(text);
    await client.query('ROLLBACK');
    return whole;
  };

  const makeEntries = async (): Promise<void> => {
    const desk = await openDesk(app());
    const { siteId } = desk.project;
    const item = { action: 'upsert', contentTypeApiName: 'article', siteId, publish: true };
    const items = [1, 2, 3].map((number) => ({
      ...item,
      externalId: `e-${String(number)}`,
      fields: { title: `Title ${String(number)}` },
    }));
    for (const _time of ['created', 'updated'])
      expect((await desk.post('/entries/batch', { items })).body.data.failed).toBe(0);
  };

  it('finds the entries of a batch by their keys', async () => {
    const { statements } = await app().recordStatements(makeEntries);
    expect(await readingWhole(statements, ['enable_hashjoin', 'enable_mergejoin'])).toEqual([]);
  });

  const jobs = () => app().composition.jobs;

  it.each([
    ['indexes entries for search', () => jobs().indexSearch(), ['enable_hashjoin', 'enable_mergejoin']],
    ['indexes documents for filters', () => jobs().indexFilters(), ['enable_hashjoin', 'enable_mergejoin']],
    ['assesses the health of entries', () => jobs().assessHealth(), []],
  ])('%s by their keys, with plans for any environment', async (_name, run, settings) => {
    await makeEntries();
    const { result, statements } = await app().recordStatements(run);
    expect(result).toBeGreaterThan(0);
    expect(await readingWhole(statements, settings)).toEqual([]);
    const transactions = statements
      .join('\n')
      .split(/^BEGIN/m)
      .slice(1);
    const ofEntries = transactions.filter((text) =>
      /(?:FROM|JOIN) (?:entries|entry_locales|published_entries) /.test(text),
    );
    expect(ofEntries.length).toBeGreaterThan(0);
    for (const text of ofEntries)
      expect(text).toContain("set_config('plan_cache_mode', 'force_generic_plan', true)");
  });
});

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

  it('finds the entries of a batch by their keys', async () => {
    const desk = await openDesk(app());
    const { siteId } = desk.project;
    const item = { action: 'upsert', contentTypeApiName: 'article', siteId, publish: true };
    const items = [1, 2, 3].map((number) => ({
      ...item,
      externalId: `e-${String(number)}`,
      fields: { title: `Title ${String(number)}` },
    }));
    const { statements } = await app().recordStatements(async () => {
      for (const _time of ['created', 'updated'])
        expect((await desk.post('/entries/batch', { items })).body.data.failed).toBe(0);
    });
    const ofMany = statements.filter((text) =>
      /^\s*(?:WITH|SELECT|INSERT|UPDATE)[^]*(?:unnest|ANY)/.test(text),
    );
    expect(ofMany.length).toBeGreaterThan(5);
    await client.query('BEGIN; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off');
    const whole: string[] = [];
    for (const text of ofMany) if ((await plansOf(text)).some(readsEnvironment)) whole.push(text);
    await client.query('ROLLBACK');
    expect(whole).toEqual([]);
  });
});

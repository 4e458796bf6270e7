import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { sessionSettings } from '../../src/persistence/connections/session-settings.js';
import { seedPages, types } from '../bench/growth/content.js';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createType } from '../support/factories/content.js';

const app = useOwnApp();
/** Enough rows for PostgreSQL to consider a hash join. */
const PAGES = 4000;
/** Tables that grow with a project. */
const large: ReadonlySet<string> = new Set([
  'entries',
  'entry_locales',
  'entry_versions',
  'entry_links',
  'published_entries',
  'tree_nodes',
  'routes',
  'unique_values',
]);

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Cond'?: string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

interface ExplainRow {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
}

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app(), { locales: ['en'] });
  for (const type of types.filter(({ apiName }) => apiName !== 'author'))
    await createType(app(), desk.project, type);
  const { tenantId, projectId, siteId } = desk.project;
  const [head] = await app().rows<{ id: string }>(
    tenantId,
    'SELECT environment_id AS id FROM environment_heads WHERE project_id = $1',
    [projectId],
  );
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  await seedPages(client, { tenantId, environmentId: head?.id ?? '', siteId }, PAGES);
  await client.end();
}, 120_000);

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const plansOf = async (client: pg.Client, text: string): Promise<PlanNode[]> => {
  const { rows } = await client.query<ExplainRow>(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)));
};

/** Tables with sequential scans in the generic plans of the statements. */
async function readWhole(statements: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  const whole: string[] = [];
  try {
    await client.query(sessionSettings('headwater_service'));
    for (const text of statements) {
      if (/^\s*(?:BEGIN|COMMIT|ROLLBACK)/.test(text)) {
        await client.query(text);
        continue;
      }
      if (!/^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)/.test(text)) continue;
      const nodes = await plansOf(client, text);
      const tables = nodes.flatMap((node) =>
        node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [],
      );
      whole.push(...tables.filter((table) => large.has(table)).map((table) => `${table}: ${text}`));
    }
  } finally {
    await client.end();
  }
  return whole;
}

describe('Cost of finding rows by key', () => {
  it('creates, publishes, renames and unpublishes a page without a sequential scan', async () => {
    const { statements } = await app().recordStatements(async () => {
      const { project } = desk;
      const fields = { title: 'New', body: 'Text', code: 'new' };
      const made = await desk.post('/entries', {
        contentTypeApiName: 'page',
        siteId: project.siteId,
        slug: 'new',
        fields,
      });
      const { id, version } = made.body.data;
      await desk.post(`/entries/${id}/publish`, {});
      const renamed = await desk.put(`/entries/${id}`, { version, slug: 'newer' });
      expect(renamed.status).toBe(200);
      await desk.post(`/entries/${id}/publish`, {});
      expect((await desk.post(`/entries/${id}/unpublish`, {})).status).toBe(200);
    });
    expect(statements.length).toBeGreaterThan(30);
    expect(await readWhole(statements)).toEqual([]);
  });

  it('finds the entry of an audit record by its key when activity is counted', async () => {
    const client = new pg.Client({ connectionString: app().databaseUrl });
    await client.connect();
    try {
      await client.query(sessionSettings('headwater_service'));
      const text = 'SELECT * FROM activity_records WHERE number > $1 AND number <= $2 AND tenant_id = $3';
      const scans = (await plansOf(client, text)).filter((node) => node['Relation Name'] === 'entries');
      expect(scans.map((node) => node['Index Cond'])).toEqual([expect.stringContaining('(id = ')]);
    } finally {
      await client.end();
    }
  });
});

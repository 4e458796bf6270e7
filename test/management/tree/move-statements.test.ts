import { expect, it } from '@jest/globals';
import pg from 'pg';
import { prefixes, seedPages, types } from '../../bench/growth/content.js';
import { seededId } from '../../bench/seed/bulk-entries.js';
import { useApp } from '../../support/desk.js';
import { createType } from '../../support/factories/content.js';
import { createProject } from '../../support/factories/project.js';
import { createFolder, onTree } from '../../support/factories/tree.js';

const app = useApp();
const PAGES = 300;

it('runs as many statements to move three hundred pages as to move one', async () => {
  const project = await createProject(app(), { locales: ['en'] });
  for (const type of types) await createType(app(), project, type);
  const [head] = await app().rows<{ environment_id: string }>(
    project.tenantId,
    'SELECT environment_id FROM environment_heads WHERE project_id = $1',
    [project.projectId],
  );
  const { tenantId, siteId } = project;
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  await seedPages(client, { tenantId, siteId, environmentId: head?.environment_id ?? '' }, PAGES);
  await client.end();
  const folder = await createFolder(app(), project, { slug: 'archive' });
  const move = (n: number) =>
    app().recordStatements(() =>
      onTree(app(), project, {
        method: 'POST',
        path: `/nodes/${seededId(prefixes.node, n)}/move`,
        body: { parentId: folder.id },
      }),
    );
  await move(PAGES - 3);
  const leaf = await move(PAGES - 1);
  const branch = await move(1);
  expect(leaf.result.body.meta).toEqual({ affected: 1, redirectsCreated: 1 });
  expect(branch.result.body.meta).toEqual({ affected: PAGES - 2, redirectsCreated: PAGES * 0.9 - 2 });
  expect(branch.statements).toHaveLength(leaf.statements.length);
});

import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { sessionWith } from '../../support/members.js';

const app = useApp();

describe('GET /tree/nodes/{id}', () => {
  it('returns the tree node that Location names after creation', async () => {
    const desk = await openDesk(app());
    const created = await desk.post('/tree/nodes', { siteId: desk.project.siteId, slug: 'news' });
    const read = await desk.get(`/tree/nodes/${created.body.data.id}`);
    expect(read.status).toBe(200);
    expect(read.body.data).toEqual(created.body.data);
    expect(created.headers.location).toBe(`${desk.project.management}/tree/nodes/${created.body.data.id}`);
  });

  it('returns 404 for an unknown tree node', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get('/tree/nodes/0198c0de-0000-7000-8000-000000000000'))).toEqual([
      404,
      'tree_node_not_found',
    ]);
  });

  it('returns 404 to a caller who can read another site only', async () => {
    const desk = await openDesk(app());
    const created = await desk.post('/tree/nodes', { siteId: desk.project.siteId, slug: 'news' });
    const other = await desk.post('/sites', { slug: 'other', name: 'Other' });
    const scope = { siteIds: [other.body.data.id] };
    const reader = desk.as(
      await sessionWith(app(), desk.project, [{ resource: 'tree', action: 'read', scope }]),
    );
    expect(outcome(await reader.get(`/tree/nodes/${created.body.data.id}`))).toEqual([
      404,
      'tree_node_not_found',
    ]);
  });
});

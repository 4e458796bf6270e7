import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { createPage, createPageType } from '../../support/factories/tree.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const author = { contentTypeApiName: 'author', fields: { name: 'Ada' } };

describe('200', () => {
  verifies('content/types', 'http/status-of-create-and-delete');

  it('deletes a type without entries and frees its name', async () => {
    const desk = await openDesk(app());
    const { id } = (await desk.get('/content-types/author')).body.data;
    const { status, body } = await desk.delete('/content-types/author');
    expect([status, body]).toEqual([200, { data: { id, deleted: true } }]);
    expect(outcome(await desk.get('/content-types/author'))).toEqual([404, 'content_type_not_found']);
    expect((await desk.post('/content-types', { apiName: 'author', name: 'Author' })).status).toBe(201);
  });

  it('deletes the deleted entries of the type with it', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, author);
    await desk.delete(`/entries/${id}`);
    expect((await desk.delete('/content-types/author')).status).toBe(200);
    expect(outcome(await desk.get(`/entries/${id}?deleted=true`))).toEqual([404, 'entry_not_found']);
    expect((await desk.get('/entries?deleted=true')).body.meta.total).toBe(0);
  });
});

describe('409', () => {
  verifies('content/types-in-use');

  it('returns 409 with the report of delete-check while the type has entries', async () => {
    const desk = await openDesk(app());
    const made = await createEntry(app(), desk.project, author);
    await publish(app(), desk.project, made.id);
    await createEntry(app(), desk.project, author);
    const report = (await desk.get('/content-types/author/delete-check')).body.data;
    const answer = await desk.delete('/content-types/author');
    expect(outcome(answer)).toEqual([409, 'content_type_in_use']);
    expect(answer.body.details).toEqual(report);
    expect(report).toMatchObject({
      canDelete: false,
      entryCount: 2,
      publishedEntryCount: 1,
      deletedEntryCount: 0,
      blockers: ['has_entries'],
    });
    expect(report.sampleEntryIds).toHaveLength(2);
  });
});

describe('delete-check', () => {
  verifies('content/types', 'content/types-in-use');

  it('lists the fields that allow the type and counts the entries that link to it', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, author);
    const referring = { contentTypeApiName: 'article', fields: { title: 'A', author: { _ref: id } } };
    await createEntry(app(), desk.project, referring);
    const { body } = await desk.get('/content-types/author/delete-check');
    expect(body.data.referencedBy).toEqual([
      { contentTypeApiName: 'article', fieldApiName: 'author', count: 1 },
    ]);
    expect(body.data.blockers).toEqual(['has_entries', 'is_referenced']);
  });

  it('reports a type as deletable if fields allow it but no entry uses them', async () => {
    const desk = await openDesk(app());
    const { body } = await desk.get('/content-types/author/delete-check');
    expect(body.data).toMatchObject({ canDelete: true, blockers: [], sampleEntryIds: [] });
    expect(body.data.referencedBy).toEqual([
      { contentTypeApiName: 'article', fieldApiName: 'author', count: 0 },
    ]);
  });

  it('counts the saved views and custom reports that name the type', async () => {
    const desk = await openDesk(app());
    for (const [name, contentTypeApiName] of Object.entries({
      A: ['author'],
      B: ['article', 'author'],
      C: ['article'],
    }))
      await desk.post('/views', { name, resource: 'entries', filters: { contentTypeApiName } });
    const metrics = [{ op: 'count' }];
    const filters = { contentTypeApiName: ['author'] };
    await desk.post('/custom-reports', { name: 'R', source: 'translations', metrics, filters });
    const { body } = await desk.get('/content-types/author/delete-check');
    expect(body.data).toMatchObject({ savedViewCount: 2, customReportCount: 1 });
  });

  it('counts the tree nodes of the type', async () => {
    verifies('content/settings-effective');
    const desk = await openDesk(app());
    await createPageType(app(), desk.project);
    const count = async () =>
      (await desk.get('/content-types/page/delete-check')).body.data.treeNodeCount as number;
    expect(await count()).toBe(0);
    const top = await createPage(app(), desk.project, { slug: 'top' });
    await createPage(app(), desk.project, { slug: 'below', treeParentId: top.treeNodeId });
    const article = { contentTypeApiName: 'article', fields: { title: 'A' } };
    const { id: entryId } = await createEntry(app(), desk.project, article);
    await desk.post('/tree/nodes', { entryId });
    expect(await count()).toBe(2);
    expect((await desk.get('/content-types/article/delete-check')).body.data.treeNodeCount).toBe(1);
  });

  it('returns 404 for the delete-check of an unknown type', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get('/content-types/nothing/delete-check'))).toEqual([
      404,
      'content_type_not_found',
    ]);
  });
});

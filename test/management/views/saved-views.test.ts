import { describe, expect, it } from '@jest/globals';
import { column, issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createMember, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { article } from '../entries/history.js';

const app = useApp();

const newView = async (desk: Desk, body: object = {}): Promise<Record<string, unknown> & { id: string }> => {
  const response = await desk.post('/views', { name: 'Drafts', resource: 'entries', ...body });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.body.data as Record<string, unknown> & { id: string };
};

const memberDesk = async (desk: Desk): Promise<Desk> => {
  const viewer = await systemRoleId(app(), desk.project, 'viewer');
  return desk.as((await createMember(app(), desk.project, [viewer])).token);
};

const changesOf = async (desk: Desk, id: string): Promise<string[]> => {
  const { body } = await desk.get(`/audit-events?targetId=${id}`);
  return (body.data as { action: string }[]).map(({ action }) => action).reverse();
};

describe('Saved views', () => {
  verifies('lists/views', 'lists/views-shared');

  it('are private unless shared, and list own and shared views', async () => {
    const desk = await openDesk(app());
    const member = await memberDesk(desk);
    const hidden = await newView(desk);
    const shared = await newView(desk, { name: 'Live', visibility: 'shared' });
    const own = await newView(member, { name: 'Mine' });
    expect(column(await member.get('/views?orderBy=createdAt:asc'), 'id')).toEqual([shared.id, own.id]);
    expect(column(await desk.get('/views?orderBy=createdAt:asc'), 'id')).toEqual([hidden.id, shared.id]);
    expect(column(await desk.get('/views?q=liv'), 'id')).toEqual([shared.id]);
    expect(outcome(await member.get(`/views/${hidden.id}`))).toEqual([404, 'view_not_found']);
    expect((await member.get(`/views/${shared.id}`)).body.data).toEqual(shared);
  });

  it('are changed and deleted by their creator only', async () => {
    const desk = await openDesk(app());
    const member = await memberDesk(desk);
    const { id } = await newView(desk, { visibility: 'shared' });
    expect(outcome(await member.put(`/views/${id}`, { name: 'Taken' }))).toEqual([403, 'not_view_owner']);
    expect(outcome(await member.delete(`/views/${id}`))).toEqual([403, 'not_view_owner']);
    expect((await desk.put(`/views/${id}`, { columns: ['title'] })).body.data.columns).toEqual(['title']);
    expect((await desk.delete(`/views/${id}`)).body.data).toEqual({ id, deleted: true });
    expect(outcome(await desk.get(`/views/${id}`))).toEqual([404, 'view_not_found']);
    expect(await changesOf(desk, id)).toEqual(['view.create', 'view.update', 'view.delete']);
  });

  it('have one default for each creator', async () => {
    const desk = await openDesk(app());
    const member = await memberDesk(desk);
    const first = await newView(desk, { isDefault: true });
    const other = await newView(member, { isDefault: true, visibility: 'shared' });
    const second = await newView(desk, { isDefault: true });
    const defaults = async () =>
      ((await desk.get('/views')).body.data as { id: string; isDefault: boolean }[])
        .filter(({ isDefault }) => isDefault)
        .map(({ id }) => id)
        .sort();
    expect(await defaults()).toEqual([other.id, second.id].sort());
    await desk.put(`/views/${first.id}`, { isDefault: true });
    expect(await defaults()).toEqual([first.id, other.id].sort());
    const both = await Promise.all(
      [1, 2, 3].map(() => desk.post('/views', { name: 'X', resource: 'entries', isDefault: true })),
    );
    expect(both.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await defaults()).toHaveLength(2);
  });

  it('take lists of values as text with commas, as lists do', async () => {
    const desk = await openDesk(app());
    const { id, filters } = await newView(desk, {
      filters: { contentTypeApiName: 'article,author', q: 'a,b' },
    });
    expect(filters).toEqual({ contentTypeApiName: ['article', 'author'], q: 'a,b' });
    const media = await newView(desk, { resource: 'media', filters: { tag: 'a\\,b,c\\d' } });
    expect(media.filters).toEqual({ tag: ['a,b', 'c\\d'] });
    const changed = await desk.put(`/views/${id}`, { filters: { status: 'draft' } });
    expect(changed.body.data.filters).toEqual({ status: ['draft'] });
    expect(issues(await desk.put(`/views/${id}`, { filters: { status: 'draft,lost' } }))).toEqual([
      ['filters.status.1', 'invalid_value'],
    ]);
    await article(desk);
    expect(column(await desk.get(`/entries?viewId=${id}`), 'status')).toEqual(['draft']);
  });

  it('reject filters and orders that the list does not have', async () => {
    const desk = await openDesk(app());
    const unknown = await desk.post('/views', { name: 'X', resource: 'entries', filters: { colour: 'red' } });
    expect(issues(unknown)).toEqual([['filters.colour', 'unrecognized_key']]);
    const wrong = await desk.post('/views', {
      name: 'X',
      resource: 'entries',
      filters: { status: ['lost'] },
    });
    expect(issues(wrong)).toEqual([['filters.status.0', 'invalid_value']]);
    const order = await desk.post('/views', { name: 'X', resource: 'entries', orderBy: 'colour:asc' });
    expect(issues(order)).toEqual([['orderBy', 'invalid_format']]);
    const { id } = await newView(desk);
    expect(issues(await desk.put(`/views/${id}`, { filters: { page: 2 } }))).toEqual([
      ['filters.page', 'unrecognized_key'],
    ]);
    expect(outcome(await desk.post('/views', { name: 'X', resource: 'tenants' }))).toEqual([
      422,
      'validation_failed',
    ]);
  });
});

describe('GET entries with viewId', () => {
  verifies('lists/views-applied');

  it('applies filters and order of the view where the request sets none', async () => {
    const desk = await openDesk(app());
    const first = await article(desk, { title: 'First lock' });
    const second = await article(desk, { title: 'Second lock' });
    await article(desk, { title: 'A weir' });
    const { id } = await newView(desk, {
      filters: { q: 'lock', status: ['draft'] },
      orderBy: 'createdAt:asc',
    });
    expect(column(await desk.get(`/entries?viewId=${id}`), 'id')).toEqual([first.id, second.id]);
    expect(column(await desk.get(`/entries?viewId=${id}&orderBy=createdAt:desc`), 'id')).toEqual([
      second.id,
      first.id,
    ]);
    expect(column(await desk.get(`/entries?viewId=${id}&q=second`), 'id')).toEqual([second.id]);
    expect((await desk.get(`/entries?viewId=${id}&status=published`)).body.meta.total).toBe(0);
  });

  it('returns 404 for an unknown view and for the private view of another user', async () => {
    const desk = await openDesk(app());
    const hidden = await newView(await memberDesk(desk));
    for (const id of [hidden.id, 'x', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'])
      expect(outcome(await desk.get(`/entries?viewId=${id}`))).toEqual([404, 'view_not_found']);
  });

  it('shows a member no more entries than the list itself', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'One' });
    const { id } = await newView(desk, { visibility: 'shared' });
    const translator = await systemRoleId(app(), desk.project, 'translator');
    const member = desk.as((await createMember(app(), desk.project, [translator])).token);
    const plain = await member.get('/entries');
    expect((await member.get(`/entries?viewId=${id}`)).body).toEqual(plain.body);
  });

  it('names the deleted content type of a view, keeps the view, and finds nothing in a state that does not exist', async () => {
    const desk = await openDesk(app());
    await desk.post('/content-types', {
      apiName: 'note',
      name: 'Note',
      fields: [{ apiName: 'title', type: 'text' }],
    });
    const siteId = desk.project.siteId;
    const made = await desk.post('/entries', {
      contentTypeApiName: 'note',
      siteId,
      fields: { title: 'One' },
    });
    const body = { filters: { contentTypeApiName: ['note'] }, columns: ['title'] };
    const view = await newView(desk, body);
    const translations = await newView(desk, { ...body, resource: 'translations' });
    const inState = await newView(desk, { filters: { workflowState: ['gone'] } });
    expect((await desk.get(`/entries?viewId=${inState.id}`)).body.meta.total).toBe(0);
    await desk.delete('/content-types/note/fields/title?force=true');
    for (const path of [`/entries?viewId=${view.id}`, `/translations?viewId=${translations.id}`])
      expect((await desk.get(path)).body.meta.total).toBe(1);
    await desk.delete(`/entries/${made.body.data.id as string}`);
    expect((await desk.delete('/content-types/note?force=true')).status).toBe(200);
    for (const path of [`/entries?viewId=${view.id}`, `/translations?viewId=${translations.id}`])
      expect(outcome(await desk.get(path))).toEqual([404, 'content_type_not_found']);
    expect((await desk.get(`/entries?viewId=${view.id}&contentTypeApiName=article`)).status).toBe(200);
    expect((await desk.get(`/views/${view.id}`)).body.data).toMatchObject(body);
  });
});

describe('GET media with viewId', () => {
  verifies('lists/views-applied');

  it('applies views of media only', async () => {
    const desk = await openDesk(app());
    const file = { fileName: 'lock.txt', content: Buffer.from('A lock.').toString('base64') };
    const tagged = await desk.post('/media/upload', { file, tags: ['harbour'] });
    await desk.post('/media/upload', {
      file: { ...file, content: Buffer.from('A weir.').toString('base64') },
    });
    const view = await newView(desk, { resource: 'media', filters: { tag: ['harbour'] } });
    expect(column(await desk.get(`/media?viewId=${view.id}`), 'id')).toEqual([tagged.body.data.id]);
    expect(outcome(await desk.get(`/entries?viewId=${view.id}`))).toEqual([404, 'view_not_found']);
  });
});

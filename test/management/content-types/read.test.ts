import { describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useApp } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('GET content-types', () => {
  verifies('content/types', 'lists/pages', 'lists/envelope');

  it('lists the types of the project with their fields, last changed first', async () => {
    const desk = await openDesk(app());
    await desk.put('/content-types/author', { name: 'Writer' });
    const answer = await desk.get('/content-types');
    const { status, body } = answer;
    expect(status).toBe(200);
    expect(column(answer, 'apiName')).toEqual(['author', 'article']);
    expect(body.data[1].fields).toHaveLength(5);
    expect(body.meta).toEqual({ total: 2, page: 1, limit: 25, pages: 1 });
  });

  it('pages, sorts and searches types by name', async () => {
    const desk = await openDesk(app());
    await desk.post('/content-types', { apiName: 'percent', name: '100%_sure' });
    const names = async (query: string) => column(await desk.get(`/content-types?${query}`), 'apiName');
    expect(await names('orderBy=name:desc&limit=1&page=3')).toEqual(['percent']);
    expect(await names('orderBy=createdAt:asc')).toEqual(['author', 'article', 'percent']);
    expect(await names('q=100%25_S')).toEqual(['percent']);
    expect(await names('q=%25')).toEqual(['percent']);
    expect(await names('page=9')).toEqual([]);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=ten',
    'page=0',
    'page=1.5',
    'orderBy=fields:asc',
    'orderBy=name',
    'q=',
  ])('returns 422 for %s', async (query) => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get(`/content-types?${query}`))).toEqual([422, 'validation_failed']);
  });
});

describe('GET content-types/{apiName}', () => {
  verifies('http/missing-things');

  it('counts the entries of a type except deleted ones', async () => {
    const desk = await openDesk(app());
    const made = await createEntry(app(), desk.project, { contentTypeApiName: 'author' });
    await createEntry(app(), desk.project, { contentTypeApiName: 'author' });
    await desk.delete(`/entries/${made.id}`);
    expect((await desk.get('/content-types/author')).body.data.entryCount).toBe(1);
  });

  it.each(['nothing', 'Article', '%00', 'a%2Fb', '%ff'])('returns 404 for %s', async (apiName) => {
    const desk = await openDesk(app());
    expect((await desk.get(`/content-types/${apiName}`)).status).toBe(404);
  });
});

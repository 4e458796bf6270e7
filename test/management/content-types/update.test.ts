import { describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('200', () => {
  verifies('content/types', 'http/put-partial');

  it('changes the given keys of a type, clears null keys and keeps the others', async () => {
    const desk = await openDesk(app());
    await desk.put('/content-types/article', { description: 'Long', isPage: true });
    const { status, body } = await desk.put('/content-types/article', { description: null, name: 'Story' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'Story', description: null, isPage: true, schemaVersion: 3 });
    expect((await desk.get('/content-types/article')).body.data).toEqual(body.data);
  });

  it('changes nothing, not even version and time, if the values are equal', async () => {
    const desk = await openDesk(app());
    const before = (await desk.get('/content-types/article')).body.data;
    const { body } = await desk.put('/content-types/article', { name: before.name, isPage: before.isPage });
    expect(body.data).toEqual(before);
  });

  it('updates the titles of entries when the display field changes', async () => {
    const desk = await openDesk(app());
    const fields = { title: 'River', code: 'R-1' };
    await createEntry(app(), desk.project, { contentTypeApiName: 'article', fields });
    await desk.put('/content-types/article', { displayField: 'code' });
    const found = await desk.get('/entries?q=R-1');
    expect(found.body.meta.total).toBe(1);
  });
});

describe('409', () => {
  it('returns 409 when a type with several entries per site becomes a single-entry type', async () => {
    const desk = await openDesk(app());
    await createEntry(app(), desk.project, { contentTypeApiName: 'author' });
    expect((await desk.put('/content-types/author', { isSingleton: true })).status).toBe(200);
    await desk.put('/content-types/author', { isSingleton: false });
    await createEntry(app(), desk.project, { contentTypeApiName: 'author' });
    const answer = await desk.put('/content-types/author', { isSingleton: true });
    expect(outcome(answer)).toEqual([409, 'content_type_in_use']);
  });
});

describe('422', () => {
  verifies('http/put-partial');

  it('returns 422 for an update without keys', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.put('/content-types/article', {}))).toEqual([422, 'no_update_fields']);
    expect(outcome(await desk.put('/content-types/article'))).toEqual([422, 'no_update_fields']);
  });

  it('returns 422 for a change of the apiName', async () => {
    const desk = await openDesk(app());
    const answer = await desk.put('/content-types/article', { apiName: 'story' });
    expect(issues(answer)).toEqual([['apiName', 'read_only']]);
  });

  it.each([
    [{ displayField: 'nothing' }, 'displayField'],
    [{ slugPattern: '(' }, 'slugPattern'],
    [{ name: '' }, 'name'],
    [{ name: null }, 'name'],
  ])('returns 422 for the update %j', async (body, path) => {
    const desk = await openDesk(app());
    const answer = await desk.put('/content-types/article', body);
    expect(outcome(answer)).toEqual([422, 'validation_failed']);
    expect(issues(answer)[0]?.[0]).toBe(path);
  });
});

describe('404', () => {
  it('returns 404 for an unknown type if the body is valid', async () => {
    const desk = await openDesk(app());
    const missing = await desk.put('/content-types/nothing', { name: 'X' });
    expect(outcome(missing)).toEqual([404, 'content_type_not_found']);
    expect(outcome(await desk.put('/content-types/nothing', {}))).toEqual([422, 'no_update_fields']);
  });
});

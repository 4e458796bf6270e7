import { describe, expect, it } from '@jest/globals';
import { column, openDesk, outcome, useApp } from '../../support/desk.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const title = '/content-types/article/fields/title';
const article = { contentTypeApiName: 'article', fields: { title: 'One', code: 'c' } };

describe('200', () => {
  verifies('content/fields', 'http/status-of-create-and-delete');

  it('deletes a field without values and moves the others', async () => {
    const desk = await openDesk(app());
    const [first] = (await desk.get('/content-types/article/fields')).body.data as { id: string }[];
    const { status, body } = await desk.delete(title);
    expect([status, body]).toEqual([200, { data: { id: first?.id, deleted: true } }]);
    const { data } = (await desk.get('/content-types/article')).body as {
      data: { displayField: string | null };
    };
    expect(data.displayField).toBeNull();
    const answer = await desk.get('/content-types/article/fields');
    expect(column(answer, 'position')).toEqual([0, 1, 2, 3]);
  });

  it.each(['title', 'code'])(
    'removes values of %s with force, published ones included, and keeps entries published',
    async (name) => {
      const desk = await openDesk(app());
      const { id } = await createEntry(app(), desk.project, article);
      await publish(app(), desk.project, id);
      const path = `/content-types/article/fields/${name}`;
      expect((await desk.delete(`${path}?force=true`)).status).toBe(200);
      const entry = (await desk.get(`/entries/${id}`)).body.data as { status: string; fields: object };
      expect([entry.status, Object.keys(entry.fields)]).toEqual([
        'published',
        name === 'title' ? ['code'] : ['title'],
      ]);
      const { body } = await app().request.get(`${desk.project.delivery}/entries/${id}`);
      expect(body.data.fields).not.toHaveProperty(name);
    },
  );

  it('clears the source of a slug field when the source is deleted', async () => {
    const desk = await openDesk(app());
    const fields = [
      { apiName: 'title', type: 'text' },
      { apiName: 'handle', type: 'slug', settings: { sourceField: 'title' } },
    ];
    await createType(app(), desk.project, { apiName: 'page', fields });
    await desk.delete('/content-types/page/fields/title');
    expect((await desk.get('/content-types/page')).body.data.fields[0].settings).toEqual({});
    expect((await desk.put('/content-types/page/fields/handle', { name: 'Handle 2' })).status).toBe(200);
  });

  it('frees the unique values of a deleted field', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, article);
    await publish(app(), desk.project, id);
    await desk.delete('/content-types/article/fields/code?force=true');
    const rows = await app().rows(desk.project.tenantId, 'SELECT 1 FROM unique_values WHERE entry_id = $1', [
      id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('409', () => {
  verifies('content/types-in-use');

  it('returns 409 with the number of entries that have a value, deleted ones included', async () => {
    const desk = await openDesk(app());
    const [one, two] = [
      await createEntry(app(), desk.project, article),
      await createEntry(app(), desk.project, article),
    ];
    await desk.delete(`/entries/${one.id}`);
    const answer = await desk.delete(title);
    expect(outcome(answer)).toEqual([409, 'field_in_use']);
    expect(answer.body.details).toEqual({ entryCount: 2 });
    expect((await desk.get(`/entries/${two.id}`)).body.data.fields.title).toBe('One');
  });
});

describe('A value in published documents only', () => {
  verifies('content/types-in-use');

  it.each(['title', 'code'])('returns 409 for %s unless force is set', async (name) => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, article);
    await publish(app(), desk.project, id);
    await desk.put(`/entries/${id}`, { version: 1, fields: { [name]: null } });
    const path = `/content-types/article/fields/${name}`;
    expect((await desk.delete(path)).body).toMatchObject({
      error: 'field_in_use',
      details: { entryCount: 1 },
    });
    const live = async () =>
      (await app().request.get(`${desk.project.delivery}/entries/${id}`)).body.data.fields;
    expect(await live()).toMatchObject(article.fields);
    expect((await desk.delete(`${path}?force=true`)).status).toBe(200);
    expect(await live()).not.toHaveProperty(name);
  });

  it('ignores published documents in which the field is empty', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(app(), desk.project, article);
    await publish(app(), desk.project, id);
    for (const name of ['body', 'related'])
      expect((await desk.delete(`/content-types/article/fields/${name}`)).status).toBe(200);
  });
});

describe('404 and 422', () => {
  it('returns 404 for an unknown field and 422 for an invalid force', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.delete('/content-types/article/fields/nothing'))).toEqual([
      404,
      'field_not_found',
    ]);
    expect(outcome(await desk.delete('/content-types/nothing/fields/title'))).toEqual([
      404,
      'content_type_not_found',
    ]);
    expect(outcome(await desk.delete(`${title}?force=yes`))).toEqual([422, 'validation_failed']);
  });
});

describe('GET fields', () => {
  verifies('content/fields', 'lists/pages');

  it('lists the fields in order on one page', async () => {
    const desk = await openDesk(app());
    const answer = await desk.get('/content-types/article/fields');
    expect(column(answer, 'apiName')).toEqual(['title', 'body', 'author', 'related', 'code']);
    expect(answer.body.meta).toEqual({ total: 5, page: 1, limit: 100, pages: 1 });
    const sorted = await desk.get('/content-types/article/fields?orderBy=name:desc&limit=2');
    expect(column(sorted, 'apiName')).toEqual(['title', 'related']);
  });

  it('returns 404 for the fields of an unknown type', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get('/content-types/nothing/fields'))).toEqual([404, 'content_type_not_found']);
  });
});

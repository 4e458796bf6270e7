import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SchemaDocument } from '../../contracts/deployment/schema/schema-plan.js';
import { typeNameOf } from '../../src/content/model/api-names.js';
import { writeBodies } from '../../src/features/publishing/delivery/index.js';
import { openDesk, useApp, type Desk } from '../support/desk.js';
import { branch } from '../support/factories/branch.js';
import { createEntry, createType, publish } from '../support/factories/content.js';
import { verifies } from '../support/verifies.js';

const app = useApp();

verifies('publication/documents');

/** More than the text of which only the fields are read that a query names. */
const long = 'Water runs downhill. '.repeat(300);

interface Names {
  readonly note: string;
  readonly page: string;
}

/** Notes, of which pages name one, all published. */
class Notebook {
  names: Names = { note: 'note', page: 'page' };

  private constructor(
    readonly desk: Desk,
    readonly ids: { readonly note: string; readonly long: string; readonly page: string },
  ) {}

  static async open(): Promise<Notebook> {
    const desk = await openDesk(app());
    const { project } = desk;
    const text = (apiName: string) => ({ apiName, type: 'text' });
    await createType(app(), project, {
      apiName: 'note',
      fields: [
        text('title'),
        { apiName: 'words', type: 'longText' },
        text('unused'),
        text('spare'),
        text('kept'),
      ],
    });
    await createType(app(), project, {
      apiName: 'page',
      fields: [
        text('title'),
        { apiName: 'about', type: 'reference', settings: { contentTypes: ['note'] } },
        { apiName: 'more', type: 'reference', isList: true, settings: { contentTypes: ['note'] } },
      ],
    });
    const make = async (contentTypeApiName: string, fields: Record<string, unknown>) => {
      const { id } = await createEntry(app(), project, { contentTypeApiName, fields });
      await publish(app(), project, id);
      return id;
    };
    const note = await make('note', { title: 'A', words: 'Short', spare: 'S', kept: 'K' });
    const second = await make('note', { title: 'B', words: long, kept: 'L' });
    const links = { about: { _ref: note }, more: [{ _ref: second }, { _ref: note }] };
    return new Notebook(desk, { note, long: second, page: await make('page', { title: 'P', ...links }) });
  }

  async #graphql(query: string): Promise<unknown> {
    const { slug, keys } = this.desk.project;
    const answer = await app()
      .request.post(`/api/graphql/${slug}`)
      .set('Authorization', `Bearer ${keys.delivery}`)
      .send({ query });
    expect(answer.body.errors).toBeUndefined();
    return answer.body.data as unknown;
  }

  async #rest(path: string): Promise<unknown> {
    const answer = await app().request.get(`${this.desk.project.delivery}/${path}`);
    expect(answer.status).toBe(200);
    return answer.body.data as unknown;
  }

  /** The same facts by every way of asking. */
  async read(): Promise<Record<string, unknown>> {
    const { ids, names } = this;
    const [note, page] = [typeNameOf(names.note), typeNameOf(names.page)];
    const fields = `... on ${note} { title words kept }`;
    const nested = `... on ${page} { title about { ${fields} } more { ${fields} } }`;
    return {
      list: await this.#graphql(`{ ${names.note}Collection { items { title words kept } } }`),
      entry: await this.#graphql(`{ entry(id: "${ids.note}") { ${fields} } }`),
      long: await this.#graphql(`{ entry(id: "${ids.long}") { ${fields} } }`),
      nested: await this.#graphql(`{ ${names.page}Collection { items { ${nested} } } }`),
      nestedEntry: await this.#graphql(`{ entry(id: "${ids.page}") { ${nested} } }`),
      one: await this.#rest(`entries/${ids.note}?fields=title,kept`),
      page: await this.#rest(`entries/${ids.page}?include=1&fields=title,about,more`),
      rest: await this.#rest(`content/${names.note}?fields=title,words,kept`),
    };
  }

  expected(): object {
    const { names } = this;
    const short = { title: 'A', words: 'Short', kept: 'K' };
    const large = { title: 'B', words: long, kept: 'L' };
    const nested = { title: 'P', about: short, more: [large, short] };
    const of = (fields: object) => expect.objectContaining({ fields: expect.objectContaining(fields) });
    return {
      list: { [`${names.note}Collection`]: { items: [large, short] } },
      entry: { entry: short },
      long: { entry: large },
      nested: { [`${names.page}Collection`]: { items: [nested] } },
      nestedEntry: { entry: nested },
      one: of({ title: 'A', kept: 'K' }),
      page: of({ title: 'P', about: of(short), more: [of(large), of(short)] }),
      rest: [of(large), of(short)],
    };
  }
}

let book: Notebook;
beforeEach(async () => {
  book = await Notebook.open();
});

const ok = (status: number) => expect([200, 201, 202]).toContain(status);

const types = async (desk: Desk): Promise<SchemaDocument> => {
  const { contentTypes } = (await desk.get('/schema/export')).body.data.schema as SchemaDocument;
  return { contentTypes };
};

async function apply(desk: Desk, change: (document: string) => string): Promise<string> {
  const schema = JSON.parse(change(JSON.stringify(await types(desk)))) as object;
  const applied = await desk.post('/schema/apply', { schema, allowDestructive: true });
  ok(applied.status);
  expect(applied.body.data.applyId).toEqual(expect.any(String));
  return applied.body.data.applyId as string;
}

const withoutField = (name: string) => (document: string) =>
  document.replace(new RegExp(`\\{"apiName":"${name}",[^{}]*\\},?`), '');

/** Every operation that changes stored values of published documents without publishing them. */
const operations: Record<string, (desk: Desk) => Promise<void>> = {
  'a field without values is deleted': async (desk) => {
    ok((await desk.delete('/content-types/note/fields/unused')).status);
  },
  'a field with values is deleted': async (desk) => {
    ok((await desk.delete('/content-types/note/fields/spare?force=true')).status);
  },
  'a field is renamed': async (desk) => {
    ok((await desk.post('/content-types/note/fields/spare/rename', { apiName: 'other' })).status);
  },
  'a field without values is renamed': async (desk) => {
    ok((await desk.post('/content-types/note/fields/unused/rename', { apiName: 'other' })).status);
  },
  'a field without values becomes a list': async (desk) => {
    ok((await desk.put('/content-types/note/fields/unused', { isList: true })).status);
  },
  'the type that others name is renamed': async (desk) => {
    ok((await desk.post('/content-types/note/rename', { apiName: 'memo' })).status);
    book.names = { ...book.names, note: 'memo' };
  },
  'the type that names others is renamed': async (desk) => {
    ok((await desk.post('/content-types/page/rename', { apiName: 'leaf' })).status);
    book.names = { ...book.names, page: 'leaf' };
  },
  'a schema is applied': async (desk) => {
    await apply(desk, withoutField('spare'));
  },
  'a schema is applied and undone': async (desk) => {
    const applyId = await apply(desk, (document) =>
      document.replace('"apiName":"unused"', '"apiName":"new"'),
    );
    ok((await desk.post('/schema/undo', { applyId })).status);
  },
  'a changed type is promoted': async (desk) => {
    const slug = await branch({ app: app(), project: desk.project });
    const there = desk.in(slug);
    ok((await there.delete('/content-types/note/fields/spare?force=true')).status);
    ok((await there.post('/content-types/note/fields/unused/rename', { apiName: 'other' })).status);
    ok((await desk.post(`/environments/${slug}/promote`, { mode: 'full' })).status);
  },
  'a promoted type is rolled back': async (desk) => {
    const slug = await branch({ app: app(), project: desk.project });
    ok((await desk.in(slug).delete('/content-types/note/fields/spare?force=true')).status);
    const promoted = await desk.post(`/environments/${slug}/promote`, { mode: 'full' });
    ok(promoted.status);
    const { promotionId } = promoted.body.data as { promotionId: string };
    ok((await desk.post('/environments/main/rollback', { promotionId })).status);
  },
};

const onError = (error: unknown) => {
  throw error;
};

describe('Published entries say the same by REST and GraphQL', () => {
  it.each(Object.keys(operations))('after %s', async (name) => {
    expect(await book.read()).toEqual(book.expected());
    await operations[name]?.(book.desk);
    expect(await book.read()).toEqual(book.expected());
    // Kept answers, then those of the texts that the job writes.
    await writeBodies({ units: app().composition.services.units, onError });
    expect(await book.read()).toEqual(book.expected());
    app().composition.coherence.purgeAll();
    expect(await book.read()).toEqual(book.expected());
  });

  it('while no text is stored, also of a document without any value', async () => {
    const { desk, ids } = book;
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'note', fields: {} });
    await publish(app(), desk.project, id);
    await app().rows(
      desk.project.tenantId,
      'UPDATE published_entries SET body = NULL, fields = CASE WHEN entry_id = $1 THEN $2::jsonb ELSE fields END',
      [id, '{}'],
    );
    const { slug, keys } = desk.project;
    const query = `{ empty: entry(id: "${id}") { _id ... on Note { title } } full: entry(id: "${ids.note}") { ... on Note { title } } }`;
    const answer = await app()
      .request.post(`/api/graphql/${slug}`)
      .set('Authorization', `Bearer ${keys.delivery}`)
      .send({ query });
    expect(answer.body).toMatchObject({ data: { empty: { _id: id, title: null }, full: { title: 'A' } } });
  });
});

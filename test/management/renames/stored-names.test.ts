import { beforeAll, describe, expect, it } from '@jest/globals';
import { createType, publish } from '../../support/factories/content.js';
import { branch } from '../../support/factories/branch.js';
import { createProject } from '../../support/factories/project.js';
import { createMember, createRole, type TestGrant } from '../../support/members.js';
import { Desk, useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { columnsOf, following, history, nameless } from './name-columns.js';

const app = useOwnApp();

interface Column {
  readonly table: string;
  readonly column: string;
}

/** Every column of the database that holds text, but for ids and numbers. */
const textColumns = (): Promise<Column[]> =>
  app().rows<Column>(
    null,
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = 'public' AND udt_name NOT IN ('_uuid', '_int4')
       AND data_type IN ('text', 'jsonb', 'json', 'ARRAY', 'character varying', 'USER-DEFINED', 'bytea', 'tsvector')`,
  );

/** Columns with a row of the tenant that contains one of the names as a whole word. */
async function columnsNaming({ project }: Desk, ...names: string[]): Promise<string[]> {
  const searches = (await textColumns()).map(
    ({ table, column }) =>
      `SELECT '${table}.${column}' AS name WHERE EXISTS (SELECT FROM "${table}" WHERE "${column}"::text ~ $1)`,
  );
  const pattern = `\\m(${names.join('|')})\\M`;
  const rows = await app().rows<{ name: string }>(project.tenantId, searches.join(' UNION ALL '), [pattern]);
  return rows.map(({ name }) => name).toSorted();
}

async function openDesk(): Promise<Desk> {
  const project = await createProject(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }] });
  return new Desk(app(), project);
}

const make = async (desk: Desk, path: string, body: object): Promise<string> => {
  const response = await desk.post(path, body);
  expect([path, response.body]).toEqual([path, expect.objectContaining({ data: expect.anything() })]);
  return (response.body as { data: { id: string } }).data.id;
};

const read = async (desk: Desk, path: string): Promise<Record<string, unknown>> =>
  (await desk.get(path)).body.data as Record<string, unknown>;

const rename = async (desk: Desk, path: string, apiName: string): Promise<void> => {
  const { status, body } = await desk.post(`/content-types/${path}/rename`, { apiName });
  expect([status, (body as { error?: object }).error]).toEqual([200, undefined]);
};

const updates = (fields: readonly string[], contentTypes?: readonly string[]): TestGrant => ({
  resource: 'entries',
  action: 'update',
  scope: { fields, ...(contentTypes && { contentTypes }) },
});

/** One type and two fields, named wherever a type and a field can be named. */
async function nameEverywhere(desk: Desk) {
  const { project } = desk;
  await createType(app(), project, { apiName: 'plain', fields: [{ apiName: 'oldsum', type: 'integer' }] });
  await createType(app(), project, {
    apiName: 'note',
    isBlock: true,
    fieldFallback: true,
    fields: [
      { apiName: 'about', type: 'reference', isList: true },
      { apiName: 'text', type: 'text' },
    ],
  });
  await createType(app(), project, {
    apiName: 'oldtype',
    displayField: 'oldfield',
    fieldFallback: true,
    fields: [
      { apiName: 'oldfield', type: 'text' },
      { apiName: 'oldsum', type: 'integer', localized: false },
      { apiName: 'handle', type: 'slug', localized: false, settings: { sourceField: 'oldfield' } },
      { apiName: 'related', type: 'reference', isList: true, settings: { contentTypes: ['oldtype'] } },
      { apiName: 'body', type: 'richText', validations: { allowedLinks: ['oldtype'] } },
      { apiName: 'notes', type: 'blocks', settings: { contentTypes: ['note'] } },
    ],
  });
  const first = await make(desk, '/entries', {
    contentTypeApiName: 'oldtype',
    siteId: project.siteId,
    locale: 'en',
    fields: { oldfield: 'One', oldsum: 1 },
  });
  const link = { _ref: first, _type: 'oldtype' };
  await desk.put('/content-types/oldtype/fields/related', { defaultValue: [link] });
  const entry = await make(desk, '/entries', {
    contentTypeApiName: 'oldtype',
    siteId: project.siteId,
    locale: 'en',
    fields: {
      oldfield: 'Two',
      oldsum: 2,
      related: [link],
      notes: [{ _type: 'note', fields: { about: [link], text: 'Why' } }],
    },
  });
  for (const id of [first, entry]) await publish(app(), project, id);
  await desk.put(`/entries/${first}`, { version: 1, locale: 'de', slug: 'eins' });
  await publish(app(), project, first, 'de');
  await desk.put(`/entries/${entry}`, { version: 1, locale: 'de', fields: { oldfield: 'Zwei' } });
  await publish(app(), project, entry, 'de');
  await make(desk, `/entries/${entry}/comments`, {
    text: 'Why?',
    anchor: { field: 'oldfield', locale: 'en' },
  });
  const filters = { contentTypeApiName: ['oldtype'] };
  return {
    entry,
    view: await make(desk, '/views', {
      name: 'V',
      resource: 'entries',
      filters,
      columns: ['title', 'fields.oldfield', 'oldsum'],
    }),
    report: await make(desk, '/custom-reports', {
      name: 'R',
      source: 'entries',
      metrics: [{ op: 'sum', field: 'fields.oldsum' }],
      groupBy: ['fields.oldfield'],
      filters: { ...filters, 'fields.oldfield': ['Two'] },
    }),
    webhook: await make(desk, '/webhooks', {
      name: 'W',
      url: 'https://hooks.example.com/',
      events: ['*'],
      filters: { contentTypes: ['oldtype'] },
    }),
    role: await createRole(app(), project, [updates(['oldfield', '_slug'], ['oldtype'])]),
  };
}

const scopes = async (desk: Desk, role: string): Promise<unknown[]> => {
  const grants = (await desk.get(`/roles/${role}/permissions`)).body.data as { scope: unknown }[];
  return grants.map(({ scope }) => scope);
};

it('classifies every column that holds text', async () => {
  const classified = [following, history, nameless].flatMap(columnsOf);
  const stored = (await textColumns()).map(({ table, column }) => `${table}.${column}`);
  expect(classified.toSorted()).toEqual(stored.toSorted());
});

describe('the rename of a content type and its fields', () => {
  verifies('content/renames-of-stored-names');
  let desk: Desk;
  let made: Awaited<ReturnType<typeof nameEverywhere>>;

  beforeAll(async () => {
    desk = await openDesk();
    made = await nameEverywhere(desk);
  });

  it('reaches every column that names one, and leaves the former names to what says what was', async () => {
    await desk.delete('/content-types/plain');
    const expected = columnsOf(following)
      .filter((column) => !unseen.includes(column))
      .toSorted();
    const followed = (columns: readonly string[]) => columns.filter((column) => expected.includes(column));
    expect(followed(await columnsNaming(desk, 'oldtype', 'Oldtype', 'oldfield', 'oldsum'))).toEqual(expected);
    await rename(desk, 'oldtype', 'newtype');
    await rename(desk, 'newtype/fields/oldfield', 'newfield');
    await rename(desk, 'newtype/fields/oldsum', 'newsum');
    const past = columnsOf(history);
    const left = await columnsNaming(desk, 'oldtype', 'Oldtype', 'oldfield', 'oldsum');
    expect(left.filter((column) => !past.includes(column))).toEqual([]);
    const renamed = followed(await columnsNaming(desk, 'newtype', 'Newtype', 'newfield', 'newsum'));
    expect(renamed).toEqual(expected.filter((column) => column !== writtenLater));
  });

  it('keeps views, reports, webhooks and grants as they were', async () => {
    expect(await read(desk, `/views/${made.view}`)).toMatchObject({
      filters: { contentTypeApiName: ['newtype'] },
      columns: ['title', 'fields.newfield', 'newsum'],
    });
    expect((await desk.get(`/entries?viewId=${made.view}`)).body.meta.total).toBe(2);
    expect(await read(desk, `/custom-reports/${made.report}`)).toMatchObject({
      metrics: [{ op: 'sum', field: 'fields.newsum' }],
      groupBy: ['fields.newfield'],
      filters: { contentTypeApiName: ['newtype'], 'fields.newfield': ['Two'] },
    });
    expect((await read(desk, `/custom-reports/${made.report}/run`)).rows).toEqual([
      { groups: { 'fields.newfield': expect.anything() }, values: { 'sum(fields.newsum)': 2 } },
    ]);
    expect((await read(desk, `/webhooks/${made.webhook}`)).filters).toMatchObject({
      contentTypes: ['newtype'],
    });
    expect(await scopes(desk, made.role)).toEqual([
      { contentTypes: ['newtype'], fields: ['_slug', 'newfield'] },
    ]);
  });

  it('records what followed beside the rename', async () => {
    const { body } = await desk.get('/audit-events?action=view.update');
    expect(body.data[0]).toMatchObject({
      target: { type: 'view', id: made.view },
      cause: { action: 'field.rename' },
    });
  });

  it('lets a member go on writing the renamed field, and no other', async () => {
    const { body } = await desk.get(`/entries/${made.entry}`);
    const { version } = body.data as { version: number };
    const reader = await createRole(app(), desk.project, [{ resource: 'entries', action: 'read' }]);
    const member = desk.as((await createMember(app(), desk.project, [made.role, reader])).token);
    const write = (fields: object) => member.put(`/entries/${made.entry}`, { version, locale: 'en', fields });
    expect((await write({ newsum: 9 })).status).toBe(403);
    expect((await write({ newfield: 'Three' })).status).toBe(200);
  });
});

describe('a grant that reaches several types', () => {
  verifies('content/renames-of-stored-names');

  it('keeps the former name for the others and reaches the new one in the renamed type only', async () => {
    const desk = await openDesk();
    const { project } = desk;
    for (const apiName of ['one', 'two'])
      await createType(app(), project, { apiName, fields: [{ apiName: 'a', type: 'text' }] });
    const role = await createRole(app(), project, [updates(['a', 'z']), updates(['a'], ['one', 'two'])]);
    await rename(desk, 'one/fields/a', 'b');
    expect(await scopes(desk, role)).toEqual(
      expect.arrayContaining([
        { fields: ['a', 'z'] },
        { contentTypes: ['one', 'two'], fields: ['a'] },
        { contentTypes: ['one'], fields: ['b'] },
      ]),
    );
  });
});

describe('a rename in a branch', () => {
  verifies('content/renames-of-stored-names');

  it('keeps the former names as long as another environment has them', async () => {
    const desk = await openDesk();
    const made = await nameEverywhere(desk);
    const other = desk.in(await branch({ app: app(), project: desk.project }));
    await rename(other, 'oldtype', 'newtype');
    await rename(other, 'newtype/fields/oldfield', 'newfield');
    for (const one of [desk, other]) {
      expect((await one.get(`/entries?viewId=${made.view}`)).body.meta.total).toBe(2);
      expect((await read(one, `/webhooks/${made.webhook}`)).filters).toMatchObject({
        contentTypes: ['oldtype', 'newtype'],
      });
    }
    expect((await desk.get(`/custom-reports/${made.report}/run`)).status).toBe(200);
    await rename(desk, 'oldtype', 'newtype');
    await rename(desk, 'newtype/fields/oldfield', 'newfield');
    expect((await read(desk, `/webhooks/${made.webhook}`)).filters).toMatchObject({
      contentTypes: ['newtype'],
    });
    for (const one of [desk, other])
      expect((await one.get(`/custom-reports/${made.report}/run`)).status).toBe(200);
  });

  it('reaches the target with the promotion, and goes back with its rollback', async () => {
    const desk = await openDesk();
    const made = await nameEverywhere(desk);
    const slug = await branch({ app: app(), project: desk.project });
    await rename(desk.in(slug), 'oldtype', 'newtype');
    const { body, status } = await desk.post(`/environments/${slug}/promote`, { mode: 'full' });
    expect([status, body.error]).toEqual([200, undefined]);
    const filter = async () => (await read(desk, `/views/${made.view}`)).filters;
    expect(await filter()).toEqual({ contentTypeApiName: ['newtype'] });
    const { promotionId } = body.data as { promotionId: string };
    expect((await desk.post(`/environments/main/rollback`, { promotionId })).status).toBe(200);
    expect(await filter()).toEqual({ contentTypeApiName: ['newtype', 'oldtype'] });
    expect((await desk.get(`/entries?viewId=${made.view}`)).body.meta.total).toBe(2);
  });
});

/** Text of published documents: a rename removes it, and a job writes it again. */
const writtenLater = 'published_entries.body';

/** Followed columns that hold no name in this database. */
const unseen = ['translations.provenance', 'translations.outdated'];

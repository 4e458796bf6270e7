import { beforeEach, describe, expect, it } from '@jest/globals';
import { must } from '../support/call.js';
import { column, openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, createType, publish } from '../support/factories/content.js';

const START = '2027-03-10T08:00:00.000Z';
let now = new Date(START);
const app = useOwnApp({ clock: () => now });
let desk: Desk;

const at = (day: number): string => `2027-03-${String(day)}T09:00:00.000Z`;
const article = (title: string, more: object = {}) =>
  createEntry(app(), desk.project, { contentTypeApiName: 'article', fields: { title }, ...more });
const author = (name: string) =>
  createEntry(app(), desk.project, { contentTypeApiName: 'author', fields: { name } });

/** Calls a tool with the management key. */
async function useTool(name: string, values: object): Promise<{ data: Record<string, unknown>[] }> {
  const { keys, slug } = desk.project;
  const response = await app()
    .request.post(`/api/mcp/${slug}`)
    .set({
      Authorization: `Bearer ${keys.management}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
    })
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: values } });
  return (response.body as { result: { structuredContent: { data: Record<string, unknown>[] } } }).result
    .structuredContent;
}

beforeEach(async () => {
  now = new Date(START);
  desk = await openDesk(app(), { locales: ['en', 'de'] });
});

describe('An entry', () => {
  it('returns what was dropped from HTML in an update, with the path of the value', async () => {
    const { id } = await article('Locks');
    const html = '<p onclick="x()">A <blink>lock</blink> <a href="javascript:x()">opens</a></p>';
    const { status, body } = await desk.put(`/entries/${id}`, { version: 1, fields: { body: { html } } });
    expect(status).toBe(200);
    const warnings = (body as { meta: { warnings: object[] } }).meta.warnings;
    expect(warnings).toEqual([
      { code: 'element_dropped', message: 'The element blink was dropped once.', path: ['fields', 'body'] },
      { code: 'element_dropped', message: 'The element a was dropped once.', path: ['fields', 'body'] },
      { code: 'attribute_dropped', message: expect.stringContaining('onclick'), path: ['fields', 'body'] },
      { code: 'link_dropped', message: expect.stringContaining('javascript'), path: ['fields', 'body'] },
    ]);
  });

  it('lists every issue of its draft in the locale requested', async () => {
    await createType(app(), desk.project, {
      apiName: 'notice',
      fields: [
        { apiName: 'title', type: 'text', required: true },
        { apiName: 'code', type: 'text', validations: { minLength: 4 } },
      ],
    });
    const place = { contentTypeApiName: 'notice', siteId: desk.project.siteId };
    for (const locale of ['en', 'de']) {
      const made = await desk.post('/entries', { ...place, locale, fields: { code: 'abc' } });
      const { id } = made.body.data as { id: string };
      const { body } = await desk.get(`/entries/${id}/validation?locale=${locale}`);
      expect(body.data).toMatchObject({
        locale,
        isPublishable: false,
        issues: [
          { path: ['fields', 'title'], code: 'required' },
          { path: ['fields', 'code'], code: 'too_short' },
        ],
      });
    }
  });

  it('lists the publications of every locale with its version', async () => {
    const { id } = await article('Locks');
    await desk.put(`/entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Schleusen' } });
    for (const locale of ['en', 'de']) await publish(app(), desk.project, id, locale);
    const { body } = await desk.get(`/entries/${id}/versions`);
    const [latest] = body.data as { publications: { locale: string }[] }[];
    expect(latest?.publications.map(({ locale }) => locale).sort()).toEqual(['de', 'en']);
  });

  it('is found by agents with its type, locale, title and status', async () => {
    const lock = await article('A lock');
    now = new Date(at(11));
    const keeper = await author('A lock keeper');
    await publish(app(), desk.project, lock.id);
    await desk.put(`/entries/${lock.id}`, { version: 1, locale: 'de', fields: { title: 'Eine Schleuse' } });
    const other = await must<{ id: string }>(app(), {
      method: 'POST',
      path: `${desk.project.management}/sites`,
      key: desk.project.keys.management,
      body: { slug: 'other', name: 'Other' },
    });
    const elsewhere = await article('A lock elsewhere', { siteId: other.id });
    await app().composition.jobs.indexSearch();
    const found = (await useTool('search_content', { query: 'lock' })).data;
    expect(found.map(({ id }) => id).sort()).toEqual([lock.id, keeper.id, elsewhere.id].sort());
    expect(found.find(({ id }) => id === lock.id)).toMatchObject({
      contentTypeApiName: 'article',
      siteId: desk.project.siteId,
      locale: 'en',
      title: 'A lock',
      status: 'published',
    });
    expect(found.find(({ id }) => id === keeper.id)).toMatchObject({
      contentTypeApiName: 'author',
      status: 'draft',
    });
    const [german] = (await useTool('search_content', { query: 'Schleuse', locale: 'de' })).data;
    expect(german).toMatchObject({ id: lock.id, locale: 'de', title: 'Eine Schleuse', status: 'draft' });
  });

  it('prevents the deletion of a type with every type and field that refers to it', async () => {
    await createType(app(), desk.project, {
      apiName: 'book',
      fields: [{ apiName: 'writer', type: 'reference', settings: { contentTypes: ['author'] } }],
    });
    const { id } = await author('Ada');
    const fields = (name: string) => ({ [name]: { _ref: id } });
    for (const [contentTypeApiName, name] of [
      ['article', 'author'],
      ['book', 'writer'],
    ] as const)
      await createEntry(app(), desk.project, { contentTypeApiName, fields: fields(name) });
    const { body } = await desk.get('/content-types/author/delete-check');
    const { referencedBy } = (body as { data: { referencedBy: object[] } }).data;
    expect(referencedBy).toHaveLength(2);
    expect(referencedBy).toEqual(
      expect.arrayContaining([
        { contentTypeApiName: 'article', fieldApiName: 'author', count: 1 },
        { contentTypeApiName: 'book', fieldApiName: 'writer', count: 1 },
      ]),
    );
  });
});

describe('Schedules', () => {
  const schedule = async (id: string, body: object, verb = 'publish'): Promise<string> => {
    const response = await desk.post(`/entries/${id}/${verb}`, body);
    expect([response.status, response.text]).toEqual([202, expect.any(String)]);
    return (response.body as { data: { jobId: string } }).data.jobId;
  };

  it('have the failure of each job, in the calendar, too', async () => {
    const [stale, invalid] = [await article('Stale'), await article('Invalid')];
    await schedule(stale.id, { scheduledAt: at(12), version: 1 });
    await schedule(invalid.id, { scheduledAt: at(12) });
    await desk.put(`/entries/${stale.id}`, { version: 1, fields: { title: 'Changed' } });
    await desk.put(`/entries/${invalid.id}`, { version: 1, fields: { title: null } });
    now = new Date(at(13));
    await app().composition.jobs.runDue();
    const errorOf = async (id: string): Promise<{ code: string; message: string } | undefined> => {
      const { body } = await desk.get(`/entries/${id}/schedules?status=failed`);
      return (body as { data: { error: { code: string; message: string } }[] }).data[0]?.error;
    };
    const errors = [await errorOf(stale.id), await errorOf(invalid.id)];
    expect(errors.map((error) => error?.code)).toEqual(['version_conflict', 'entry_invalid']);
    const calendar = await desk.get('/calendar?status=failed');
    expect(column(calendar, 'error')).toEqual(expect.arrayContaining(errors));
  });

  it('are listed and moved with type, locale, zone and kind', async () => {
    const [locks, ada] = [await article('Locks'), await author('Ada')];
    await desk.put(`/entries/${locks.id}`, { version: 1, locale: 'de', fields: { title: 'Schleusen' } });
    await publish(app(), desk.project, ada.id);
    const timezone = 'Europe/Berlin';
    const job = await schedule(locks.id, { scheduledAt: '2027-03-12T09:00', timezone, locale: 'de' });
    const removal = await schedule(ada.id, { scheduledAt: at(14) }, 'unpublish');
    const { body } = await desk.get('/calendar?kind=publish,unpublish');
    expect(body.data).toMatchObject([
      {
        id: job,
        contentTypeApiName: 'article',
        locale: 'de',
        timezone,
        scheduledAt: '2027-03-12T08:00:00.000Z',
      },
      { id: removal, contentTypeApiName: 'author', locale: 'en', timezone: 'UTC' },
    ]);
    const moved = async (jobId: string) =>
      (await desk.post('/calendar/reschedule', { jobId, scheduledAt: at(15) })).body.data as object;
    expect(await moved(job)).toMatchObject({ jobId: job, kind: 'publish', locale: 'de' });
    expect(await moved(removal)).toMatchObject({ jobId: removal, kind: 'unpublish', locale: 'en' });
  });
});

describe('Audit records', () => {
  it('name the key and tool of an agent, and no others', async () => {
    const { id } = await article('Locks');
    await useTool('publish_entry', { id });
    const { body } = await desk.get(`/audit-events?targetId=${id}`);
    const records = body.data as { action: string; metadata: object }[];
    expect(records.map(({ action, metadata }) => [action, metadata])).toEqual([
      [
        'entry.publish',
        { mcpApiKeyId: expect.any(String), mcpApiKeyType: 'management', tool: 'publish_entry' },
      ],
      ['entry.create', {}],
    ]);
  });

  it('are exported page by page over tRPC', async () => {
    const { keys, slug: projectSlug } = desk.project;
    await article('One');
    const page = async (limit: number, cursor?: string) => {
      const input = encodeURIComponent(JSON.stringify({ projectSlug, limit, cursor }));
      const { body } = await app()
        .request.get(`/api/trpc/audit.exportEvents?input=${input}`)
        .set('Authorization', `Bearer ${keys.management}`);
      return (body as { result: { data: { data: object[]; meta: { limit: number; nextCursor: string } } } })
        .result.data;
    };
    const first = await page(1);
    expect(first).toMatchObject({ data: [{}], meta: { limit: 1, nextCursor: expect.any(String) } });
    const rest = await page(100, first.meta.nextCursor);
    expect(rest.meta).toEqual({ limit: 100, nextCursor: null });
    expect(rest.data).not.toContainEqual(first.data[0]);
  });
});

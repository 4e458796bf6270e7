import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { limits } from '../../../contracts/limits.js';
import { Agents, useTool } from '../../mcp/agents.js';
import { send } from '../../support/call.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { paragraphs } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { blocksOf, card, createBlockTypes, linked, page } from './blocks.js';
import { now } from './history.js';

const app = useApp();
let desk: Desk;
let agents: Agents;

beforeAll(async () => {
  desk = await openDesk(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }] });
  agents = new Agents(app(), desk.project);
  await createBlockTypes(desk);
});

afterAll(() => agents.close());

const request = (fields: object, rest: object = {}) => ({
  contentTypeApiName: 'page',
  siteId: desk.project.siteId,
  fields,
  ...rest,
});
const create = (fields: object, rest: object = {}) => desk.post('/entries', request(fields, rest));
const put = (id: string, version: number, fields: object, rest: object = {}) =>
  desk.put(`/entries/${id}`, { version, fields, ...rest });
const entryCount = async (): Promise<number> => {
  const [row] = await app().rows<{ count: number }>(
    desk.project.tenantId,
    'SELECT count(*)::int AS count FROM entries',
  );
  return row?.count ?? -1;
};
const recordsOf = (requestId: unknown) =>
  app().rows<{ action: string; before: { fields: object } | null; after: { fields: object } }>(
    desk.project.tenantId,
    `SELECT action, before, after FROM audit_events WHERE context ->> 'requestId' = $1 ORDER BY number`,
    [requestId],
  );
const delivered = async (id: string, query = '') =>
  (await send(app(), { method: 'GET', path: `${desk.project.delivery}/entries/${id}${query}` })).body;

describe('A block written with its entry', () => {
  verifies('entries/own-blocks');

  it('is part of the entry on every level: one entry, one version, one record, one event', async () => {
    const before = await entryCount();
    const section = { _type: 'section', fields: { title: 'Section', cards: [card('One'), card('Two')] } };
    const made = await create({ title: 'Page', body: [section, card('Three')] });
    expect(outcome(made)).toEqual([201, undefined]);
    const { data } = made.body;
    expect(data.fields.body).toMatchObject([
      {
        _type: 'section',
        fields: {
          title: 'Section',
          cards: [
            { _type: 'card', fields: { heading: 'One', tone: 'calm' } },
            { _type: 'card', fields: { heading: 'Two', tone: 'calm' } },
          ],
        },
      },
      { _type: 'card', fields: { heading: 'Three', tone: 'calm' } },
    ]);
    expect(await now(desk, data.id)).toEqual(data);
    expect(await entryCount()).toBe(before + 1);
    const records = await recordsOf(made.headers['x-request-id']);
    expect(records.map(({ action }) => action)).toEqual(['entry.create']);
    const events = await app().rows(
      desk.project.tenantId,
      `SELECT FROM outbox_events WHERE type = 'entry.created' AND payload -> 'data' ->> 'entryId' = $1`,
      [data.id],
    );
    expect(events).toHaveLength(1);
  });

  it('is changed by its id and merged by field, moved, kept, and removed where it is left out', async () => {
    const made = await page(desk, { body: [card('First'), card('Second'), card('Gone')] });
    const [first = '', second = ''] = linked(made);
    const body = [
      { _ref: second, _type: 'card' },
      { _ref: first, fields: { text: { markdown: 'new' }, tone: null } },
      card('Third'),
    ];
    const updated = await put(made.id, 1, { body });
    expect(outcome(updated)).toEqual([200, undefined]);
    const [a, b, c] = blocksOf(updated.body.data);
    expect([a, b]).toEqual([
      { _ref: second, _type: 'card', fields: { heading: 'Second', tone: 'calm' } },
      { _ref: first, _type: 'card', fields: { heading: 'First', text: paragraphs('new') } },
    ]);
    expect(c).toMatchObject({ _type: 'card', fields: { heading: 'Third' } });
    const [record] = await recordsOf(updated.headers['x-request-id']);
    expect(Object.keys(record?.after.fields ?? {})).toEqual(['body', `body[${first}].text`]);
    expect(record?.before?.fields).toMatchObject({ [`body[${first}].tone`]: 'calm' });
    const versions = await desk.get(`/entries/${made.id}/versions?orderBy=createdAt:asc`);
    expect(versions.body.data.at(-1).changedFields).toEqual([
      'body',
      `body[${first}].tone`,
      `body[${first}].text`,
    ]);
    const again = await put(made.id, 2, { body: updated.body.data.fields.body });
    expect(again.body.data.version).toBe(2);
  });

  it('has localized values for each locale, and shared ones and its place for all', async () => {
    const made = await page(desk, { body: [card('Hello'), card('Other')] });
    const [id = '', other = ''] = linked(made);
    const body = [{ _ref: id, fields: { heading: 'Hallo', tone: 'loud' } }, { _ref: other }];
    const updated = await put(made.id, 1, { body }, { locale: 'de' });
    expect(updated.status).toBe(200);
    expect(blocksOf(await now(desk, made.id, '?locale=de'))).toEqual([
      { _ref: id, _type: 'card', fields: { heading: 'Hallo', tone: 'loud' } },
      { _ref: other, _type: 'card', fields: { tone: 'calm' } },
    ]);
    expect(blocksOf(await now(desk, made.id))).toEqual([
      { _ref: id, _type: 'card', fields: { heading: 'Hello', tone: 'loud' } },
      { _ref: other, _type: 'card', fields: { heading: 'Other', tone: 'calm' } },
    ]);
    await put(made.id, 2, { body: [{ _ref: other }, { _ref: id }] });
    expect(linked(await now(desk, made.id, '?locale=de'))).toEqual([other, id]);
    await put(made.id, 3, { body: null }, { locale: 'de' });
    expect((await now(desk, made.id, '?locale=de')).fields).toEqual({ body: [] });
    expect((await now(desk, made.id)).fields).toEqual({ body: [] });
  });

  it('can have an id or an external id that the caller chose, so that a second write changes nothing', async () => {
    const _id = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a01';
    const body = [
      { _id, ...card('Chosen') },
      { _externalId: 'crm-1', ...card('Named') },
    ];
    const made = await page(desk, { body });
    expect(linked(made)[0]).toBe(_id);
    const same = await put(made.id, 1, { body });
    expect([same.status, same.body.data.version]).toEqual([200, 1]);
    const changed = await put(made.id, 1, { body: [body[0], { _externalId: 'crm-1', ...card('New') }] });
    expect(blocksOf(changed.body.data)[1]).toMatchObject({
      _ref: linked(made)[1],
      _externalId: 'crm-1',
      fields: { heading: 'New' },
    });
  });

  it('needs a number of statements that does not depend on the number of blocks', async () => {
    const many = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => card(`${name} ${String(index)}`));
    const countOf = async (work: () => Promise<{ status: number }>) => {
      const { result, statements } = await app().recordStatements(work);
      expect(result.status).toBeLessThan(300);
      return statements.filter((sql) => !sql.includes('note_api_key_uses')).length;
    };
    await create({ body: many(1, 'Warm') });
    const few = await countOf(() => create({ body: many(2, 'Few') }));
    let made = { id: '', fields: {} };
    const all = await countOf(async () => {
      const response = await create({ body: many(limits.ownBlocks, 'Many') });
      made = response.body.data;
      return response;
    });
    expect(all).toBeLessThanOrEqual(few);
    const body = linked(made).map((_ref, index) => ({ _ref, fields: { heading: `Now ${String(index)}` } }));
    const one = await page(desk, { body: [card('One')] });
    const change1 = [{ _ref: linked(one)[0], fields: { heading: 'Changed' } }];
    const alone = await countOf(() => put(one.id, 1, { body: change1 }));
    expect(await countOf(() => put(made.id, 1, { body }))).toBeLessThanOrEqual(alone);
    await countOf(() => desk.post(`/entries/${one.id}/publish`, {}));
    const published = await countOf(() => desk.post(`/entries/${made.id}/publish`, {}));
    const next = await page(desk, { body: [card('One')] });
    expect(published).toBeLessThanOrEqual(await countOf(() => desk.post(`/entries/${next.id}/publish`, {})));
  });

  it('is written by agents, by tRPC, and once for repeated requests with an Idempotency-Key', async () => {
    const client = await agents.connect(desk.project.keys.management);
    const before = await entryCount();
    const input = request({ body: [card('By an agent')] });
    const rehearsed = await useTool(client, 'create_entry', { ...input, dryRun: true });
    expect(rehearsed.structuredContent.changes).toHaveLength(1);
    expect(await entryCount()).toBe(before);
    const made = await useTool(client, 'create_entry', input);
    const data = made.structuredContent.data as unknown as { id: string; fields: Record<string, unknown> };
    const body = [{ _ref: linked(data)[0], fields: { heading: 'Changed' } }];
    await useTool(client, 'update_entry', { id: data.id, version: 1, fields: { body } });
    expect(blocksOf(await now(desk, data.id))[0]?.fields).toMatchObject({ heading: 'Changed' });
    const key = desk.project.keys.management;
    const byTrpc = await send(app(), {
      method: 'POST',
      path: '/api/trpc/entries.create',
      key,
      body: { projectSlug: desk.project.slug, ...request({ body: [card('By tRPC')] }) },
    });
    expect(blocksOf(byTrpc.body.result.data.data)[0]?.fields).toMatchObject({ heading: 'By tRPC' });
    const repeat = () =>
      app()
        .request.post(`${desk.project.management}/entries`)
        .set('Authorization', `Bearer ${key}`)
        .set('Idempotency-Key', 'own')
        .send(request({ body: [card('Once')] }));
    const [first, second] = [await repeat(), await repeat()];
    expect(second.body).toEqual(first.body);
  });

  it('is written by a batch, and imported twice with the same result', async () => {
    const item = {
      action: 'upsert',
      ...request({ title: 'Batch', body: [{ _externalId: 'a', ...card('A') }] }, { externalId: 'page-1' }),
      publish: true,
    };
    const run = () => desk.post('/entries/batch', { items: [item] });
    const [first, second] = [await run(), await run()];
    expect(first.body.data.results[0]).toMatchObject({ ok: true, created: true, version: 1 });
    expect(second.body.data.results[0]).toMatchObject({ ok: true, created: false, version: 1 });
    const id = first.body.data.results[0].entryId as string;
    expect((await delivered(id, '?include=1')).data.fields.body).toMatchObject([
      { _type: 'card', fields: { heading: 'A' } },
    ]);
  });
});

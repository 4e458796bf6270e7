import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { limits } from '../../../contracts/limits.js';
import { Agents, useTool } from '../../mcp/agents.js';
import { send } from '../../support/call.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { paragraphs } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { card, createBlockTypes, linked, page } from './blocks.js';
import { now } from './history.js';

const app = useApp();
let desk: Desk;
let agents: Agents;

beforeAll(async () => {
  desk = await openDesk(app());
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
const entryCount = async (): Promise<number> => {
  const [row] = await app().rows<{ count: number }>(
    desk.project.tenantId,
    'SELECT count(*)::int AS count FROM entries',
  );
  return row?.count ?? -1;
};
const recordsOf = (requestId: unknown) =>
  app().rows<{ action: string; after: { id: string; fields?: object }; cause: unknown }>(
    desk.project.tenantId,
    `SELECT action, after, context -> 'cause' ->> 'action' AS cause FROM audit_events WHERE context ->> 'requestId' = $1 ORDER BY number`,
    [requestId],
  );

describe('A nested block', () => {
  verifies('entries/nested-blocks');

  it('is created with the entry, on every level, with its own version, record and event', async () => {
    const section = { _type: 'section', fields: { title: 'Section', cards: [card('One'), card('Two')] } };
    const made = await create({ title: 'Page', body: [section, card('Three')] });
    expect(outcome(made)).toEqual([201, undefined]);
    const { data } = made.body;
    expect(data.fields.body.map(({ _type }: { _type: string }) => _type)).toEqual(['section', 'card']);
    const [sectionId = '', third = ''] = linked(data);
    const stored = await now(desk, sectionId);
    expect(stored).toMatchObject({ contentTypeApiName: 'section', version: 1, siteId: desk.project.siteId });
    const [one = '', two = ''] = linked(stored, 'cards');
    expect(await now(desk, two)).toMatchObject({
      slug: 'two',
      locale: 'en',
      status: 'draft',
      treeNodeId: null,
      fields: { heading: 'Two', tone: 'calm' },
    });
    const versions = await desk.get(`/entries/${third}/versions`);
    expect(versions.body.data).toMatchObject([{ versionNum: 1, changeType: 'create' }]);
    const records = await recordsOf(made.headers['x-request-id']);
    expect(records.map(({ after }) => after.id)).toEqual([third, two, one, sectionId, data.id]);
    expect(new Set(records.map(({ action }) => action))).toEqual(new Set(['entry.create']));
    expect(new Set(records.map(({ cause }) => cause))).toEqual(new Set(['entry.create']));
    expect(records[1]?.after.fields).toEqual({ heading: 'Two', tone: 'calm' });
    const events = await app().rows(
      desk.project.tenantId,
      `SELECT FROM outbox_events WHERE type = 'entry.created' AND payload -> 'data' ->> 'entryId' = ANY($1)`,
      [[third, two, one, sectionId, data.id]],
    );
    expect(events).toHaveLength(5);
    const references = await desk.get(`/entries/${two}/references`);
    expect(references.body.data).toMatchObject([{ entryId: sectionId }]);
  });

  it('is updated with the entry, and only if a value differs', async () => {
    const made = await page(desk, { body: [card('First'), card('Second')] });
    const [first = '', second = ''] = linked(made);
    const body = [
      { _ref: second, _type: 'card', fields: { heading: 'Second' } },
      { _ref: first, fields: { text: { markdown: 'new' }, tone: null } },
      card('Third'),
    ];
    const updated = await desk.put(`/entries/${made.id}`, { version: 1, fields: { body } });
    expect(outcome(updated)).toEqual([200, undefined]);
    const [a, b, third = ''] = linked(updated.body.data);
    expect([a, b]).toEqual([second, first]);
    expect(await now(desk, second)).toMatchObject({ version: 1 });
    expect(await now(desk, first)).toMatchObject({
      version: 2,
      fields: { heading: 'First', text: paragraphs('new') },
    });
    expect((await now(desk, first)).fields).not.toHaveProperty('tone');
    expect(await now(desk, third)).toMatchObject({ version: 1 });
    const records = await recordsOf(updated.headers['x-request-id']);
    expect(records.map(({ action }) => action)).toEqual(['entry.create', 'entry.update', 'entry.update']);
    const again = [{ _ref: second, fields: { heading: 'Changed' } }, { _ref: first }, { _ref: third }];
    const onlyBlock = await desk.put(`/entries/${made.id}`, { version: 2, fields: { body: again } });
    expect(onlyBlock.body.data.version).toBe(2);
    expect(await now(desk, second)).toMatchObject({ version: 2, fields: { heading: 'Changed' } });
  });

  it('is translated in the locale of the request; leaving it out of the list deletes nothing', async () => {
    const made = await page(desk, { body: [card('Hello'), card('Left out')] });
    const [id = '', other = ''] = linked(made);
    const body = [{ _ref: id, fields: { heading: 'Hallo', tone: 'loud' } }];
    const updated = await desk.put(`/entries/${made.id}`, { version: 1, locale: 'de', fields: { body } });
    expect(updated.status).toBe(200);
    expect((await now(desk, id, '?locale=de')).fields).toEqual({ heading: 'Hallo', tone: 'loud' });
    expect((await now(desk, id)).fields).toEqual({ heading: 'Hello', tone: 'loud' });
    expect((await now(desk, id)).locales.map(({ locale }) => locale)).toEqual(['en', 'de']);
    expect(await now(desk, other)).toMatchObject({ deletedAt: null });
    const kept = await desk.put(`/entries/${made.id}`, { version: 2, fields: { body: [{ _ref: id }] } });
    expect(kept.status).toBe(200);
    expect(await now(desk, other)).toMatchObject({ deletedAt: null });
  });

  it('gets a free slug, also among those of the request; a chosen one that is taken is 409 with its path', async () => {
    const made = await page(desk, { body: [card('Same name'), card('Same name'), card('Same name')] });
    const slugs = await Promise.all(linked(made).map(async (id) => (await now(desk, id)).slug));
    expect(slugs).toEqual(['same-name', 'same-name-2', 'same-name-3']);
    const later = await page(desk, { body: [card('Same name'), card('Other', { handle: 'chosen' })] });
    expect((await now(desk, linked(later)[0] ?? '')).slug).toBe('same-name-4');
    const before = await entryCount();
    const taken = await create({ body: [card('X'), card('Y', { handle: 'chosen' })] });
    expect(outcome(taken)).toEqual([409, 'slug_conflict']);
    expect(taken.body.details.path).toEqual(['fields', 'body', 1]);
    expect(await entryCount()).toBe(before);
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
    let made: { id: string; fields: Record<string, unknown> } = { id: '', fields: {} };
    const all = await countOf(async () => {
      const response = await create({ body: many(limits.nestedBlocks, 'Many') });
      made = response.body.data;
      return response;
    });
    expect(all).toBeLessThanOrEqual(few);
    expect(all).toBeLessThanOrEqual(12);
    const body = linked(made).map((_ref, index) => ({
      _ref,
      fields: { heading: `Changed ${String(index)}` },
    }));
    const update = (version: number, items: object[]) => () =>
      desk.put(`/entries/${made.id}`, { version, fields: { body: items } });
    expect(await countOf(update(1, body))).toBeLessThanOrEqual(16);
  });
});

describe('Nested blocks on every surface', () => {
  verifies('entries/nested-blocks');

  it('are written by agents, and rolled back in a dry run', async () => {
    const client = await agents.connect(desk.project.keys.management);
    const before = await entryCount();
    const input = request({ body: [card('By an agent')] });
    const rehearsed = await useTool(client, 'create_entry', { ...input, dryRun: true });
    expect(rehearsed.structuredContent.dryRun).toBe(true);
    expect(rehearsed.structuredContent.changes).toHaveLength(2);
    expect(await entryCount()).toBe(before);
    const made = await useTool(client, 'create_entry', input);
    const data = made.structuredContent.data as unknown as { id: string; fields: Record<string, unknown> };
    const [id = ''] = linked(data);
    const body = [{ _ref: id, fields: { heading: 'Changed' } }];
    await useTool(client, 'update_entry', { id: data.id, version: 1, fields: { body } });
    expect((await now(desk, id)).fields).toMatchObject({ heading: 'Changed' });
  });

  it('are written by tRPC, and created once for repeated requests with an Idempotency-Key', async () => {
    const key = desk.project.keys.management;
    const { body } = await send(app(), {
      method: 'POST',
      path: '/api/trpc/entries.create',
      key,
      body: { projectSlug: desk.project.slug, ...request({ body: [card('By tRPC')] }) },
    });
    expect((await now(desk, linked(body.result.data.data)[0] ?? '')).fields).toMatchObject({
      heading: 'By tRPC',
    });
    const before = await entryCount();
    const repeat = () =>
      app()
        .request.post(`${desk.project.management}/entries`)
        .set('Authorization', `Bearer ${key}`)
        .set('Idempotency-Key', 'nested')
        .send(request({ body: [card('Once')] }));
    const [first, second] = [await repeat(), await repeat()];
    expect(second.body).toEqual(first.body);
    expect(await entryCount()).toBe(before + 2);
  });
});

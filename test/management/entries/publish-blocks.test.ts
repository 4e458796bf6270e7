import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { card, createBlockTypes, linked, page } from './blocks.js';
import { change, now } from './history.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app(), { locales: ['en', { code: 'de', fallbackCode: 'en' }] });
  await createBlockTypes(desk);
});

const publish = (id: string, body: object = {}) => desk.post(`/entries/${id}/publish`, body);
const statusOf = async (id: string, locale = 'en') =>
  (await now(desk, id)).locales.find((state) => state.locale === locale)?.status;
const bulk = (entryIds: string[], params: object = {}) =>
  desk.post('/entries/bulk', { action: 'publish', entryIds, params });
const liveHeading = async (id: string) => {
  const path = `${desk.project.delivery}/entries/${id}`;
  return (await send(app(), { method: 'GET', path })).body.data?.fields.heading as unknown;
};

describe('publishBlocks', () => {
  verifies('publication/blocks');

  it('publishes blocks of every level with the entry, also below unchanged ones, each with its record', async () => {
    const section = { _type: 'section', fields: { title: 'Section', cards: [card('Inner')] } };
    const made = await page(desk, { body: [section, card('Outer')] });
    const [sectionId = '', outer = ''] = linked(made);
    const [inner = ''] = linked(await now(desk, sectionId), 'cards');
    const published = await publish(made.id);
    expect([published.status, published.body.data.status]).toEqual([200, 'published']);
    for (const id of [sectionId, outer, inner]) expect(await statusOf(id)).toBe('published');
    await change(desk, inner, { fields: { heading: 'Newer' } });
    expect(await liveHeading(inner)).toBe('Inner');
    const again = await publish(made.id);
    expect(again.status).toBe(200);
    expect(await liveHeading(inner)).toBe('Newer');
    const records = await app().rows<{ target: string; along: string[] | null; events: number }>(
      desk.project.tenantId,
      `SELECT target ->> 'id' AS target, after -> 'publishedAlong' AS along FROM audit_events
       WHERE context ->> 'requestId' = $1 AND action = 'entry.publish' ORDER BY number`,
      [again.headers['x-request-id']],
    );
    expect(records).toEqual([
      { target: inner, along: null },
      { target: made.id, along: [inner] },
    ]);
  });

  it('leaves blocks as they are when it is false', async () => {
    const made = await page(desk, { body: [card('Draft')] });
    expect((await publish(made.id, { publishBlocks: false })).status).toBe(200);
    expect(await statusOf(linked(made)[0] ?? '')).toBe('draft');
    expect(await statusOf(made.id)).toBe('published');
  });

  it('publishes the locale of the entry, else the first written fallback, and no other locale', async () => {
    const made = await page(desk, { body: [card('Both'), card('English only')] });
    const [both = '', english = ''] = linked(made);
    const body = [{ _ref: both, fields: { heading: 'Beide' } }, { _ref: english }];
    await change(desk, made.id, { locale: 'de', fields: { body } });
    expect((await publish(made.id, { locale: 'de' })).status).toBe(200);
    expect([await statusOf(both, 'de'), await statusOf(both)]).toEqual(['published', 'draft']);
    expect(await statusOf(english)).toBe('published');
  });

  it('publishes nothing when a block is incomplete or may not be published, and names it', async () => {
    const made = await page(desk, { body: [{ _type: 'card', fields: {} }, card('Fine')] });
    const [empty = '', fine = ''] = linked(made);
    const response = await publish(made.id);
    expect(outcome(response)).toEqual([422, 'entry_invalid']);
    expect(issues(response)).toEqual([[`dependencies.${empty}.fields.heading`, 'required']]);
    for (const id of [made.id, empty, fine]) expect(await statusOf(id)).toBe('draft');
  });

  it('does not publish other links, with withDependencies also those of blocks', async () => {
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const made = await page(desk, { body: [card('Signed', { author: { _ref: author.id } })] });
    await publish(made.id);
    expect([await statusOf(linked(made)[0] ?? ''), await statusOf(author.id)]).toEqual([
      'published',
      'draft',
    ]);
    const other = await page(desk, { body: [card('New', { author: { _ref: author.id } })] });
    expect((await publish(other.id, { withDependencies: true })).status).toBe(200);
    expect(await statusOf(author.id)).toBe('published');
  });

  it('is kept by schedules and checked for cycles', async () => {
    const made = await page(desk, { body: [{ _type: 'section', fields: { title: 'Cycle' } }] });
    const [section = ''] = linked(made);
    await change(desk, section, { fields: { cards: [{ _ref: section }] } });
    const later = { scheduledAt: '2099-01-01T00:00:00Z', publishBlocks: false };
    expect((await publish(made.id, later)).status).toBe(202);
    const [job] = await app().rows(
      desk.project.tenantId,
      'SELECT options FROM scheduled_jobs WHERE entry_id = $1',
      [made.id],
    );
    expect(job).toEqual({ options: { publishBlocks: false, withDependencies: false } });
    expect((await publish(made.id)).status).toBe(200);
    expect(await statusOf(section)).toBe('published');
  });
});

describe('A bulk publication', () => {
  verifies('publication/blocks');

  it('publishes the blocks of each entry that can be published, and those of no other', async () => {
    const [shared = ''] = linked(await page(desk, { body: [card('Shared')] }));
    const good = await page(desk, { body: [{ _ref: shared }, card('Good')] });
    const bad = await page(desk, { body: [{ _ref: shared }, { _type: 'card', fields: {} }, card('Kept')] });
    const [, empty = '', kept = ''] = linked(bad);
    const { body } = await bulk([bad.id, good.id]);
    expect(body.data).toMatchObject({ succeeded: 1, failed: 1 });
    expect(body.data.results[0]).toMatchObject({
      entryId: bad.id,
      error: 'entry_invalid',
      details: { issues: [{ path: ['dependencies', empty, 'fields', 'heading'] }] },
    });
    for (const id of [good.id, ...linked(good)]) expect(await statusOf(id)).toBe('published');
    for (const id of [bad.id, empty, kept]) expect(await statusOf(id)).toBe('draft');
    const none = await page(desk, { body: [card('Not along')] });
    expect((await bulk([none.id], { publishBlocks: false })).body.data.succeeded).toBe(1);
    expect(await statusOf(linked(none)[0] ?? '')).toBe('draft');
  });

  it('publishes dependencies with withDependencies', async () => {
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Grace' },
    });
    const article = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'With an author', author: { _ref: author.id } },
    });
    const plain = await page(desk, { title: 'Plain' });
    const { body } = await bulk([article.id, plain.id], { withDependencies: true });
    expect(body.data).toMatchObject({ succeeded: 2, failed: 0 });
    expect(await statusOf(author.id)).toBe('published');
    const refused = await desk.post('/entries/bulk', {
      action: 'unpublish',
      entryIds: [plain.id],
      params: { withDependencies: true },
    });
    expect(issues(refused)).toEqual([['params.withDependencies', 'unrecognized_key']]);
  });

  it('needs a number of statements that does not depend on the number of blocks', async () => {
    const countOf = async (blocks: number) => {
      const items = Array.from({ length: blocks }, (_, index) => card(`Block ${String(index)}`));
      const made = await page(desk, { body: items });
      const { result, statements } = await app().recordStatements(() => bulk([made.id]));
      expect(result.body.data.succeeded).toBe(1);
      expect(await statusOf(linked(made).at(-1) ?? '')).toBe('published');
      return statements.filter((sql) => !sql.includes('note_api_key_uses')).length;
    };
    await countOf(1);
    const few = await countOf(2);
    expect(await countOf(40)).toBeLessThanOrEqual(few);
  });
});

describe('The validation of a draft with blocks', () => {
  verifies('publication/warnings-of-links');

  it('warns of blocks that are not published or have newer drafts', async () => {
    const made = await page(desk, { body: [card('One'), card('Two')] });
    const [one = '', two = ''] = linked(made);
    await publish(one);
    await change(desk, one, { fields: { heading: 'Newer' } });
    const { body } = await desk.get(`/entries/${made.id}/validation`);
    expect(body.data).toMatchObject({
      isPublishable: true,
      warnings: [
        { path: ['fields', 'body'], code: 'unpublished_changes', message: expect.stringContaining(one) },
        { path: ['fields', 'body'], code: 'not_published', message: expect.stringContaining(two) },
      ],
    });
    await publish(made.id);
    expect((await desk.get(`/entries/${made.id}/validation`)).body.data.warnings).toEqual([]);
  });
});

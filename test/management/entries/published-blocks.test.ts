import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { blocksOf, card, createBlockTypes, linked, page } from './blocks.js';
import { change, now } from './history.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
  await createBlockTypes(desk);
});

const delivered = async (id: string, query = '') =>
  (await send(app(), { method: 'GET', path: `${desk.project.delivery}/entries/${id}${query}` })).body;

describe('The publication of an entry with blocks', () => {
  verifies('publication/blocks', 'delivery/own-blocks');

  it('publishes what they say, with the entry and by their ids; they are in no list', async () => {
    const section = { _type: 'section', fields: { title: 'Section', cards: [card('Inner')] } };
    const made = await page(desk, { body: [section, card('Outer')] });
    const [outerSection] = blocksOf(made);
    const sectionId = outerSection?._ref ?? '';
    const inner = (outerSection?.fields.cards as { _ref: string }[])[0]?._ref ?? '';
    expect((await desk.post(`/entries/${made.id}/publish`, {})).status).toBe(200);
    expect((await delivered(made.id)).data.fields.body).toEqual([
      { _ref: sectionId, _type: 'section' },
      { _ref: linked(made)[1], _type: 'card' },
    ]);
    const whole = (await delivered(made.id, '?include=2')).data;
    expect(whole.fields.body[0]).toEqual({
      _id: sectionId,
      _type: 'section',
      _slug: sectionId,
      _siteId: desk.project.siteId,
      _locale: 'en',
      _publishedAt: whole._publishedAt,
      fields: {
        title: 'Section',
        cards: [
          expect.objectContaining({ _id: inner, fields: expect.objectContaining({ heading: 'Inner' }) }),
        ],
      },
    });
    expect((await delivered(inner)).data).toMatchObject({ _id: inner, fields: { heading: 'Inner' } });
    const cards = `${desk.project.delivery}/content/card`;
    expect((await send(app(), { method: 'GET', path: cards })).body.data ?? []).toEqual([]);
    const body = [{ _ref: sectionId, fields: { cards: [{ _ref: inner, fields: { heading: 'Newer' } }] } }];
    await change(desk, made.id, { fields: { body } });
    expect((await delivered(inner)).data.fields.heading).toBe('Inner');
    await desk.post(`/entries/${made.id}/publish`, {});
    expect((await delivered(inner)).data.fields.heading).toBe('Newer');
    expect((await delivered(linked(made)[1] ?? '')).error).toBe('entry_not_found');
    await desk.post(`/entries/${made.id}/unpublish`, {});
    expect((await delivered(inner)).error).toBe('entry_not_found');
  });

  it('is refused for an incomplete block, with its path', async () => {
    const made = await page(desk, { body: [card('Fine'), { _type: 'card', fields: {} }] });
    const response = await desk.post(`/entries/${made.id}/publish`, {});
    expect(outcome(response)).toEqual([422, 'entry_invalid']);
    expect(issues(response)).toEqual([[`fields.body.${linked(made)[1] ?? ''}.fields.heading`, 'required']]);
  });

  it('links shared blocks, which are published on their own or as dependencies', async () => {
    const shared = await createEntry(app(), desk.project, {
      contentTypeApiName: 'card',
      fields: { heading: 'Shared' },
    });
    const author = await createEntry(app(), desk.project, {
      contentTypeApiName: 'author',
      fields: { name: 'Ada' },
    });
    const body = [{ _ref: shared.id }, card('Signed', { author: { _ref: author.id } })];
    const made = await page(desk, { body });
    expect(blocksOf(made)[0]).toEqual({ _ref: shared.id, _type: 'card' });
    const { body: validation } = await desk.get(`/entries/${made.id}/validation`);
    expect(validation.data).toMatchObject({
      isPublishable: true,
      warnings: [
        { path: ['fields', 'body'], code: 'not_published', message: expect.stringContaining(shared.id) },
        {
          path: ['fields', 'body', linked(made)[1], 'fields', 'author'],
          code: 'not_published',
          message: expect.stringContaining(author.id),
        },
      ],
    });
    await desk.post(`/entries/${made.id}/publish`, {});
    expect((await now(desk, shared.id)).status).toBe('draft');
    const again = await page(desk, { body });
    await desk.post(`/entries/${again.id}/publish`, { withDependencies: true });
    for (const id of [shared.id, author.id]) expect((await now(desk, id)).status).toBe('published');
    await change(desk, shared.id, { fields: { heading: 'Newer' } });
    const warned = await desk.get(`/entries/${made.id}/validation`);
    expect(warned.body.data.warnings).toMatchObject([
      { path: ['fields', 'body'], code: 'unpublished_changes', message: expect.stringContaining(shared.id) },
    ]);
    const references = await desk.get(`/entries/${author.id}/references`);
    const holders = references.body.data.map(({ entryId }: { entryId: string }) => entryId);
    expect(new Set(holders)).toEqual(new Set([made.id, again.id]));
  });
});

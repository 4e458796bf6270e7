import { beforeAll, describe, expect, it } from '@jest/globals';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createType, paragraphs } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';
import { blocksOf, card, createBlockTypes, page, type Block } from './blocks.js';
import { article, change, now } from './history.js';

const app = useApp();
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(app());
  await createBlockTypes(desk);
});

const edit = (id: string, version: number, body: object, by: Desk = desk) =>
  by.post(`/entries/${id}/edit-text`, { version, ...body });

describe('POST entries/{id}/edit-text', () => {
  verifies('entries/edit-text');

  it('replaces a passage in a text as a new version', async () => {
    const { id } = await article(desk, { title: 'The loks close', code: 'kept' });
    const comment = 'Fixed a typo';
    const changed = await edit(id, 1, { field: 'title', find: 'loks', replace: 'locks', comment });
    expect(outcome(changed)).toEqual([200, undefined]);
    expect(changed.body.data).toMatchObject({
      version: 2,
      fields: { title: 'The locks close', code: 'kept' },
    });
    expect(await now(desk, id)).toEqual(changed.body.data);
    const [latest] = (await desk.get(`/entries/${id}/versions`)).body.data;
    expect(latest).toMatchObject({ versionNum: 2, comment, changedFields: ['title'] });
  });

  it('replaces a passage in the rich text of one locale and keeps the rest of it', async () => {
    const { id } = await article(desk, { title: 'Locks', body: paragraphs('One lok.', 'Two locks.') });
    await change(desk, id, {
      locale: 'de',
      fields: { title: 'Schleusen', body: paragraphs('Eine Schleusse.') },
    });
    const changed = await edit(id, 2, {
      locale: 'de',
      field: 'body',
      find: 'Schleusse',
      replace: 'Schleuse',
    });
    expect(changed.body.data).toMatchObject({ locale: 'de', version: 3, fields: { title: 'Schleusen' } });
    expect(changed.body.data.fields.body).toEqual(paragraphs('Eine Schleuse.'));
    expect((await now(desk, id)).fields.body).toEqual(paragraphs('One lok.', 'Two locks.'));
  });

  it('replaces every occurrence only with all', async () => {
    const { id } = await article(desk, { title: 'Lok, lok and lok' });
    const one = await edit(id, 1, { field: 'title', find: 'lok', replace: 'lock' });
    expect([outcome(one), issues(one)]).toEqual([[422, 'validation_failed'], [['find', 'text_ambiguous']]]);
    expect(one.body.details.issues[0].message).toContain('2 times');
    const all = await edit(id, 1, { field: 'title', find: 'lok', replace: 'lock', all: true });
    expect(all.body.data.fields.title).toBe('Lok, lock and lock');
  });

  it('edits a block of the entry, also in another block, and keeps those beside it', async () => {
    const section = { _type: 'section', fields: { title: 'Section', cards: [card('One'), card('Too')] } };
    const entry = await page(desk, { title: 'Page', body: [card('Frist', { tone: 'loud' }), section] });
    const [first, second] = blocksOf(entry) as [Block, Block];
    const [, inner] = second.fields.cards as [Block, Block];
    const outer = await edit(entry.id, 1, {
      field: `body[${first._ref}].heading`,
      find: 'Frist',
      replace: 'First',
    });
    expect(outcome(outer)).toEqual([200, undefined]);
    const path = `body[${second._ref}].cards[${inner._ref}].heading`;
    const changed = await edit(entry.id, 2, { field: path, find: 'Too', replace: 'Two' });
    expect(outcome(changed)).toEqual([200, undefined]);
    const written = blocksOf(changed.body.data);
    expect(written.map(({ _ref }) => _ref)).toEqual([first._ref, second._ref]);
    expect(written[0]?.fields).toMatchObject({ heading: 'First', tone: 'loud' });
    expect(written[1]?.fields).toMatchObject({
      title: 'Section',
      cards: [{ fields: { heading: 'One' } }, { _ref: inner._ref, fields: { heading: 'Two', tone: 'calm' } }],
    });
  });

  it('finds the block of a group without its id', async () => {
    const apiName = 'grouped';
    const seo = { apiName: 'seo', type: 'blocks', validations: { maxItems: 1 } };
    const settings = { contentTypes: ['card'], shape: 'group' };
    const title = { apiName: 'title', type: 'text' };
    await createType(app(), desk.project, { apiName, fields: [title, { ...seo, settings }] });
    const body = { contentTypeApiName: apiName, siteId: desk.project.siteId };
    const made = await desk.post('/entries', { ...body, fields: { title: 'G', seo: card('Lok') } });
    expect(outcome(made)).toEqual([201, undefined]);
    const changed = await edit(made.body.data.id, 1, { field: 'seo.heading', find: 'Lok', replace: 'Lock' });
    expect(changed.body.data?.fields.seo.fields.heading).toBe('Lock');
  });

  it.each([
    [{ find: 'Locks' }, 422, 'validation_failed', [['find', 'text_not_found']]],
    [{ find: '' }, 422, 'validation_failed', [['find', 'too_small']]],
    [{ field: 'handle' }, 404, 'field_not_found', undefined],
    [{ field: 'body[x].heading' }, 404, 'block_not_found', undefined],
    [{ field: 'body' }, 422, 'validation_failed', [['field', 'wrong_kind']]],
    [{ field: 'body[' }, 422, 'validation_failed', [['field', 'invalid_format']]],
    [{ locale: 'xx' }, 404, 'locale_not_found', undefined],
  ])('refuses %j and changes nothing', async (rest, status, error, expected) => {
    const { id } = await page(desk, { title: 'The lock', body: [card('Card')] });
    const refused = await edit(id, 1, { field: 'title', find: 'lock', replace: 'gate', ...rest });
    expect(outcome(refused)).toEqual([status, error]);
    if (expected !== undefined) expect(issues(refused)).toEqual(expected);
    expect((await now(desk, id)).version).toBe(1);
  });

  it('reports an outdated version before a passage that is not in the current one', async () => {
    const { id } = await article(desk, { title: 'Before' });
    await change(desk, id, { fields: { title: 'After' } });
    const stale = await edit(id, 1, { field: 'title', find: 'Before', replace: 'Never' });
    expect(outcome(stale)).toEqual([409, 'version_conflict']);
    expect((await now(desk, id)).fields.title).toBe('After');
  });

  it('changes nothing and raises no version when the text stays the same', async () => {
    const { id } = await article(desk, { title: 'Same' });
    const same = await edit(id, 1, { field: 'title', find: 'Same', replace: 'Same' });
    expect([same.status, same.body.data.version]).toEqual([200, 1]);
  });
});

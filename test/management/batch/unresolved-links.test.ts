import { describe, expect, it } from '@jest/globals';
import { issues, outcome } from '../../support/desk.js';
import { unique } from '../../support/factories/project.js';
import { sessionWith } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { app, author, batch, create, desk, failures, item, link, names, text } from './link-desk.js';

describe('Links by external id that lead nowhere', () => {
  verifies('entries/external-links');

  it('are refused by item with their path where nothing has the external id', async () => {
    const [good = '', lost = ''] = names(2);
    const results = await batch([
      item(good),
      item(unique(), { author: link(lost, 'author') }),
      item(unique(), { related: [link(good), link(lost)] }),
      item(unique(), { body: text(link(lost)) }),
      item(
        unique(),
        { parts: [{ _type: 'teaser', fields: { target: link(lost) } }] },
        { contentTypeApiName: 'story' },
      ),
    ]);
    const at = (...paths: string[]) => [
      'validation_failed',
      ...paths.map((path) => [path, 'unresolved_reference']),
    ];
    expect(failures(results)).toEqual([
      'ok',
      at('fields.author._external'),
      at('fields.related.1._external'),
      at(
        'fields.body.content.0.content.0.marks.0.attrs.entryId._external',
        'fields.body.content.0.content.1.attrs.entryId._external',
        'fields.body.content.1.attrs.entryId._external',
      ),
      at('fields.parts.0.fields.target._external'),
    ]);
  });

  it('fail with the item that should have created their target, also along a chain', async () => {
    const [bad = '', second = '', third = '', good = ''] = names(4);
    const results = await batch([
      item(third, { related: [link(second)] }),
      item(second, { author: link(bad, 'author') }, { publish: true }),
      author(bad, 3),
      item(good, { related: [link(good)] }, { publish: true }),
    ]);
    expect(failures(results)).toEqual([
      ['validation_failed', ['fields.related.0._external', 'unresolved_reference']],
      ['validation_failed', ['fields.author._external', 'unresolved_reference']],
      ['validation_failed', ['fields.name', 'invalid_type']],
      'ok',
    ]);
    expect(results[3]).toMatchObject({ status: 'published', version: 1 });
    const { body } = await desk().get(`/entries?externalId=${third}&externalId=${second}`);
    expect(body.data).toEqual([]);
  });

  it('fail with a target that cannot be published', async () => {
    const [bad = '', one = ''] = names(2);
    const results = await batch([
      item(one, { author: link(bad, 'author') }, { publish: true }),
      { ...author(bad, null), publish: true },
    ]);
    expect(failures(results)).toEqual([
      ['validation_failed', ['fields.author._external', 'unresolved_reference']],
      ['entry_invalid', ['fields.name', 'required']],
    ]);
  });

  it('do not reach deleted entries, other environments and other types', async () => {
    const [gone = '', there = '', other = ''] = names(3);
    const [removed] = await batch([item(gone), item(other)]);
    await desk().delete(`/entries/${removed?.entryId ?? ''}`);
    expect(
      (await desk().post('/environments', { slug: 'links', name: 'Links', copyContent: false })).status,
    ).toBe(201);
    await batch([item(there)], desk().in('links'));
    for (const target of [link(gone), link(there), link(other, 'author'), link(other, 'nothing')])
      expect(issues(await create({ related: [target] }))).toEqual([
        ['fields.related.0._external', 'unresolved_reference'],
      ]);
    expect(issues(await create({ author: link(other) }))).toEqual([
      ['fields.author._type', 'type_not_allowed'],
    ]);
  });

  it('do not reach entries that the caller cannot read', async () => {
    const hidden = unique();
    await batch([author(hidden)]);
    const scope = { contentTypes: ['article'] };
    const grants = ['read', 'create'].map((action) => ({ resource: 'entries', action, scope }));
    const member = desk().as(await sessionWith(app(), desk().project, grants));
    const refused = await create({ author: link(hidden, 'author') }, {}, member);
    expect(issues(refused)).toEqual([['fields.author._external', 'unresolved_reference']]);
  });

  it.each([
    [{ _external: 'a' }, '_type', 'required'],
    [{ _external: 7, _type: 'article' }, '_external', 'invalid_type'],
    [{ _external: '', _type: 'article' }, '_external', 'invalid_type'],
    [{ _external: 'a\u0001', _type: 'article' }, '_external', 'invalid_type'],
    [{ _external: 'a'.repeat(256), _type: 'article' }, '_external', 'invalid_type'],
    [{ _external: 'a', _type: 7 }, '_type', 'required'],
    [{ _external: 'a', _type: 'article', _ref: 'b' }, '_ref', 'unknown_key'],
  ])('of the form %j are refused', async (target, key, code) => {
    expect(issues(await create({ related: [target] }))).toEqual([[`fields.related.0.${key}`, code]]);
  });

  it('apply none of the items of an atomic batch where one is unresolved', async () => {
    const good = unique();
    const items = [item(good), item(unique(), { related: [link(good), link(unique())] })];
    const refused = await desk().post('/entries/batch', { items, atomic: true });
    expect(outcome(refused)).toEqual([422, 'bulk_failed']);
    expect((await desk().get(`/entries?externalId=${good}`)).body.data).toEqual([]);
  });
});

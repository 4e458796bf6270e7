import { describe, expect, it } from '@jest/globals';
import type { Entry } from '../../../contracts/entries/entries/entry.js';
import { expectConsistent } from '../../support/consistency.js';
import { outcome } from '../../support/desk.js';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { app, author, batch, create, desk, failures, item, link, names, read, text } from './link-desk.js';

describe('Links by external id', () => {
  verifies('entries/external-links');

  it('link items of a batch in any order and in cycles, which are published together', async () => {
    const [one = '', two = '', ada = ''] = names(3);
    const results = await batch([
      item(
        one,
        { author: link(ada, 'author'), related: [link(two), link(one)], body: text(link(two)) },
        { publish: true },
      ),
      item(two, { related: [link(one)] }, { publish: true }),
      { ...author(ada), publish: true },
    ]);
    expect(results.map(({ status, created }) => [status, created])).toEqual(
      Array(3).fill(['published', true]),
    );
    const [first, second, third] = results.map(({ entryId }) => entryId);
    expect((await read(first)).fields).toMatchObject({
      author: { _ref: third, _type: 'author' },
      related: [
        { _ref: second, _type: 'article' },
        { _ref: first, _type: 'article' },
      ],
      body: text(second),
    });
    expect((await read(second)).fields).toMatchObject({ related: [{ _ref: first, _type: 'article' }] });
  });

  it('link pages of a tree in a cycle, which are published together', async () => {
    const [one = '', two = ''] = names(2);
    const page = (own: string, next: string) =>
      item(own, { next: link(next, 'leaf') }, { contentTypeApiName: 'leaf', slug: own, publish: true });
    const results = await batch([page(one, two), page(two, one)]);
    expect(failures(results)).toEqual(['ok', 'ok']);
    expect(results.map(({ status }) => status)).toEqual(['published', 'published']);
    expect((await read(results[0]?.entryId)).fields).toMatchObject({ next: { _ref: results[1]?.entryId } });
    const again = await batch([page(one, two), page(two, one)]);
    expect(again.map(({ version, created }) => [version, created])).toEqual([
      [1, false],
      [1, false],
    ]);
  });

  it('link from blocks of an entry and link shared blocks', async () => {
    const [shared = '', story = '', target = ''] = names(3);
    const parts = [
      { _type: 'teaser', fields: { title: 'Own', target: link(target) } },
      link(shared, 'teaser'),
    ];
    const results = await batch([
      item(story, { parts }, { contentTypeApiName: 'story' }),
      item(shared, {}, { contentTypeApiName: 'teaser' }),
      item(target),
    ]);
    expect(failures(results)).toEqual(['ok', 'ok', 'ok']);
    const ids = results.map(({ entryId }) => entryId);
    expect((await read(ids[0])).fields.parts).toMatchObject([
      { _type: 'teaser', fields: { target: { _ref: ids[2], _type: 'article' } } },
      { _ref: ids[1], _type: 'teaser' },
    ]);
  });

  it('link stored entries when an entry is created or updated, and the new entry itself', async () => {
    const [known = '', own = ''] = names(2);
    const [target] = await batch([item(known)]);
    const made = await create({ related: [link(known), link(own)] }, { externalId: own });
    expect(outcome(made)).toEqual([201, undefined]);
    const { id, fields } = made.body.data as Entry;
    expect(fields.related).toEqual([
      { _ref: target?.entryId, _type: 'article' },
      { _ref: id, _type: 'article' },
    ]);
    const changed = await desk().put(`/entries/${id}`, {
      version: 1,
      fields: { related: [link(own)], body: text(link(known)) },
    });
    expect(outcome(changed)).toEqual([200, undefined]);
    expect((changed.body.data as Entry).fields).toMatchObject({
      related: [{ _ref: id }],
      body: text(target?.entryId),
    });
  });

  it('are looked up with as many statements for a hundred items as for two', async () => {
    const counts: number[] = [];
    for (const count of [2, 2, 100]) {
      const own = names(count);
      const items = own.map((name, index) =>
        item(name, { related: own.map((one) => link(one)).slice(0, index + 1) }),
      );
      const { statements, result } = await app().recordStatements(() => batch(items));
      expect(result.filter(({ ok }) => !ok)).toEqual([]);
      counts.push(statements.length);
    }
    expect(counts[2]).toBe(counts[1]);
  });

  it('connect three hundred entries in three batches of rings', async () => {
    const all = names(300);
    for (let start = 0; start < all.length; start += 100) {
      const ring = all.slice(start, start + 100);
      const before = all[start - 1];
      const items = ring.map((name, index) => {
        const next = link(ring[(index + 1) % ring.length] ?? '');
        return item(name, { related: before === undefined ? [next] : [next, link(before)] });
      });
      expect((await batch(items)).filter(({ ok }) => !ok)).toEqual([]);
    }
    const [{ count } = { count: 0 }] = await app().rows<{ count: number }>(
      desk().project.tenantId,
      `SELECT count(*)::int AS count FROM entry_links k JOIN entries t ON t.id = k.target_id
       JOIN entries e ON e.id = k.entry_id WHERE e.external_id = ANY($1) AND t.external_id = ANY($1)`,
      [all],
    );
    expect(count).toBe(500);
    await expectConsistent(app(), desk().project);
  });

  it('stay as they are in values of JSON', async () => {
    const data = link(unique());
    const made = await create({ data }, { contentTypeApiName: 'story' });
    expect((made.body.data as Entry).fields.data).toEqual(data);
  });
});

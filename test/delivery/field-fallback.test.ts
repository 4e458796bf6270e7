import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../support/call.js';
import { expectConsistent } from '../support/consistency.js';
import { outcome, useOwnApp } from '../support/desk.js';
import { createEntry, createType, paragraphs, publish } from '../support/factories/content.js';
import { createWebhook, openReceiver } from '../management/webhooks/receiver.js';
import { verifies } from '../support/verifies.js';
import { FallbackDesk } from './fallback-desk.js';

const app = useOwnApp();
let desk: FallbackDesk;

beforeEach(async () => {
  desk = await FallbackDesk.open(app());
});

describe('A localized field without a value, in delivery', () => {
  verifies('localization/field-fallback');

  it('shows the value of the first fallback that has one, and keeps the locale of the document', async () => {
    const id = await desk.article(
      [
        'en',
        { title: 'Lake', teaser: 'Deep', body: paragraphs('Water'), tags: ['wet'], rating: 3, isOpen: true },
      ],
      ['de', { title: 'See', teaser: 'Tief', isOpen: false, tags: ['', ' '] }],
      ['de-AT', { title: 'Alpensee', teaser: '  ', body: paragraphs(' ') }],
    );
    expect(await desk.read(id, 'de')).toMatchObject({
      _locale: 'de',
      fields: {
        title: 'See',
        teaser: 'Tief',
        body: { text: 'Water' },
        tags: ['wet'],
        rating: 3,
        isOpen: false,
      },
    });
    expect(await desk.read(id, 'de-AT')).toMatchObject({
      _locale: 'de-AT',
      fields: { title: 'Alpensee', teaser: 'Tief', body: { text: 'Water' }, tags: ['wet'], isOpen: false },
    });
    await expectConsistent(app(), desk.project);
  });

  it('shows none without a fallback, of another type, or where no fallback is published', async () => {
    await createType(app(), desk.project, {
      apiName: 'plain',
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'teaser', type: 'text' },
      ],
    });
    const french = await desk.article(['en', { teaser: 'Deep' }], ['fr', { title: 'Lac' }]);
    expect(await desk.shown(french, 'fr')).toBeNull();
    const plain = await createEntry(app(), desk.project, {
      contentTypeApiName: 'plain',
      fields: { title: 'Lake', teaser: 'Deep' },
    });
    await publish(app(), desk.project, plain.id);
    await desk.write(plain.id, 'de', { title: 'See' });
    expect(await desk.shown(plain.id, 'de')).toBeNull();
    const alone = await desk.article(['de', { title: 'See' }]);
    await desk.draft(alone, 'en', { teaser: 'Deep' });
    expect(await desk.shown(alone, 'de')).toBeNull();
  });

  it('keeps a required field required in each locale', async () => {
    await desk.post('/content-types/article/fields', { apiName: 'note', type: 'text', required: true });
    const id = await desk.article(['en', { title: 'Lake', note: 'Here' }]);
    await desk.draft(id, 'de', { title: 'See' });
    expect(outcome(await desk.post(`/entries/${id}/publish`, { locale: 'de' }))).toEqual([
      422,
      'entry_invalid',
    ]);
  });

  it('expands references and renders rich text and assets as it does for values of the document', async () => {
    const target = await desk.article(['en', { title: 'More', teaser: 'Wide' }], ['de', { title: 'Mehr' }]);
    const id = await desk.article(
      ['en', { title: 'Lake', more: { _ref: target } }],
      ['de', { title: 'See' }],
    );
    const { body } = await desk.deliver(`/entries/${id}?locale=de&include=1`);
    expect(body.data.fields.more).toMatchObject({
      _id: target,
      _locale: 'de',
      fields: { title: 'Mehr', teaser: 'Wide' },
    });
  });

  it('is filtered by what it shows, in lists of REST and in previews', async () => {
    const id = await desk.article(
      ['en', { title: 'Lake', teaser: 'Deep', rating: 4 }],
      ['de', { title: 'See' }],
    );
    await desk.article(
      ['en', { title: 'Pond', teaser: 'Flat', rating: 1 }],
      ['de', { title: 'Teich', teaser: 'Flach' }],
    );
    for (const key of [undefined, desk.project.keys.preview])
      for (const filter of ['[teaser][eq]=Deep', '[teaser][contains]=eep', '[rating][gte]=2']) {
        const { body } = await desk.deliver(`/content/article?locale=de&filter${filter}`, key);
        expect([filter, body.meta.total, body.data]).toMatchObject([filter, 1, [{ _id: id, _locale: 'de' }]]);
        expect(body.data[0].fields).toMatchObject({ title: 'See', teaser: 'Deep', rating: 4 });
      }
    const { body } = await desk.deliver('/content/article?locale=de&filter[teaser][exists]=false');
    expect(body.meta.total).toBe(0);
  });

  it('is served by GraphQL', async () => {
    const id = await desk.article(['en', { title: 'Lake', teaser: 'Deep' }], ['de', { title: 'See' }]);
    const query = `{ articleCollection(site: "main", locale: "de") { items { _id _locale title teaser } } }`;
    const { body } = await send(app(), {
      method: 'POST',
      path: `/api/graphql/${desk.project.slug}`,
      key: desk.project.keys.delivery,
      body: { query },
    });
    expect(body.data.articleCollection.items).toEqual([
      { _id: id, _locale: 'de', title: 'See', teaser: 'Deep' },
    ]);
  });

  it('is found by search in its locale by what it shows', async () => {
    const id = await desk.article(
      ['en', { title: 'Lake', teaser: 'Unfathomable' }],
      ['de', { title: 'See' }],
    );
    await app().composition.jobs.indexSearch();
    const found = async (q: string) => (await desk.deliver(`/search?q=${q}&locale=de`)).body.data as unknown;
    expect(await found('unfathomable')).toMatchObject([{ entry: { _id: id, _locale: 'de' }, title: 'See' }]);
    await desk.write(id, 'en', { teaser: 'Shallow' });
    await app().composition.jobs.indexSearch();
    expect(await found('unfathomable')).toEqual([]);
    expect(await found('shallow')).toMatchObject([{ entry: { _id: id, _locale: 'de' } }]);
  });

  it('is previewed with the drafts of its fallbacks, by entry, slug, list, version and link', async () => {
    const { preview } = desk.project.keys;
    const id = await desk.article(['en', { title: 'Lake', teaser: 'Deep' }], ['de', { title: 'See' }]);
    await desk.draft(id, 'en', { teaser: 'Deeper' });
    expect((await desk.read(id, 'de', preview)).fields).toMatchObject({ title: 'See', teaser: 'Deeper' });
    expect((await desk.read(id, 'de-AT', preview)).fields).toMatchObject({ title: 'See', teaser: 'Deeper' });
    expect(await desk.shown(id, 'de')).toBe('Deep');
    const list = await desk.deliver('/content/article?locale=de', preview);
    expect(list.body.data).toMatchObject([{ fields: { title: 'See', teaser: 'Deeper' } }]);
    for (const [versionNum, teaser] of [
      [undefined, 'Deeper'],
      [2, 'Deep'],
    ] as const) {
      const link = await desk.post(`/entries/${id}/preview`, { locale: 'de', versionNum });
      const path = `/entries/${id}?locale=de&previewToken=${String(link.body.data.token)}`;
      expect((await desk.deliver(path)).body.data.fields).toMatchObject({ title: 'See', teaser });
    }
  });

  it('is in the event of its publication as it is served', async () => {
    const receiver = await openReceiver();
    try {
      await createWebhook(app(), desk.project, { url: `${receiver.url}/live`, events: ['entry.published'] });
      const id = await desk.article(['en', { title: 'Lake', teaser: 'Deep' }], ['de', { title: 'See' }]);
      await app().composition.jobs.deliverWebhooks();
      const sent = receiver.calls.map(({ message }) => message.data.entry as { _locale: string });
      const german = sent.find(({ _locale }) => _locale === 'de');
      expect(german).toMatchObject({ fields: { title: 'See', teaser: 'Deep' } });
      expect(german).toEqual(await desk.read(id, 'de'));
    } finally {
      await receiver.close();
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createType } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

verifies('entries/write-one-winner');

const create = (desk: Desk, body: object): Promise<Response> =>
  desk.post('/entries', { contentTypeApiName: 'article', siteId: desk.project.siteId, ...body });
const slugOf = async (desk: Desk, body: object): Promise<string> =>
  (await create(desk, body)).body.data.slug as string;
const titled = (title: string) => ({ fields: { title } });

/** With the type `page`, whose slug field uses the heading. */
async function openPageDesk(settings: object = {}): Promise<Desk> {
  const desk = await openDesk(app());
  const fields = [
    { apiName: 'title', type: 'text' },
    { apiName: 'heading', type: 'text' },
    { apiName: 'handle', type: 'slug', settings },
  ];
  await createType(app(), desk.project, { apiName: 'page', displayField: 'title', fields });
  return desk;
}
const page = (fields: object, more: object = {}) => ({ contentTypeApiName: 'page', fields, ...more });

describe('a generated slug', () => {
  verifies('entries/slugs-taken', 'entries/slugs-unique');

  it.each([
    ['The Upper Lock', 'the-upper-lock'],
    ['  Fish & Chips: 100 % fresh! ', 'fish-chips-100-fresh'],
    ['Über den Fluß', 'uber-den-fluss'],
    ['Москва', 'moskva'],
    ['東京', 'dongjing'],
    ["Don't panic", 'dont-panic'],
    ['a'.repeat(200), 'a'.repeat(80)],
  ])('transliterates, lowercases and hyphenates the title "%s"', async (title, slug) => {
    expect(await slugOf(await openDesk(app()), titled(title))).toBe(slug);
  });

  it('uses the entry’s id as slug when the title yields none', async () => {
    const desk = await openDesk(app());
    for (const body of [{}, titled(''), titled('!!!')]) {
      const { data } = (await create(desk, body)).body;
      expect(data.slug).toBe(data.id);
    }
  });

  it('resolves slug conflicts by appending -2, -3, …', async () => {
    const desk = await openDesk(app());
    const slugs = [];
    for (let index = 0; index < 3; index += 1) slugs.push(await slugOf(desk, titled('River')));
    expect(slugs).toEqual(['river', 'river-2', 'river-3']);
    expect(await slugOf(desk, titled('River 2'))).toBe('river-2-2');
  });

  it('gives 20 concurrently created entries distinct slugs', async () => {
    const desk = await openDesk(app());
    const made = await Promise.all(Array.from({ length: 20 }, () => create(desk, titled('Same'))));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(20);
    const slugs = new Set(made.map(({ body }) => body.data.slug as string));
    expect(slugs.size).toBe(20);
    expect(slugs).toContain('same-20');
  });

  it('generates the slug from the field that the slug field names, else from the title', async () => {
    const desk = await openPageDesk({ sourceField: 'heading' });
    expect(await slugOf(desk, page({ title: 'Title', heading: 'My heading' }))).toBe('my-heading');
    expect(await slugOf(desk, page({ title: 'Title' }))).toBe('title');
  });

  it('reuses slug numbers of deleted entries', async () => {
    const desk = await openDesk(app());
    const { id } = (await create(desk, titled('River'))).body.data as { id: string };
    await create(desk, titled('River'));
    await desk.delete(`/entries/${id}`);
    expect(await slugOf(desk, titled('River'))).toBe('river');
  });
});

describe('a slug given by the client', () => {
  verifies('entries/slugs-taken', 'entries/slugs-unique');

  it('prefers the slug of the body over the slug field and the title', async () => {
    const desk = await openPageDesk();
    expect(await slugOf(desk, page({ title: 'T', handle: 'by-field' }, { slug: 'given' }))).toBe('given');
    expect(await slugOf(desk, page({ title: 'T', handle: 'by-field' }))).toBe('by-field');
  });

  it('keeps letters of any script in normalized form', async () => {
    const desk = await openDesk(app());
    expect(await slugOf(desk, { slug: 'Über-東京' })).toBe('Über-東京');
    expect(await slugOf(desk, { slug: 'cafe\u0301' })).toBe('café');
    expect(outcome(await create(desk, { slug: 'café' }))).toEqual([409, 'slug_conflict']);
  });

  it('returns 409 when another entry of the site, locale and type has the slug', async () => {
    const desk = await openPageDesk();
    await create(desk, { slug: 'taken' });
    const response = await create(desk, { slug: 'taken' });
    expect(outcome(response)).toEqual([409, 'slug_conflict']);
    expect(response.body.details).toEqual({ slug: 'taken', locale: 'en' });
    await create(desk, page({ handle: 'by-field' }));
    expect(outcome(await create(desk, page({ handle: 'by-field' })))).toEqual([409, 'slug_conflict']);
  });

  it('allows the same slug in another locale, type or site', async () => {
    const desk = await openDesk(app());
    const site = await desk.post('/sites', { slug: 'other', name: 'Other' });
    await create(desk, { slug: 'taken' });
    const elsewhere = [{ locale: 'de' }, { contentTypeApiName: 'author' }, { siteId: site.body.data.id }];
    for (const body of elsewhere) {
      const made = await create(desk, { slug: 'taken', ...body });
      expect([made.status, made.body.data?.slug]).toEqual([201, 'taken']);
    }
  });

  it('gives a slug to exactly one of 50 concurrent requests', async () => {
    const desk = await openDesk(app());
    const made = await Promise.all(Array.from({ length: 50 }, () => create(desk, { slug: 'wanted' })));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(1);
    const lost = made.filter(({ status }) => status !== 201);
    expect(lost).toHaveLength(49);
    for (const response of lost) expect(outcome(response)).toEqual([409, 'slug_conflict']);
  });

  it.each(['both', 'both-2', 'both-3'])(
    'numbers generated slugs when %s is requested concurrently',
    async (slug) => {
      const desk = await openDesk(app());
      const made = await Promise.all(
        Array.from({ length: 24 }, (_, index) => create(desk, index % 3 > 0 ? titled('Both') : { slug })),
      );
      const unnamed = made.filter((_, index) => index % 3 > 0);
      expect(unnamed.filter(({ status }) => status !== 201).map(outcome)).toEqual([]);
      const named = made.filter(({ status }, index) => index % 3 === 0 && status === 201);
      expect(named.length).toBeLessThanOrEqual(1);
      const slugs = [...unnamed, ...named].map(({ body }) => body.data.slug as string);
      expect(new Set(slugs).size).toBe(slugs.length);
    },
  );

  it.each(['', 'a b', 'a/b', 'a?b', 'a#b', 'a%20b', '..', '.', 'a\\b', 'x'.repeat(201)])(
    'returns 422 for the slug "%s", which is not a path segment',
    async (slug) => {
      const response = await create(await openDesk(app()), { slug });
      expect(outcome(response)).toEqual([422, 'validation_failed']);
      expect(issues(response)[0]?.[0]).toBe('slug');
    },
  );

  it('returns 422 when the slug does not match the pattern of the type', async () => {
    const desk = await openDesk(app());
    await desk.put('/content-types/article', { slugPattern: '^[a-z]+$' });
    expect(issues(await create(desk, { slug: 'has-hyphen' }))).toEqual([['slug', 'pattern_mismatch']]);
    expect(await slugOf(desk, { slug: 'plain' })).toBe('plain');
  });
});

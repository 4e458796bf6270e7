import { beforeEach, describe, expect, it } from '@jest/globals';
import { useOwnApp } from '../support/desk.js';
import { verifies } from '../support/verifies.js';
import { change } from '../management/entries/history.js';
import { SearchedSite } from './searched-site.js';
import { describeSiteSearch } from './site-search.js';
import { describeSiteSuggestions } from './site-suggestions.js';

verifies('delivery/search');

const app = useOwnApp();

describeSiteSearch(app);
describeSiteSuggestions(app);

describe('The root field search', () => {
  let site: SearchedSite;

  beforeEach(async () => {
    site = await SearchedSite.open(app());
  });

  it('finds entries as REST does, with their fields and facets', async () => {
    await site.live({ title: 'Lock one', code: '1' });
    await site.live({ title: 'Lock two' }, { de: 'Schleuse' });
    await site.index();
    const { data } = await site.ask(`{ search(site: "main", q: "lock", type: "article", sort: "title:desc",
      filter: { title: { contains: "lock" } }, facets: ["locale", "fields.code"], highlight: true, limit: 1) {
      total skip limit facets items { title highlights entry { _locale ... on Article { title code } } } } }`);
    expect(data).toEqual({
      search: {
        total: 2,
        skip: 0,
        limit: 1,
        facets: { locale: { en: 2 }, 'fields.code': { '1': 1 } },
        items: [
          {
            title: 'Lock two',
            highlights: { title: ['<em>Lock</em> two'] },
            entry: { _locale: 'en', title: 'Lock two', code: null },
          },
        ],
      },
    });
    expect(
      (await site.ask('{ search(site: "main", locale: "de", skip: 1) { total items { title score } } }'))
        .data,
    ).toEqual({
      search: { total: 2, items: [{ title: 'Lock one', score: 0 }] },
    });
  });

  it('reads drafts for preview keys unless told otherwise, and refuses them to delivery keys', async () => {
    const { preview } = site.desk.project.keys;
    const id = await site.live({ title: 'Old lock' });
    await change(site.desk, id, { fields: { title: 'New lock' } });
    await site.index();
    const found = (rest: string) => `{ search(site: "main", q: "lock"${rest}) { items { title } } }`;
    const of = (title: string) => ({ search: { items: [{ title }] } });
    expect((await site.ask(found(''), preview)).data).toEqual(of('New lock'));
    expect((await site.ask(found(', preview: false'), preview)).data).toEqual(of('Old lock'));
    expect((await site.ask(found(''))).data).toEqual(of('Old lock'));
    expect((await site.ask(found(', preview: true'))).errors?.[0]?.extensions.code).toBe(
      'preview_not_allowed',
    );
  });

  it('reports invalid arguments and limits what one query costs', async () => {
    const code = async (query: string) => (await site.ask(query)).errors?.[0]?.extensions.code;
    expect(await code('{ search(site: "none") { total } }')).toBe('site_not_found');
    expect(await code('{ search(site: "main", type: "none") { total } }')).toBe('content_type_not_found');
    expect(await code('{ search(site: "main", sort: "fields.title:asc") { total } }')).toBe(
      'validation_failed',
    );
    expect(await code('{ search(site: "main", filter: { title: 1 }, type: "article") { total } }')).toBe(
      'validation_failed',
    );
    const many = Array.from(
      { length: 10 },
      (_, index) => `s${String(index)}: search(site: "main") { total }`,
    );
    expect(await code(`{ ${many.join(' ')} }`)).toBe('query_complexity_exceeded');
  });
});

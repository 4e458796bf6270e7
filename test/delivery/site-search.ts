import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { send } from '../support/call.js';
import { issues, openDesk, outcome } from '../support/desk.js';
import { createEntry, createType, paragraphs, publish } from '../support/factories/content.js';
import { change } from '../management/entries/history.js';
import { SearchedSite, type Hit } from './searched-site.js';

/** What delivery search promises, whichever provider the service has. */
export function describeSiteSearch(app: () => TestApp): void {
  let site: SearchedSite;

  beforeEach(async () => {
    site = await SearchedSite.open(app());
  });

  describe('GET search of delivery', () => {
    it('finds what is published, and says what its response depends on', async () => {
      const author = await createEntry(site.app, site.desk.project, {
        contentTypeApiName: 'author',
        fields: { name: 'Ada' },
      });
      await publish(site.app, site.desk.project, author.id);
      const id = await site.live({
        title: 'The upper lock',
        body: paragraphs('Barges'),
        author: { _ref: author.id, _type: 'author' },
      });
      await createEntry(site.app, site.desk.project, {
        contentTypeApiName: 'article',
        fields: { title: 'Draft lock' },
      });
      await change(site.desk, id, { fields: { title: 'A weir' } });
      await site.index();
      const { status, body, headers } = await site.find('q=lock&include=1&paths=true');
      expect([status, body.meta]).toEqual([200, { total: 1, page: 1, limit: 25, pages: 1 }]);
      expect(body.data).toMatchObject([
        {
          entry: {
            _id: id,
            _type: 'article',
            _locale: 'en',
            _path: null,
            fields: { author: { _id: author.id } },
          },
          title: 'The upper lock',
        },
      ]);
      expect((body.data as Hit[])[0]?.score).toBeGreaterThan(0);
      expect(body.data[0]).not.toHaveProperty('highlights');
      expect(await site.titles('q=weir')).toEqual([]);
      expect(headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=3600');
      expect(headers['surrogate-key']).toBe(
        `entry:${id} entry:${author.id} type:article type:author site:main project:${site.desk.project.slug}`,
      );
      const again = await site.app.request
        .get(`${site.desk.project.delivery}/search?q=lock&include=1&paths=true`)
        .set('If-None-Match', headers.etag ?? '');
      expect([again.status, again.text]).toEqual([304, '']);
    });

    it('suggests what is meant, of what is published', async () => {
      await site.live({ title: 'The weir' });
      const id = await site.live({ title: 'Moorings' });
      await change(site.desk, id, { fields: { title: 'Mornings' } });
      await site.index();
      expect((await site.find('q=mooorings')).body.meta.suggestion).toEqual({ q: 'moorings', total: 1 });
      expect((await site.find('q=mornings')).body.meta.suggestion).toEqual({ q: 'moorings', total: 1 });
      expect((await site.find('q=moorings')).body.meta).not.toHaveProperty('suggestion');
      const search = (q: string) =>
        site.ask(`{ search(site: "main", q: "${q}") { total suggestion { q total } } }`);
      expect((await search('mooorings')).data).toEqual({
        search: { total: 1, suggestion: { q: 'moorings', total: 1 } },
      });
      expect((await search('moorings')).data).toEqual({ search: { total: 1, suggestion: null } });
    });

    it('finds an entry in the locale that the site serves', async () => {
      await site.live({ title: 'Water gate' }, { de: 'Schleuse', fr: 'Écluse' });
      await site.live({ title: 'Water tower' });
      await site.index();
      const found = async (query: string) =>
        (await site.hits(query)).map(({ title, entry }) => [title, entry._locale]).sort();
      expect(await found('q=water')).toEqual([
        ['Water gate', 'en'],
        ['Water tower', 'en'],
      ]);
      expect(await found('q=water&locale=de')).toEqual([['Water tower', 'en']]);
      expect(await found('q=schleusen&locale=de')).toEqual([['Schleuse', 'de']]);
      expect(await found('locale=de')).toEqual([
        ['Schleuse', 'de'],
        ['Water tower', 'en'],
      ]);
      expect(await found('q=water&locale=fr')).toEqual([]);
      expect((await site.find('q=water&locale=de&facets=locale,contentType')).body.meta.facets).toEqual({
        locale: { en: 1 },
        contentType: { article: 1 },
      });
    });

    it('filters, sorts, counts and selects by fields of a type', async () => {
      await createType(site.app, site.desk.project, {
        apiName: 'boat',
        fields: [
          { apiName: 'name', type: 'text' },
          { apiName: 'length', type: 'number' },
          { apiName: 'kind', type: 'select', settings: { options: [{ value: 'sail' }, { value: 'steam' }] } },
        ],
      });
      for (const fields of [
        { name: 'Ada', length: 9, kind: 'sail' },
        { name: 'bea', length: 70, kind: 'steam' },
        { name: 'Cleo', kind: 'sail' },
      ]) {
        const { id } = await createEntry(site.app, site.desk.project, { contentTypeApiName: 'boat', fields });
        await publish(site.app, site.desk.project, id);
      }
      await site.index();
      const of = 'contentTypeApiName=boat';
      expect(await site.titles(`${of}&sort=fields.length:desc`)).toEqual(['bea', 'Ada', 'Cleo']);
      expect(await site.titles(`${of}&sort=title:asc`)).toEqual(['Ada', 'bea', 'Cleo']);
      expect(await site.titles(`${of}&filter[kind][eq]=sail&sort=createdAt:asc`)).toEqual(['Ada', 'Cleo']);
      expect(await site.titles(`${of}&filter[length][gt]=9`)).toEqual(['bea']);
      expect(await site.titles(`${of}&q=cleo&filter[kind][ne]=steam&filter[length][exists]=false`)).toEqual([
        'Cleo',
      ]);
      const counted = (
        await site.find(`${of}&facets=fields.kind&fields=length&limit=1&page=2&sort=title:asc`)
      ).body;
      expect(counted.meta).toEqual({
        total: 3,
        page: 2,
        limit: 1,
        pages: 3,
        facets: { 'fields.kind': { sail: 2, steam: 1 } },
      });
      expect(counted.data).toMatchObject([{ title: 'bea', score: 0, entry: { fields: { length: 70 } } }]);
      expect(counted.data[0].entry.fields).toEqual({ length: 70 });
    });

    it('counts references, with the titles of what is published', async () => {
      const author = async (name: string) =>
        (await createEntry(site.app, site.desk.project, { contentTypeApiName: 'author', fields: { name } }))
          .id;
      const [ada, bea] = [await author('Ada'), await author('Bea')];
      await publish(site.app, site.desk.project, ada);
      for (const [title, id] of [
        ['Lock one', ada],
        ['Lock two', ada],
        ['Lock three', bea],
      ])
        await site.live({ title, author: { _ref: id, _type: 'author' } });
      await site.index();
      const query = 'q=lock&contentTypeApiName=article&facets=fields.author';
      const counts = { 'fields.author': { [ada]: 2, [bea]: 1 } };
      const { body, headers } = await site.find(query);
      expect(body.meta).toMatchObject({ total: 3, facets: counts });
      expect(body.meta.facetTitles).toEqual({ 'fields.author': { [ada]: 'Ada' } });
      expect(headers['surrogate-key']).toContain(`entry:${bea}`);
      const { statements } = await site.app.recordStatements(() => site.find(query));
      expect(statements).toEqual([]);
      await publish(site.app, site.desk.project, bea);
      const facetTitles = { 'fields.author': { [ada]: 'Ada', [bea]: 'Bea' } };
      expect((await site.find(query)).body.meta.facetTitles).toEqual(facetTitles);
      const { data } = await site.ask(`{ search(site: "main", q: "lock", type: "article",
        facets: ["fields.author"]) { facets facetTitles } }`);
      expect(data).toEqual({ search: { facets: counts, facetTitles } });
    });

    it('returns the selected fields of entries of every type', async () => {
      const author = await createEntry(site.app, site.desk.project, {
        contentTypeApiName: 'author',
        fields: { name: 'Lock keeper' },
      });
      await publish(site.app, site.desk.project, author.id);
      const text = 'Barges pass the lock. '.repeat(2000);
      await site.live({ title: 'The lock', code: '7', body: paragraphs(text) });
      await site.index();
      const fields = async (query: string) =>
        (await site.hits(`q=lock&sort=title:asc&${query}`)).map(({ entry }) => entry.fields);
      expect(await fields('fields=title,code')).toEqual([{}, { title: 'The lock', code: '7' }]);
      expect(await fields('fields=name,title')).toEqual([{ name: 'Lock keeper' }, { title: 'The lock' }]);
      const { text: page } = await site.app.request.get(
        `${site.desk.project.delivery}/search?q=lock&fields=title,name`,
      );
      expect(page.length).toBeLessThan(2000);
    });

    it('returns parts of published text without markup of the content', async () => {
      await site.live({ title: 'A <b>lock</b>', body: paragraphs('Two "locks" & a weir') });
      await site.index();
      const [hit] = (await site.find('q=lock&highlight=true')).body.data;
      expect(hit.highlights).toEqual({
        title: ['A &lt;b&gt;<em>lock</em>&lt;/b&gt;'],
        body: ['Two &quot;<em>locks</em>&quot; &amp; a weir'],
      });
    });

    it('is served from memory until something on the site is published or unpublished', async () => {
      const id = await site.live({ title: 'Lock one', code: '1' });
      await site.index();
      const queries = ['q=lock', 'contentTypeApiName=article&filter[code][exists]=false'];
      const answers = async () => [await site.titles(queries[0] ?? ''), await site.titles(queries[1] ?? '')];
      expect(await answers()).toEqual([['Lock one'], []]);
      const { statements } = await site.app.recordStatements(answers);
      expect(statements).toEqual([]);
      const second = await site.live({ title: 'Lock two' });
      await site.index();
      expect((await answers()).map((found) => found.toSorted())).toEqual([
        ['Lock one', 'Lock two'],
        ['Lock two'],
      ]);
      await change(site.desk, second, { fields: { code: '2' } });
      await publish(site.app, site.desk.project, second);
      await site.index();
      expect((await answers())[1]).toEqual([]);
      await site.desk.post(`/entries/${id}/unpublish`, { locale: 'en' });
      await site.index();
      expect((await answers())[0]).toEqual(['Lock two']);
    });

    it('searches drafts for preview and management keys, and stores nothing', async () => {
      const { keys } = site.desk.project;
      const id = await site.live({ title: 'Old lock' });
      await change(site.desk, id, { fields: { title: 'New lock' } });
      await site.index();
      for (const key of [keys.preview, keys.management]) {
        const { headers } = await site.find('q=lock', key);
        expect(headers['cache-control']).toBe('private, no-store');
        expect(await site.titles('q=lock', key)).toEqual(['New lock']);
      }
      expect(await site.titles('q=lock', keys.delivery)).toEqual(['Old lock']);
      expect(await site.titles('q=lock')).toEqual(['Old lock']);
    });

    it('finds and counts nothing of another site, project or inactive site', async () => {
      const made = await site.desk.post('/sites', { slug: 'other', name: 'Other' });
      const siteId = (made.body as { data: { id: string } }).data.id;
      const { id } = await createEntry(site.app, site.desk.project, {
        contentTypeApiName: 'article',
        fields: { title: 'Their lock' },
        siteId,
      });
      await publish(site.app, site.desk.project, id);
      await site.index();
      expect((await site.find('q=lock&facets=contentType')).body.meta).toMatchObject({
        total: 0,
        facets: { contentType: {} },
      });
      const path = `${site.desk.project.delivery.replace('/main', '/other')}/search?q=lock`;
      expect((await send(site.app, { method: 'GET', path })).body.meta.total).toBe(1);
      await site.desk.put('/sites/other', { isActive: false });
      expect(outcome(await send(site.app, { method: 'GET', path }))).toEqual([404, 'site_not_found']);
      const stranger = await openDesk(site.app);
      const there = { method: 'GET', path: `${stranger.project.delivery}/search?q=lock` } as const;
      expect((await send(site.app, there)).body.meta.total).toBe(0);
    });

    it('refuses what it cannot read, and finds nothing in punctuation', async () => {
      await site.live({ title: 'To be or not to be' });
      await site.index();
      for (const query of [
        `q=${'a'.repeat(1001)}`,
        'q=%00',
        'sort=title',
        'limit=101',
        'include=4',
        'highlight=maybe',
      ])
        expect(outcome(await site.find(query))).toEqual([422, 'validation_failed']);
      const of = 'contentTypeApiName=article';
      expect(issues(await site.find('sort=score:asc'))).toEqual([['sort', 'unknown_sort']]);
      expect(issues(await site.find('sort=fields.title:asc'))).toEqual([['sort', 'content_type_required']]);
      expect(issues(await site.find('fields=title,none'))).toEqual([['fields.1', 'unknown_field']]);
      expect(issues(await site.find('facets=status'))).toEqual([['facets.0', 'unknown_facet']]);
      expect(issues(await site.find(`${of}&filter[none][eq]=1`))).toEqual([
        ['filter.none.eq', 'invalid_filter'],
      ]);
      expect(issues(await site.find(`${of}&code=1`))).toEqual([['code', 'unknown_parameter']]);
      expect(outcome(await site.find('contentTypeApiName=none'))).toEqual([404, 'content_type_not_found']);
      expect(outcome(await site.find('locale=sv'))).toEqual([404, 'locale_not_found']);
      for (const q of ['?!', "'", '🎉']) expect(await site.titles(`q=${encodeURIComponent(q)}`)).toEqual([]);
      expect(await site.titles(`q=${encodeURIComponent("to & be | !(or) <-> not:*'")}`)).toEqual([
        'To be or not to be',
      ]);
    });
  });
}

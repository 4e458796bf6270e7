import { expect, it } from '@jest/globals';
import { column, issues, openDesk, type Desk } from '../../support/desk.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { createPage, createPageType } from '../../support/factories/tree.js';
import { sessionWith } from '../../support/members.js';
import { article, change, otherSite } from '../entries/history.js';
import { find, indexAll, translated, type SearchScene } from './scene.js';

const grouped = (desk: Desk, query: string) => find(desk, `group=entry&${query}`);

/** How every provider finds entries instead of their locales. Call it inside a suite. */
export function groupsByEntry({ app }: SearchScene): void {
  const indexed = () => indexAll(app());

  it('finds each entry once, with the locales that match and the path of the one shown', async () => {
    const desk = await openDesk(app());
    await createPageType(app(), desk.project);
    const parent = await createPage(app(), desk.project, { slug: 'waterways' });
    const place = { slug: 'lock-of-the-town', treeParentId: parent.treeNodeId };
    const { id } = await createPage(app(), desk.project, place);
    const german = { locale: 'de', slug: 'stadt', fields: { title: 'Die lock in der Stadt' } };
    await change(desk, id, german);
    await change(desk, id, { locale: 'fr', fields: { title: 'Écluse' } });
    const other = await article(desk, { title: 'Some other lock' });
    await indexed();
    const { data, meta } = (await grouped(desk, 'q=page lock&fields=title')).body;
    expect(data).toMatchObject([
      {
        entryId: id,
        locale: 'en',
        locales: ['en'],
        path: '/waterways/lock-of-the-town',
        fields: { title: 'Page lock-of-the-town' },
      },
    ]);
    expect(meta).toMatchObject({ total: 1, pages: 1 });
    const both = (await grouped(desk, 'q=lock')).body.data;
    expect(both).toMatchObject([
      { entryId: other.id, locales: ['en'], path: null },
      { entryId: id, locale: 'de', locales: ['de', 'en'], path: '/waterways/stadt' },
    ]);
    const french = await grouped(desk, 'locale=fr');
    expect([french.body.meta.total, column(french, 'locales')]).toEqual([1, [['fr']]]);
    const [ungrouped] = (await find(desk, 'q=lock')).body.data;
    expect(Object.keys(ungrouped)).not.toEqual(expect.arrayContaining(['locales']));
  });

  it('lists each entry on one page only, in the order of its first locale', async () => {
    const desk = await openDesk(app());
    const ids: string[] = [];
    for (let place = 0; place < 7; place += 1) {
      const name = String(place);
      const texts = { en: `Lock ${name}`, de: `Lock ${String(9 - place)} (${name})`, fr: `Écluse ${name}` };
      ids.push(await translated(desk, texts));
    }
    await indexed();
    for (const order of [
      'q=lock',
      'sort=title:desc',
      'sort=fields.code:asc&contentTypeApiName=article',
      '',
    ]) {
      const pages: unknown[] = [];
      for (const page of [1, 2, 3, 4]) {
        const found = await grouped(desk, `${order}&limit=2&page=${String(page)}`);
        expect(found.body.meta).toMatchObject({ total: 7, pages: 4 });
        pages.push(...column(found, 'entryId'));
      }
      expect(pages.toSorted()).toEqual(ids.toSorted());
    }
    const sorted = await grouped(desk, 'q=lock&locale=en,de&sort=title:asc');
    expect(column(sorted, 'title')).toEqual(
      ['Lock 0', 'Lock 1', 'Lock 2', 'Lock 3', 'Lock 4', 'Lock 4 (5)', 'Lock 3 (6)'].toSorted(),
    );
  });

  it('counts entries in facets, totals and suggestions', async () => {
    const desk = await openDesk(app());
    const site = await otherSite(desk);
    await createType(app(), desk.project, {
      apiName: 'boat',
      fields: [
        { apiName: 'name', type: 'text' },
        { apiName: 'length', type: 'number', localized: false },
        { apiName: 'tags', type: 'text', isList: true },
      ],
    });
    const boat = async (names: Record<string, string>, fields: object, siteId = desk.project.siteId) => {
      const [[, name = ''] = [], ...others] = Object.entries(names);
      const { id } = await createEntry(app(), desk.project, {
        contentTypeApiName: 'boat',
        siteId,
        fields: { name, ...fields },
      });
      for (const [locale, text] of others)
        await change(desk, id, { locale, fields: { name: text, tags: ['oak'] } });
      return id;
    };
    const ada = await boat(
      { en: 'Barge Ada', de: 'Barge Ada, die Ältere' },
      { length: 9, tags: ['oak', 'old'] },
    );
    await boat({ en: 'Barge Bea', fr: 'Barge Béa' }, { length: 9, tags: ['old'] }, site);
    await publish(app(), desk.project, ada, 'en');
    await indexed();
    const facets = 'facets=contentType,site,locale,status,workflowState,fields.length,fields.tags';
    const { meta } = (await grouped(desk, `q=barge&contentTypeApiName=boat&${facets}`)).body;
    expect(meta).toMatchObject({
      total: 2,
      facets: {
        contentType: { boat: 2 },
        site: { [desk.project.siteId]: 1, [site]: 1 },
        locale: { en: 2, de: 1, fr: 1 },
        status: { draft: 2, published: 1 },
        'fields.length': { 9: 2 },
        'fields.tags': { oak: 2, old: 2 },
      },
    });
    expect((await find(desk, `q=barge&contentTypeApiName=boat&${facets}`)).body.meta).toMatchObject({
      total: 4,
      facets: { 'fields.length': { 9: 4 }, contentType: { boat: 4 } },
    });
    expect((await grouped(desk, 'q=bargge')).body.meta.suggestion).toEqual({ q: 'barge', total: 2 });
    expect((await grouped(desk, 'q=nothing&facets=locale')).body.meta).toMatchObject({
      total: 0,
      facets: { locale: {} },
    });
  });

  it('groups only what the caller may read, and only by entry', async () => {
    const desk = await openDesk(app());
    const site = await otherSite(desk);
    await translated(desk, { en: 'My lock', de: 'Mein Lock' });
    await article(desk, { title: 'Their lock' }, { siteId: site });
    await indexed();
    const member = await sessionWith(app(), desk.project, [
      { resource: 'search', action: 'read' },
      { resource: 'entries', action: 'read', scope: { siteIds: [desk.project.siteId] } },
    ]);
    const { data, meta } = (await grouped(desk.as(member), 'q=lock')).body;
    expect([meta.total, data[0].locales]).toEqual([1, ['de', 'en']]);
    expect(issues(await find(desk, 'q=lock&group=locale'))).toEqual([['group', 'invalid_value']]);
  });
}

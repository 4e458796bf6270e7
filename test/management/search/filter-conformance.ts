import { expect, it } from '@jest/globals';
import { column, issues, openDesk, outcome } from '../../support/desk.js';
import { createEntry, createType } from '../../support/factories/content.js';
import { sessionWith } from '../../support/members.js';
import { article, change, otherSite } from '../entries/history.js';
import { find, indexAll, titles, translated, type SearchScene } from './scene.js';

/** How every provider filters, sorts and counts. Call it inside a suite. */
export function filtersAndCounts({ app, provider }: SearchScene): void {
  const indexed = () => indexAll(app());

  it('filters, sorts and counts by fields of a type', async () => {
    const desk = await openDesk(app());
    await createType(app(), desk.project, {
      apiName: 'boat',
      fields: [
        { apiName: 'name', type: 'text' },
        { apiName: 'length', type: 'number' },
        {
          apiName: 'kinds',
          type: 'select',
          isList: true,
          settings: { options: [{ value: 'sail' }, { value: 'steam' }] },
        },
      ],
    });
    const boat = (fields: Record<string, unknown>) =>
      createEntry(app(), desk.project, { contentTypeApiName: 'boat', fields });
    await boat({ name: 'Ada', length: 9, kinds: ['sail'] });
    await boat({ name: 'bea', length: 70, kinds: ['sail', 'steam'] });
    await boat({ name: 'Cleo' });
    await indexed();
    const of = 'contentTypeApiName=boat';
    expect(column(await find(desk, `${of}&sort=fields.length:desc`), 'title')).toEqual([
      'bea',
      'Ada',
      'Cleo',
    ]);
    expect(column(await find(desk, `${of}&sort=title:asc`), 'title')).toEqual(['Ada', 'bea', 'Cleo']);
    expect(column(await find(desk, `${of}&filter[length][gt]=9`), 'title')).toEqual(['bea']);
    expect(column(await find(desk, `${of}&filter[length][exists]=false`), 'title')).toEqual(['Cleo']);
    const counted = (
      await find(desk, `${of}&facets=fields.kinds,contentType,status&fields=length&sort=title:asc`)
    ).body;
    expect(counted.meta).toMatchObject({
      total: 3,
      provider,
      facets: { 'fields.kinds': { sail: 2, steam: 1 }, contentType: { boat: 3 }, status: { draft: 3 } },
    });
    expect(counted.data.map(({ fields }: { fields: object }) => fields)).toEqual([
      { length: 9 },
      { length: 70 },
      { length: null },
    ]);
  });

  it('compares values of every kind with every operator', async () => {
    const desk = await openDesk(app());
    const long = 'a stone bridge '.repeat(900);
    await createType(app(), desk.project, {
      apiName: 'boat',
      fields: [
        { apiName: 'name', type: 'text' },
        { apiName: 'notes', type: 'longText' },
        { apiName: 'length', type: 'number' },
        { apiName: 'isOld', type: 'boolean' },
        { apiName: 'built', type: 'date' },
        { apiName: 'tags', type: 'text', isList: true },
        { apiName: 'sister', type: 'reference', settings: { contentTypes: ['boat'] } },
      ],
    });
    const boat = (fields: Record<string, unknown>) =>
      createEntry(app(), desk.project, { contentTypeApiName: 'boat', fields });
    const ada = await boat({
      name: 'Ada',
      length: 9.5,
      isOld: true,
      built: '1911-05-01',
      tags: ['Sail_1', 'oak'],
    });
    const sister = { _ref: ada.id };
    await boat({ name: 'Bea*', length: -70, isOld: false, built: '2001-01-31', tags: ['50%'], sister });
    await boat({ name: 'Cleo', notes: `${long}Weir` });
    await indexed();
    const found = async (filter: string) =>
      column(await find(desk, `contentTypeApiName=boat&sort=title:asc&${filter}`), 'title');
    const cases: Record<string, string[]> = {
      'filter[name][eq]=Ada': ['Ada'],
      'filter[name][eq]=ada': [],
      'filter[name][ne]=Ada': ['Bea*', 'Cleo'],
      'filter[name][in]=Ada,Cleo': ['Ada', 'Cleo'],
      'filter[name][nin]=Ada,Cleo': ['Bea*'],
      'filter[name][contains]=E': ['Bea*', 'Cleo'],
      'filter[name][contains]=a*': ['Bea*'],
      'filter[name][gte]=Bea': ['Bea*', 'Cleo'],
      'filter[notes][contains]=BRIDGE%20weir': ['Cleo'],
      'filter[notes][ne]=x': ['Ada', 'Bea*', 'Cleo'],
      'filter[length][gt]=-70': ['Ada'],
      'filter[length][lte]=9.50': ['Ada', 'Bea*'],
      'filter[length][ne]=9.5': ['Bea*', 'Cleo'],
      'filter[isOld][eq]=false': ['Bea*'],
      'filter[isOld][ne]=true': ['Bea*', 'Cleo'],
      'filter[built][lt]=2001-01-29T00:00:00Z': ['Ada'],
      'filter[built][exists]=false': ['Cleo'],
      'filter[tags][eq]=oak': ['Ada'],
      'filter[tags][contains]=SAIL_': ['Ada'],
      'filter[tags][contains]=%25': ['Bea*'],
      'filter[tags][nin]=oak': ['Bea*', 'Cleo'],
      [`filter[sister][eq]=${ada.id}`]: ['Bea*'],
      [`filter[_id][nin]=${ada.id}`]: ['Bea*', 'Cleo'],
      'filter[_slug][contains]=CL': ['Cleo'],
      'filter[_publishedAt][exists]=false': ['Ada', 'Bea*', 'Cleo'],
    };
    for (const [filter, expected] of Object.entries(cases))
      expect([filter, await found(filter)]).toEqual([filter, expected]);
  });

  it('returns the values of fields of every type that has them', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'A lock', code: '7' });
    await createEntry(app(), desk.project, { contentTypeApiName: 'author', fields: { name: 'Lock keeper' } });
    await indexed();
    const values = async (query: string) =>
      column(await find(desk, `q=lock&sort=title:asc&${query}`), 'fields');
    expect(await values('fields=title,name')).toEqual([{ title: 'A lock' }, { name: 'Lock keeper' }]);
    expect(await values('fields=body')).toEqual([{ body: null }, {}]);
    expect(issues(await find(desk, 'fields=title,none'))).toEqual([['fields.1', 'unknown_field']]);
    const authors = await find(desk, 'contentTypeApiName=author&fields=title');
    expect(issues(authors)).toEqual([['fields.0', 'unknown_field']]);
  });

  it('counts references by the ids of entries, with the titles of those that the caller may read', async () => {
    const desk = await openDesk(app());
    const site = await otherSite(desk);
    const ada = await translated(desk, { en: 'The weir', de: 'Das Wehr' });
    const bea = (await article(desk, { title: 'The mill' }, { siteId: site })).id;
    const gone = (await article(desk, { title: 'The ford' })).id;
    const to = (id: string) => ({ _ref: id });
    await article(desk, { title: 'Lock one', related: [to(ada), to(bea), to(ada)] });
    const two = (await article(desk, { title: 'Lock two', related: [to(ada), to(gone)] })).id;
    await change(desk, two, { locale: 'de', fields: { title: 'Schleuse' } });
    await article(desk, { title: 'Lock three' });
    await desk.delete(`/entries/${gone}`);
    await indexed();
    const counted = async (who: typeof desk, rest = '') => {
      const query = `q=lock&contentTypeApiName=article&facets=fields.related,fields.author${rest}`;
      const { facets, facetTitles } = (await find(who, query)).body.meta;
      return [facets['fields.related'], facetTitles];
    };
    const counts = { [ada]: 2, [bea]: 1, [gone]: 1 };
    const titlesOf = (known: object) => ({ 'fields.related': known, 'fields.author': {} });
    expect(await counted(desk)).toEqual([counts, titlesOf({ [ada]: 'The weir', [bea]: 'The mill' })]);
    expect(await counted(desk, '&group=entry')).toEqual([
      counts,
      titlesOf({ [ada]: 'The weir', [bea]: 'The mill' }),
    ]);
    const member = await sessionWith(app(), desk.project, [
      { resource: 'search', action: 'read' },
      { resource: 'entries', action: 'read', scope: { siteIds: [desk.project.siteId] } },
    ]);
    expect(await counted(desk.as(member))).toEqual([counts, titlesOf({ [ada]: 'The weir' })]);
    const german = 'q=schleuse&contentTypeApiName=article&locale=de&facets=fields.related';
    expect((await find(desk, german)).body.meta.facetTitles).toEqual({
      'fields.related': { [ada]: 'Das Wehr' },
    });
    expect((await find(desk, 'q=lock&facets=locale')).body.meta).not.toHaveProperty('facetTitles');
  });

  it('pages through results and counts them by site, locale and workflow state', async () => {
    const desk = await openDesk(app());
    const other = await otherSite(desk);
    await translated(desk, { en: 'A lock', de: 'Eine Lock' });
    await article(desk, { title: 'Lock elsewhere' }, { siteId: other });
    await indexed();
    const { body } = await find(desk, 'q=lock&facets=site,locale,workflowState,assignee&limit=2&page=2');
    expect(body.meta).toMatchObject({
      total: 3,
      page: 2,
      pages: 2,
      facets: {
        site: { [desk.project.siteId]: 2, [other]: 1 },
        locale: { en: 2, de: 1 },
        workflowState: { draft: 3 },
        assignee: {},
      },
    });
    expect(body.data).toHaveLength(1);
    expect(column(await find(desk, `q=lock&siteId=${other}`), 'title')).toEqual(['Lock elsewhere']);
    expect(column(await find(desk, 'q=lock&locale=de'), 'locale')).toEqual(['de']);
    expect(column(await find(desk, 'q=lock&status=published'), 'title')).toEqual([]);
  });

  it('finds and counts only what the caller may read', async () => {
    const desk = await openDesk(app());
    const other = await otherSite(desk);
    await translated(desk, { en: 'My lock', de: 'Mein Lock' });
    await article(desk, { title: 'Their lock' }, { siteId: other });
    await createEntry(app(), desk.project, { contentTypeApiName: 'author', fields: { name: 'Lock keeper' } });
    await indexed();
    const seen = async (scope: object) => {
      const member = await sessionWith(app(), desk.project, [
        { resource: 'search', action: 'read' },
        { resource: 'entries', action: 'read', scope },
      ]);
      const { body } = await find(desk.as(member), 'q=lock&sort=title:asc&facets=contentType,site,locale');
      const { total, facets } = body.meta;
      return [body.data.map(({ title }: { title: string }) => title), total, facets];
    };
    const main = desk.project.siteId;
    expect(await seen({ contentTypes: ['article'], siteIds: [main] })).toEqual([
      ['Mein Lock', 'My lock'],
      2,
      { contentType: { article: 2 }, site: { [main]: 2 }, locale: { de: 1, en: 1 } },
    ]);
    expect(await seen({ ownOnly: true })).toEqual([[], 0, { contentType: {}, site: {}, locale: {} }]);
    const stranger = await openDesk(app());
    expect((await find(stranger, 'q=lock')).body.meta.total).toBe(0);
  });

  it('refuses what it cannot read, and finds nothing in punctuation', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'To be or not to be' });
    await indexed();
    for (const query of [
      `q=${'a'.repeat(1001)}`,
      'q=%00',
      'sort=title',
      'limit=101',
      `facets=${Array.from({ length: 100 }, (_, index) => `f${String(index)}`).join(',')}`,
    ])
      expect(outcome(await find(desk, query))).toEqual([422, 'validation_failed']);
    const of = 'contentTypeApiName=article';
    expect(issues(await find(desk, 'sort=score:asc'))).toEqual([['sort', 'unknown_sort']]);
    expect(issues(await find(desk, 'sort=fields.title:asc'))).toEqual([['sort', 'content_type_required']]);
    expect(issues(await find(desk, `${of}&sort=fields.none:asc`))).toEqual([['sort', 'unknown_field']]);
    expect(issues(await find(desk, `${of}&sort=fields.body:asc`))).toEqual([['sort', 'invalid_sort']]);
    expect(issues(await find(desk, 'facets=colour'))).toEqual([['facets.0', 'unknown_facet']]);
    expect(issues(await find(desk, `${of}&facets=fields.body`))).toEqual([['facets.0', 'invalid_facet']]);
    expect(issues(await find(desk, `${of}&filter[none][eq]=1`))).toEqual([
      ['filter.none.eq', 'invalid_filter'],
    ]);
    expect(outcome(await find(desk, 'contentTypeApiName=none'))).toEqual([404, 'content_type_not_found']);
    expect(outcome(await find(desk, 'locale=sv'))).toEqual([404, 'locale_not_found']);
    for (const q of ['?!', '()', "'", '—', '🎉'])
      expect((await find(desk, `q=${encodeURIComponent(q)}`)).body.meta.total).toBe(0);
    for (const q of ['to be or not', "to & be | !(or) <-> not:*'", `${'be '.repeat(300)}`, 'to\\ be'])
      expect(await titles(desk, q)).toEqual(['To be or not to be']);
  });
}

import { describe, expect, it } from '@jest/globals';
import { column, issues, openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { createEntry, createType, paragraphs, publish } from '../../support/factories/content.js';
import { sessionWith } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { article, change, otherSite } from '../entries/history.js';

const app = useApp();
const indexed = () => app().composition.jobs.indexSearch();
const find = (desk: Desk, query: string) => desk.get(`/search?${query}`);
const titles = async (desk: Desk, q: string, rest = '') => {
  await indexed();
  return column(await find(desk, `q=${encodeURIComponent(q)}&${rest}`), 'title');
};

async function translated(desk: Desk, texts: Record<string, string>): Promise<string> {
  const [[locale = '', title = ''] = [], ...others] = Object.entries(texts);
  const { id } = await article(desk, { title }, { locale });
  for (const [other, text] of others) await change(desk, id, { locale: other, fields: { title: text } });
  return id;
}

describe('GET search', () => {
  verifies('spec-4.3-search', 'dec-2.22-search', 'dec-3.7-text', 'dec-3.7-rights', 'dec-3.7-input');

  it('finds words of every field, in any of their forms', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Rivers', body: paragraphs('Barges are waiting at the upper lock.') });
    await article(desk, { title: 'Roads', code: 'A-113' });
    expect(await titles(desk, 'river')).toEqual(['Rivers']);
    expect(await titles(desk, 'wait barge')).toEqual(['Rivers']);
    expect(await titles(desk, 'a113 OR a-113')).toEqual(['Roads']);
    expect(await titles(desk, 'harbour')).toEqual([]);
  });

  it('tolerates case, missing accents, unfinished words and typing errors', async () => {
    const desk = await openDesk(app(), { locales: ['en', 'de', 'fr', 'tr'] });
    await translated(desk, { en: 'Lock keepers', de: 'Schleusenwärter', fr: 'Éclusiers', tr: 'IŞIK kapısı' });
    expect(await titles(desk, 'schleusenwarter')).toEqual(['Schleusenwärter']);
    expect(await titles(desk, 'SCHLEUSENW')).toEqual(['Schleusenwärter']);
    expect(await titles(desk, 'Schluesenwärter')).toEqual(['Schleusenwärter']);
    expect(await titles(desk, 'eclusier')).toEqual(['Éclusiers']);
    expect(await titles(desk, 'ışık', 'locale=tr')).toEqual(['IŞIK kapısı']);
    expect(await titles(desk, 'loock keper')).toEqual(['Lock keepers']);
  });

  it('finds parts of texts without spaces, and words from right to left', async () => {
    const desk = await openDesk(app(), { locales: ['en', 'ja', 'zh-CN', 'ko', 'ar'] });
    await translated(desk, {
      en: 'Water gates',
      ja: '東京都の水門と東京タワー',
      'zh-CN': '上游水闸',
      ko: '수문을 여는 방법',
      ar: 'بوّابات المياه',
    });
    expect(await titles(desk, '水門')).toEqual(['東京都の水門と東京タワー']);
    expect(await titles(desk, '水闸', 'locale=zh-CN')).toEqual(['上游水闸']);
    expect(await titles(desk, '闸')).toEqual(['上游水闸']);
    expect(await titles(desk, '수문')).toEqual(['수문을 여는 방법']);
    expect(await titles(desk, 'بوابات')).toEqual(['بوّابات المياه']);
  });

  it('ranks titles before other text and rich text, phrases before words, and the last updated first', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Rich', body: paragraphs('The upper lock') });
    await article(desk, { title: 'Text', code: 'upper lock' });
    await article(desk, { title: 'The lock that is upper' });
    await article(desk, { title: 'An upper lock' });
    await article(desk, { title: 'Upper lock' });
    const expected = ['Upper lock', 'An upper lock', 'The lock that is upper', 'Text', 'Rich'];
    expect(await titles(desk, 'upper lock ')).toEqual(expected);
    await article(desk, { title: 'Twin' });
    await article(desk, { title: 'Twin' });
    await indexed();
    const times = column(await find(desk, 'q=twin'), 'updatedAt');
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('finds what any word of a long question names if nothing has all of them', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Opening hours of the lock' });
    await article(desk, { title: 'Prices of berths' });
    expect(await titles(desk, 'what does it cost to open a lock at midnight')).toEqual([
      'Opening hours of the lock',
    ]);
  });

  it('follows changes, publications, deletions and what assets are called', async () => {
    const desk = await openDesk(app());
    const { id } = await article(desk, { title: 'Barge' });
    expect(await titles(desk, 'barge')).toEqual(['Barge']);
    await change(desk, id, { fields: { title: 'Ferry' } });
    expect(await titles(desk, 'barge')).toEqual([]);
    await publish(app(), desk.project, id);
    await indexed();
    expect(column(await find(desk, 'q=ferry'), 'status')).toEqual(['published']);
    const { version } = (await desk.get(`/entries/${id}`)).body.data as { version: number };
    await desk.delete(`/entries/${id}?version=${String(version)}`);
    expect(await titles(desk, 'ferry')).toEqual([]);
  });

  it('returns parts of the text without markup of the content', async () => {
    const desk = await openDesk(app());
    const body = paragraphs(
      `Before <script>alert(1)</script> the "upper" locks & others ${'x '.repeat(200)}`,
    );
    await article(desk, { title: 'A <b>lock</b>', body });
    await indexed();
    const [result] = (await find(desk, 'q=lock&highlight=true')).body.data;
    expect(result.highlights.title).toEqual(['A &lt;b&gt;<em>lock</em>&lt;/b&gt;']);
    expect(result.highlights.body[0]).toContain(
      'Before &lt;script&gt;alert(1)&lt;/script&gt; the &quot;upper&quot; <em>locks</em> &amp; others',
    );
    expect(result.highlights.body[0].endsWith('…')).toBe(true);
    expect((await find(desk, 'q=lock')).body.data[0]).not.toHaveProperty('highlights');
  });

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
      provider: 'database',
      facets: { 'fields.kinds': { sail: 2, steam: 1 }, contentType: { boat: 3 }, status: { draft: 3 } },
    });
    expect(counted.data.map(({ fields }: { fields: object }) => fields)).toEqual([
      { length: 9 },
      { length: 70 },
      { length: null },
    ]);
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

  it('indexes each entry once, whoever does it, and forgets what is gone', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Once' });
    const counts = await Promise.all([indexed(), indexed(), indexed()]);
    await indexed();
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(0);
    expect(await titles(desk, 'once')).toEqual(['Once']);
    expect(await indexed()).toBe(0);
  });
});

describe('POST search/reindex', () => {
  verifies('dec-2.22-reindex');

  it('has no effect in the database', async () => {
    const desk = await openDesk(app());
    const { body } = await desk.post('/search/reindex', { siteIds: [desk.project.siteId] });
    expect(body).toEqual({ data: { status: 'noop', provider: 'database' } });
    expect(outcome(await desk.post('/search/reindex', { contentTypes: ['none'] }))).toEqual([
      404,
      'content_type_not_found',
    ]);
  });
});

import { expect, it } from '@jest/globals';
import { openDesk, outcome, type Desk } from '../../support/desk.js';
import { createEntry, paragraphs } from '../../support/factories/content.js';
import { sessionWith } from '../../support/members.js';
import { article, otherSite } from '../entries/history.js';
import { indexAll, translated, type SearchScene } from './scene.js';

interface Row {
  readonly kind: 'query' | 'entry';
  readonly text: string;
}

const suggest = (desk: Desk, q: string, rest = '') =>
  desk.get(`/search/suggest?q=${encodeURIComponent(q)}&${rest}`);

/** Suggested texts by kind. */
async function suggested(desk: Desk, q: string, rest = ''): Promise<Record<Row['kind'], string[]>> {
  const rows = (await suggest(desk, q, rest)).body.data as Row[];
  const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind).map(({ text }) => text);
  return { query: of('query'), entry: of('entry') };
}

/** How every provider completes queries. Call it inside a suite. */
export function completesQueries({ app }: SearchScene): void {
  const indexed = () => indexAll(app());

  it('completes the last word, the most frequent first, and lists titles that begin with the query', async () => {
    const desk = await openDesk(app());
    const id = (await article(desk, { title: 'River locks', body: paragraphs('A lockmaster.') })).id;
    await article(desk, { title: 'The river', body: paragraphs('A lock and a lockmaster.') });
    await article(desk, { title: 'Roads', body: paragraphs('No locksmith.') });
    await article(desk, { title: 'A lock on the river' });
    await article(desk, { title: 'Riverbanks' });
    await indexed();
    expect(await suggested(desk, 'river lo')).toEqual({
      query: ['river lock', 'river lockmaster', 'river locks'],
      entry: ['River locks', 'A lock on the river'],
    });
    expect(await suggested(desk, 'RIVER')).toEqual({
      query: ['riverbanks'],
      entry: ['River locks', 'Riverbanks', 'A lock on the river', 'The river'],
    });
    expect((await suggest(desk, 'river lo', 'limit=20')).body.data.at(3)).toEqual({
      kind: 'entry',
      text: 'River locks',
      entryId: id,
      contentTypeApiName: 'article',
      siteId: desk.project.siteId,
      locale: 'en',
    });
    expect(await suggested(desk, 'river loc ')).toEqual({ query: [], entry: [] });
  });

  it('completes words without regard to case and accents, and writes them as the entry does', async () => {
    const desk = await openDesk(app(), { locales: ['en', 'de', 'fr'] });
    await translated(desk, { en: 'Keys', de: 'Schlüsselübergabe', fr: 'Écluse' });
    await indexed();
    for (const typed of ['SCHLÜ', 'schlu', 'schlue'])
      expect(await suggested(desk, typed)).toEqual({
        query: ['schlüsselübergabe'],
        entry: ['Schlüsselübergabe'],
      });
    expect(await suggested(desk, 'eclu')).toEqual({ query: ['écluse'], entry: ['Écluse'] });
    expect(await suggested(desk, 'eclu', 'locale=de')).toEqual({ query: [], entry: [] });
  });

  it('tolerates one wrong letter from five letters on if nothing matches', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Harbour master' });
    await article(desk, { title: 'Harvests' });
    await indexed();
    for (const typed of ['harbuo', 'harbxu', 'hrbou', 'haarbou', 'karbo', 'harpour'])
      expect([typed, await suggested(desk, typed)]).toEqual([
        typed,
        { query: ['harbour'], entry: ['Harbour master'] },
      ]);
    expect(await suggested(desk, 'harbuor mas')).toEqual({
      query: ['harbour master'],
      entry: ['Harbour master'],
    });
    for (const typed of ['hrab', 'xxrbour', 'masters plan'])
      expect([typed, await suggested(desk, typed)]).toEqual([typed, { query: [], entry: [] }]);
  });

  it('suggests an entry once, and queries where entries are few', async () => {
    const desk = await openDesk(app(), { locales: ['en', 'de'] });
    await translated(desk, { en: 'Lock', de: 'Lock' });
    await article(desk, { title: 'Roads', body: paragraphs('Locked, locker, lockets, lockout, lockstep.') });
    await indexed();
    const rows = (await suggest(desk, 'lock', 'limit=4')).body.data as Row[];
    expect(rows).toMatchObject([
      { kind: 'query', text: 'locked' },
      { kind: 'query', text: 'locker' },
      { kind: 'query', text: 'lockets' },
      { kind: 'entry', text: 'Lock' },
    ]);
  });

  it('lists titles in scripts without spaces', async () => {
    const desk = await openDesk(app(), { locales: ['en', 'ja'] });
    await translated(desk, { en: 'Gates', ja: '東京都の水門' });
    await indexed();
    expect(await suggested(desk, '東京')).toEqual({ query: [], entry: ['東京都の水門'] });
    expect(await suggested(desk, '水門')).toEqual({ query: [], entry: ['東京都の水門'] });
  });

  it('suggests words and titles only of entries that the caller may read', async () => {
    const desk = await openDesk(app());
    const other = await otherSite(desk);
    await article(desk, { title: 'Lockmaster' });
    await article(desk, { title: 'Lockheed' }, { siteId: other });
    await createEntry(app(), desk.project, { contentTypeApiName: 'author', fields: { name: 'Locksley' } });
    await indexed();
    const seen = async (scope: object, rest = '') => {
      const member = await sessionWith(app(), desk.project, [
        { resource: 'search', action: 'read' },
        { resource: 'entries', action: 'read', scope },
      ]);
      return suggested(desk.as(member), 'lock', rest);
    };
    const main = desk.project.siteId;
    expect(await seen({ contentTypes: ['article'], siteIds: [main] })).toEqual({
      query: ['lockmaster'],
      entry: ['Lockmaster'],
    });
    expect(await seen({ contentTypes: ['author'] })).toEqual({ query: ['locksley'], entry: ['Locksley'] });
    expect(await seen({ ownOnly: true })).toEqual({ query: [], entry: [] });
    expect(await suggested(desk, 'lock', `siteId=${other}`)).toEqual({
      query: ['lockheed'],
      entry: ['Lockheed'],
    });
    const stranger = await openDesk(app());
    expect(await suggested(stranger, 'lock')).toEqual({ query: [], entry: [] });
  });

  it('writes a word with the accents of an entry that the caller may read', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Résumés' });
    await indexed();
    const other = await otherSite(desk);
    await article(desk, { title: 'Roads', body: paragraphs('Resumes') }, { siteId: other });
    await indexed();
    expect((await suggested(desk, 'resu', `siteId=${desk.project.siteId}`)).query).toEqual(['résumés']);
    expect((await suggested(desk, 'resu', `siteId=${other}`)).query).toEqual(['resumes']);
  });

  it('writes a word as the first entry by title does, in whatever order entries were indexed', async () => {
    const titles = ['Guests: resumes', 'Résumés', 'Resumés of pilots'];
    for (const order of [titles, titles.toReversed()]) {
      const desk = await openDesk(app());
      for (const title of order) {
        await article(desk, { title });
        await indexed();
      }
      expect([order, (await suggested(desk, 'resu')).query]).toEqual([order, ['resumes']]);
      expect((await suggested(desk, 'pilots resu')).query).toEqual(['pilots resumés']);
    }
  });

  it('suggests nothing for punctuation, and refuses what it cannot read', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'To be or not to be' });
    await indexed();
    for (const q of ['', ' ', '?!', "'", '🎉', '-be', "t'", `${'be '.repeat(300)}`])
      expect([q, (await suggest(desk, q)).status]).toEqual([q, 200]);
    for (const q of ['', '?!', '-be']) expect(await suggested(desk, q)).toEqual({ query: [], entry: [] });
    expect((await suggested(desk, "to & be | !(or) <-> not:*'")).entry).toEqual(['To be or not to be']);
    expect(outcome(await suggest(desk, 'a'.repeat(1001)))).toEqual([422, 'validation_failed']);
    expect(outcome(await desk.get('/search/suggest'))).toEqual([422, 'validation_failed']);
    expect(outcome(await suggest(desk, 'be', 'limit=21'))).toEqual([422, 'validation_failed']);
    expect(outcome(await suggest(desk, 'be', 'locale=sv'))).toEqual([404, 'locale_not_found']);
  });
}

import { expect, it } from '@jest/globals';
import { SearchedSite } from '../../delivery/searched-site.js';
import { column, openDesk, type Desk } from '../../support/desk.js';
import { paragraphs } from '../../support/factories/content.js';
import { article } from '../entries/history.js';
import { find, indexAll, titles, translated, type SearchScene } from './scene.js';

/** Stores settings that are valid. */
export async function setSettings(desk: Desk, settings: object): Promise<unknown> {
  const { status, body } = await desk.put('/search/settings', settings);
  expect([status, body]).toEqual([200, { data: expect.anything() as unknown }]);
  return body.data;
}

/** How settings change what every provider finds. Call it inside a suite. */
export function followsSettings({ app }: SearchScene): void {
  it('finds synonyms in their forms, behind the word itself', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Automobiles' });
    await article(desk, { title: 'Roads', body: paragraphs('Long before, a car passed here now and then.') });
    await article(desk, { title: 'Motor cars of today' });
    await article(desk, { title: 'The motor of a ship, and its railway car' });
    expect(await titles(desk, 'automobile')).toEqual(['Automobiles']);
    await setSettings(desk, { synonyms: { en: [['automobile', 'Motor Car', 'vehicle']] } });
    expect(await titles(desk, 'automobile')).toEqual(['Automobiles', 'Motor cars of today']);
    expect(await titles(desk, 'vehicles ')).toEqual(
      expect.arrayContaining(['Automobiles', 'Motor cars of today']),
    );
    expect((await titles(desk, 'motor cars'))[0]).toBe('Motor cars of today');
    expect((await titles(desk, 'motor cars')).at(-1)).toBe('Automobiles');
    await setSettings(desk, { synonyms: { en: [['car', 'automobile']] } });
    const found = await titles(desk, 'car ');
    expect(found.at(-1)).toBe('Automobiles');
    expect(found).toHaveLength(4);
    await setSettings(desk, { synonyms: {} });
    expect(await titles(desk, 'car ')).not.toContain('Automobiles');
  });

  it('widens neither phrases nor what must not be found', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'A lorry at the lock' });
    await article(desk, { title: 'A truck at the lock' });
    await setSettings(desk, { synonyms: { en: [['truck', 'lorry']] } });
    expect(await titles(desk, '"truck" lock')).toEqual(['A truck at the lock']);
    expect(await titles(desk, 'lock -truck')).toEqual(['A lorry at the lock']);
    expect(await titles(desk, 'truck lock')).toEqual(['A truck at the lock', 'A lorry at the lock']);
    expect(await titles(desk, 'weir OR truck')).toHaveLength(2);
  });

  it('has synonyms of the languages searched only, with their letters spelled out', async () => {
    const desk = await openDesk(app(), { locales: ['en', 'de', 'ja'] });
    await translated(desk, { en: 'Keys', de: 'Schlüssel', ja: '自動車 の 鍵' });
    await translated(desk, { en: 'Access cards', de: 'Zugangskarten', ja: '車両' });
    await setSettings(desk, {
      synonyms: { de: [['Schlüssel', 'Zugangskarte']], ja: [['自動車', '車両']] },
    });
    expect(await titles(desk, 'Schluessel', 'locale=de')).toEqual(['Schlüssel', 'Zugangskarten']);
    expect(await titles(desk, 'zugangskarten', 'locale=de')).toEqual(['Zugangskarten', 'Schlüssel']);
    expect(await titles(desk, '自動車', 'locale=ja')).toEqual(['自動車 の 鍵', '車両']);
    expect(await titles(desk, 'Schlüssel', 'locale=en')).toEqual([]);
    const marked = await find(desk, `q=${encodeURIComponent('Schlüssel')}&locale=de&highlight=true`);
    expect(column(marked, 'highlights')).toEqual([
      { title: ['<em>Schlüssel</em>'] },
      { title: ['<em>Zugangskarten</em>'] },
    ]);
  });

  it('applies synonyms to readers at once, whose responses are cached', async () => {
    const site = await SearchedSite.open(app());
    await site.live({ title: 'A lorry' });
    await site.live({ title: 'A truck' });
    await indexAll(app());
    expect(await site.titles('q=truck')).toEqual(['A truck']);
    expect(await site.titles('q=truck')).toEqual(['A truck']);
    await setSettings(site.desk, { synonyms: { en: [['truck', 'lorry']] } });
    expect(await site.titles('q=truck')).toEqual(['A truck', 'A lorry']);
    expect((await site.ask('{ search(site: "main", q: "truck") { total } }')).data).toEqual({
      search: { total: 2 },
    });
  });

  it('ranks content types and fields by their boosts', async () => {
    const desk = await openDesk(app());
    await article(desk, { title: 'Gates', code: 'sluice' });
    await article(desk, { title: 'Walls', body: paragraphs('A sluice in a wall, and another sluice.') });
    await article(desk, { title: 'Sluices' });
    const field = (code: number, body: number) => ({
      boosts: { fields: { 'article.code': code, 'article.body': body } },
    });
    await setSettings(desk, field(10, 1));
    expect(await titles(desk, 'sluice ')).toEqual(['Gates', 'Sluices', 'Walls']);
    await setSettings(desk, field(0.1, 10));
    expect(await titles(desk, 'sluice ')).toEqual(['Walls', 'Sluices', 'Gates']);
    await setSettings(desk, { boosts: { fields: { 'article.title': 0.1, 'article.body': 5 } } });
    expect(await titles(desk, 'sluice ')).toEqual(['Walls', 'Gates', 'Sluices']);
    await setSettings(desk, { boosts: {} });
    expect((await titles(desk, 'sluice '))[0]).toBe('Sluices');
  });

  it('ranks by the boost of a type, without another index', async () => {
    const desk = await openDesk(app());
    await desk.post('/entries', {
      contentTypeApiName: 'author',
      siteId: desk.project.siteId,
      fields: { name: 'Ada Weir' },
    });
    await article(desk, { title: 'Weir' });
    expect(await titles(desk, 'weir ')).toEqual(['Weir', 'Ada Weir']);
    await setSettings(desk, { boosts: { types: { author: 10, article: 0.1 } } });
    expect(column(await find(desk, 'q=weir '), 'title')).toEqual(['Ada Weir', 'Weir']);
  });
}

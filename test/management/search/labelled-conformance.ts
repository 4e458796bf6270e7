import { beforeAll, expect, it } from '@jest/globals';
import { measureQuality, readQueries, readTown } from '../../bench/search/labelled.js';
import { column, openDesk, type Desk } from '../../support/desk.js';
import { paragraphs } from '../../support/factories/content.js';
import { article, change } from '../entries/history.js';
import { find, indexAll, type SearchScene } from './scene.js';

const languages = ['de', 'en', 'nl', 'sv', 'da', 'nb'];

/** How well every provider finds what people look for. Call it inside a suite. */
export function findsWhatIsMeant({ app }: SearchScene): void {
  let desk: Desk;
  const keys = new Map<unknown, string>();

  beforeAll(async () => {
    desk = await openDesk(app(), { locales: languages });
    const pages = await readTown();
    for (const [key, locales] of Map.groupBy(pages, (page) => page.key)) {
      const values = ({ title, text }: (typeof pages)[number]) => ({ title, body: paragraphs(text) });
      const [first, ...others] = locales;
      if (first === undefined) continue;
      const { id } = await article(desk, values(first), { locale: first.locale });
      for (const page of others) await change(desk, id, { locale: page.locale, fields: values(page) });
      for (const page of locales) keys.set(page.title, key);
    }
    await indexAll(app());
  });

  it.each(languages)(
    'finds the page that is meant first by 95 of 100 labelled queries: %s',
    async (locale) => {
      const queries = (await readQueries('town-queries.txt')).filter((query) => query.locale === locale);
      expect(queries.length).toBeGreaterThanOrEqual(40);
      const quality = await measureQuality(queries, async ({ q }) => {
        const found = await find(desk, new URLSearchParams({ q, locale, limit: '5' }).toString());
        return column(found, 'title').map((title) => keys.get(title) ?? '');
      });
      expect(quality.first < 0.95 ? quality.missed : []).toEqual([]);
    },
  );
}

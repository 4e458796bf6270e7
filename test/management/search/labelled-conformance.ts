import { beforeAll, expect, it } from '@jest/globals';
import {
  measureQuality,
  readQueries,
  readSynonyms,
  readTown,
  type Quality,
} from '../../bench/search/labelled.js';
import { column, openDesk, type Desk } from '../../support/desk.js';
import { paragraphs } from '../../support/factories/content.js';
import { article, change } from '../entries/history.js';
import { setSettings } from './settings-conformance.js';
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

  const measure = async (file: string, locale: string): Promise<Quality> => {
    const queries = (await readQueries(file)).filter((query) => query.locale === locale);
    return measureQuality(queries, async ({ q }) => {
      const found = await find(desk, new URLSearchParams({ q, locale, limit: '5' }).toString());
      return column(found, 'title').map((title) => keys.get(title) ?? '');
    });
  };

  it.each(languages)(
    'finds the page that is meant first by 95 of 100 labelled queries: %s',
    async (locale) => {
      const quality = await measure('town-queries.txt', locale);
      expect(quality.queries).toBeGreaterThanOrEqual(40);
      expect(quality.first < 0.95 ? quality.missed : []).toEqual([]);
    },
  );

  it('finds the page that is meant first by 95 of 100 queries in synonyms of the project', async () => {
    const before = new Map<string, Quality>();
    for (const locale of languages) before.set(locale, await measure('town-synonyms.txt', locale));
    await setSettings(desk, { synonyms: await readSynonyms() });
    for (const locale of languages) {
      const quality = await measure('town-synonyms.txt', locale);
      expect(quality.queries).toBeGreaterThanOrEqual(20);
      expect([locale, quality.first < 0.95 ? quality.missed : []]).toEqual([locale, []]);
      expect(quality.first).toBeGreaterThan(before.get(locale)?.first ?? 1);
      const others = await measure('town-queries.txt', locale);
      expect([locale, others.first < 0.95 ? others.missed : []]).toEqual([locale, []]);
    }
  });
}

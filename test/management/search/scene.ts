import type { TestApp } from '../../support/app.js';
import { column, type Desk } from '../../support/desk.js';
import { waitFor } from '../../support/wait-for.js';
import { article, change } from '../entries/history.js';

/** What the search of any provider is tested with. */
export interface SearchScene {
  readonly app: () => TestApp;
  readonly provider: 'database' | 'opensearch';
}

/** Indexes all that waits, again if a busy engine fails; returns how many entries that were. */
export async function indexAll(app: TestApp): Promise<number> {
  let total = 0;
  await waitFor('nothing waits to be indexed', async () => {
    total += await app.composition.jobs.indexSearch();
    const [row] = await app.rows<{ waiting: number }>(
      null,
      'SELECT count(*)::int AS waiting FROM search_queue',
    );
    return row?.waiting === 0;
  });
  return total;
}

export const find = (desk: Desk, query: string) => desk.get(`/search?${query}`);

/** Titles of what is found once all is indexed. */
export const titles = async (desk: Desk, q: string, rest = ''): Promise<unknown[]> => {
  await indexAll(desk.app);
  return column(await find(desk, `q=${encodeURIComponent(q)}&${rest}`), 'title');
};

export async function translated(desk: Desk, texts: Record<string, string>): Promise<string> {
  const [[locale = '', title = ''] = [], ...others] = Object.entries(texts);
  const { id } = await article(desk, { title }, { locale });
  for (const [other, text] of others) await change(desk, id, { locale: other, fields: { title: text } });
  return id;
}

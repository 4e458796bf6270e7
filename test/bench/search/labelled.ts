import { readFile } from 'node:fs/promises';

/** A query with the pages that should come first. */
export interface LabelledQuery {
  readonly locale: string;
  readonly q: string;
  readonly expected: readonly string[];
}

/** Absent where the corpus is not beside the checkout. */
export const corpusFile = new URL('../../../../shared/corpus/debian-faq.jsonl', import.meta.url);

/** Parts of the lines of a file beside this one. */
async function readLines(name: string): Promise<string[][]> {
  const text = await readFile(new URL(name, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split('|').map((part) => part.trim()));
}

export async function readQueries(name = 'queries.txt'): Promise<LabelledQuery[]> {
  return (await readLines(name)).map(([locale = '', q = '', keys = '']) => ({
    locale,
    q,
    expected: keys.split(',').map((key) => key.trim()),
  }));
}

/** Synonyms of a project with the town's pages, by locale. */
export async function readSynonyms(): Promise<Record<string, string[][]>> {
  const byLocale: Record<string, string[][]> = {};
  const lists = new Map(
    (await readLines('town-synonyms.txt')).map(([locale = '', , , list = '']) => [
      `${locale} ${list}`,
      [locale, list] as const,
    ]),
  );
  for (const [locale, list] of lists.values())
    (byLocale[locale] ??= []).push(list.split(',').map((word) => word.trim()));
  return byLocale;
}

interface TownPage {
  readonly key: string;
  readonly locale: string;
  readonly title: string;
  readonly text: string;
}

/** Pages of a town in six languages, for the queries of `town-queries.txt`. */
export const readTown = async (): Promise<TownPage[]> =>
  (await readLines('town-pages.txt')).map(([key = '', locale = '', title = '', text = '']) => ({
    key,
    locale,
    title,
    text,
  }));

export interface Quality {
  readonly queries: number;
  /** Share of queries whose first result, or one of the first five, is expected. */
  readonly first: number;
  readonly firstFive: number;
  /** What was not first: query and place, 0 for none of the first five. */
  readonly missed: readonly string[];
}

/** @param find keys of the first five results */
export async function measureQuality(
  queries: readonly LabelledQuery[],
  find: (query: LabelledQuery) => Promise<readonly string[]>,
): Promise<Quality> {
  const places: number[] = [];
  const missed: string[] = [];
  for (const query of queries) {
    const place = (await find(query)).findIndex((key) => query.expected.includes(key)) + 1;
    places.push(place);
    if (place !== 1) missed.push(`${query.locale} ${query.q}: ${String(place)}`);
  }
  const share = (isGood: (place: number) => boolean): number => places.filter(isGood).length / places.length;
  return {
    queries: places.length,
    first: share((place) => place === 1),
    firstFive: share((place) => place > 0),
    missed,
  };
}

import type { search } from '../../../contracts/management/search.contract.js';
import { limits } from '../../../contracts/limits.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { SearchMeta, SearchResult } from '../../../contracts/resources/search.js';
import { searchEntries, type EntrySearch } from './search-entries.js';

type Input = InputOf<typeof search.tool>;

/** The first parts, whatever their fields. */
function fewParts(highlights: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const few: Record<string, string[]> = {};
  const parts = Object.entries(highlights).flatMap(([field, found]) =>
    found.map((part) => [field, part] as const),
  );
  for (const [field, part] of parts.slice(0, limits.searchToolHighlights)) (few[field] ??= []).push(part);
  return few;
}

const fewValues = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(counts)
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, limits.searchToolFacetValues),
  );

/** What {@link searchEntries} finds by words, within what an agent can read. */
export async function searchForAgents(
  search: EntrySearch,
  { query, ...input }: Input,
): Promise<{ data: SearchResult[]; meta: SearchMeta }> {
  const found = await searchEntries(search, { ...input, q: query, mode: 'keyword', highlight: true });
  const { facets } = found.meta;
  const data = found.data.map(({ highlights, ...result }) => ({
    ...result,
    ...(highlights && { highlights: fewParts(highlights) }),
  }));
  const few =
    facets && Object.fromEntries(Object.entries(facets).map(([name, counts]) => [name, fewValues(counts)]));
  return { data, meta: { ...found.meta, ...(few && { facets: few }) } };
}

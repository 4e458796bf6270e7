import { dictionariesOf, type Stems } from '../../../content/search/dictionaries.js';
import { canBeMisspelt, errorsAllowed, errorsBetween, type Token } from '../../../content/search/words.js';
import {
  corrected,
  loosened,
  mapWords,
  queryTokens,
  queryWords,
  readQuery,
  termsOf,
  wordsIn,
  type QueryTerms,
} from '../../../content/search/search-query.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { Lexicon } from './lexicon.js';
import type { Demand, SearchFound, SearchQuery, Vocabulary } from './search-index.js';

/** Corrections of one word. */
const CORRECTIONS = 12;

/** What a query means. */
export interface PlannedQuery extends QueryTerms {
  /** All words as they are written, without those that must not be found. */
  readonly tokens: readonly Token[];
  readonly stems: Stems;
  readonly dictionaries: readonly string[];
  /** As titles are stored. */
  readonly title: string;
}

/** Null if the query has text, and no word. */
export async function planQuery(
  work: UnitOfWork,
  { q, languages }: { readonly q: string; readonly languages: readonly string[] },
  lexicon: Lexicon,
): Promise<PlannedQuery | null> {
  const [locale = 'en'] = languages;
  const written = readQuery(q, locale);
  if (written.groups.length + written.excluded.length === 0) return null;
  const dictionaries = dictionariesOf(languages);
  const words = queryWords(written);
  const stems = await lexicon.read(work, new Map(dictionaries.map((name) => [name, words])));
  const isFinished = /[^\p{L}\p{N}\p{M}]$/u.test(q);
  const tokens = queryTokens(written);
  const title = tokens.map(({ folded }) => folded).join(' ');
  return { tokens, ...termsOf(written, { dictionaries, stems, isFinished }), stems, dictionaries, title };
}

const closest = (word: string, near: readonly string[]): string[] =>
  near
    .map((other) => ({ other, errors: errorsBetween(word, other) }))
    .filter(({ errors }) => errors > 0 && errors <= errorsAllowed(word))
    .sort((one, other) => one.errors - other.errors || (one.other < other.other ? -1 : 1))
    .slice(0, CORRECTIONS)
    .map(({ other }) => other);

/** The plan with words that differ by typing errors, every word unfinished, and runs in any order. */
export async function tolerant(
  work: UnitOfWork,
  plan: PlannedQuery,
  { lexicon, vocabulary }: { readonly lexicon: Lexicon; readonly vocabulary: Vocabulary },
): Promise<PlannedQuery> {
  const { dictionaries } = plan;
  const misspelt = wordsIn(plan.terms).filter(({ pairs, folded }) => pairs === null && canBeMisspelt(folded));
  const words = [...new Set(misspelt.map(({ folded }) => folded))];
  const known = words.length === 0 ? new Map<string, string[]>() : await vocabulary(work, words);
  const near = new Map(words.map((word) => [word, closest(word, known.get(word) ?? [])]));
  const found = [...near.values()].flat();
  const stems = await lexicon.read(work, new Map(dictionaries.map((name) => [name, found])));
  const terms = mapWords(plan.terms, (term) =>
    corrected(term, near.get(term.folded) ?? [], { dictionaries, stems }),
  );
  return { ...plan, terms: loosened(terms) };
}

interface Steps {
  readonly lexicon: Lexicon;
  readonly vocabulary: Vocabulary;
  /** @param plan null lists by filters only */
  find(plan: PlannedQuery | null, demand: Demand): Promise<SearchFound>;
}

/** All words first; then all with typing errors; then any, so that a long question finds something. */
export async function searchInSteps(
  work: UnitOfWork,
  query: SearchQuery,
  steps: Steps,
): Promise<SearchFound> {
  const { lexicon, vocabulary, find } = steps;
  if (query.q.trim() === '') return find(null, 'all');
  const plan = await planQuery(work, query, lexicon);
  if (plan === null) return nothing(query);
  const strict = await find(plan, 'all');
  if (strict.total > 0) return strict;
  const loose = await tolerant(work, plan, { lexicon, vocabulary });
  const near = await find(loose, 'all');
  if (near.total > 0 || loose.terms.length < 2) return near;
  return find(loose, 'any');
}

export const nothing = (query: SearchQuery): SearchFound => ({
  hits: [],
  total: 0,
  facets: query.facets.map(() => []),
});

import { dictionariesOf, type Stems } from '../../../content/search/dictionaries.js';
import {
  canBeMisspelt,
  errorsAllowed,
  errorsBetween,
  foldText,
  type Token,
} from '../../../content/search/words.js';
import {
  corrected,
  loosened,
  queryTokens,
  queryWords,
  termsOf,
  type QueryTerm,
} from '../../../content/search/search-query.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import type { Lexicon } from './lexicon.js';

/** Corrections of one word. */
const CORRECTIONS = 12;

/** What a query means. */
export interface PlannedQuery {
  /** All words as they are written. */
  readonly tokens: readonly Token[];
  readonly terms: readonly QueryTerm[];
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
  const tokens = queryTokens(q, locale);
  if (tokens.length === 0) return null;
  const dictionaries = dictionariesOf(languages);
  const words = queryWords(tokens);
  const stems = await lexicon.read(work, new Map(dictionaries.map((name) => [name, words])));
  const terms = termsOf(tokens, dictionaries, { stems, isFinished: /[^\p{L}\p{N}\p{M}]$/u.test(q) });
  return { tokens, terms, stems, dictionaries, title: foldText(q, locale) };
}

/** Words of an index that may be what was meant, for each word: a superset. */
export type Vocabulary = (
  work: UnitOfWork,
  words: readonly string[],
) => Promise<ReadonlyMap<string, readonly string[]>>;

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
  const misspelt = plan.terms.filter(({ pairs, folded }) => pairs === null && canBeMisspelt(folded));
  const words = [...new Set(misspelt.map(({ folded }) => folded))];
  const known = words.length === 0 ? new Map<string, string[]>() : await vocabulary(work, words);
  const near = plan.terms.map(({ folded, pairs }) =>
    pairs === null ? closest(folded, known.get(folded) ?? []) : [],
  );
  const stems = await lexicon.read(work, new Map(dictionaries.map((name) => [name, near.flat()])));
  const terms = plan.terms.map((term, index) => corrected(term, near[index] ?? [], { dictionaries, stems }));
  return { ...plan, terms: loosened(terms) };
}

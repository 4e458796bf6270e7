import { dictionariesOf, hasCompounds, type Stems } from '../../../content/search/dictionaries.js';
import { boostClasses, type BoostClass } from '../../../content/search/boosts.js';
import { withoutSynonyms, withSynonyms } from '../../../content/search/synonyms.js';
import { foldWord, type Token } from '../../../content/search/words.js';
import {
  mapWords,
  queryTokens,
  queryWords,
  readQuery,
  termsOf,
  wordsIn,
  type QueryTerm,
  type QueryTerms,
  type WordTerm,
} from '../../../content/search/search-query.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { compoundsWith, nearWords, partsOfCompounds, type Lexicon, type NearWord } from './lexicon.js';
import type { Demand, SearchFound, SearchQuery, Suggestion } from './search-index.js';

/** Shorter words are no parts of compounds. */
const SHORTEST_PART = 3;
/** Words and stems of a query whose compounds are found. */
const PARTS = 24;
/** Words of a query that are divided. */
const DIVIDED = 4;
/** Compounds that one word finds. */
const COMPOUNDS = 48;
/** Corrections of one word. */
const CORRECTIONS = 12;
/** Where more is found, no other query is suggested. */
const FEW = 10;
/** Words that may be suggested instead of another, and queries whose results are counted. */
const NEAREST = 3;
const COUNTED = 4;

/** What a query means. */
export interface PlannedQuery extends QueryTerms {
  /** In NFC. */
  readonly q: string;
  readonly languages: readonly string[];
  /** All words as they are written, without those that must not be found. */
  readonly tokens: readonly Token[];
  readonly stems: Stems;
  readonly dictionaries: readonly string[];
  /** As titles are stored. */
  readonly title: string;
  /** Fields that count more or less; empty if all count the same. */
  readonly boosts: readonly BoostClass[];
}

/** A query as it is written, and the plan of its words alone. */
async function readWords(
  work: UnitOfWork,
  { q, languages }: Pick<SearchQuery, 'q' | 'languages'>,
  lexicon: Lexicon,
): Promise<{ readonly plan: PlannedQuery; readonly written: ReturnType<typeof readQuery> } | null> {
  const [locale = 'en'] = languages;
  const written = readQuery(q, locale);
  if (written.groups.length + written.excluded.length === 0) return null;
  const dictionaries = dictionariesOf(languages);
  const words = queryWords(written);
  const stems = await lexicon.read(work, new Map(dictionaries.map((name) => [name, words])));
  const isFinished = /[^\p{L}\p{N}\p{M}]$/u.test(q);
  const tokens = queryTokens(written);
  const title = tokens.map(({ folded }) => folded).join(' ');
  const found = termsOf(written, { dictionaries, stems, isFinished });
  const plan = { q: q.normalize('NFC'), languages, tokens, ...found, stems, dictionaries, title, boosts: [] };
  return { plan, written };
}

/** {@link planQuery} without compounds, synonyms and boosts. */
export async function planWords(
  work: UnitOfWork,
  query: Pick<SearchQuery, 'q' | 'languages'>,
  lexicon: Lexicon,
): Promise<PlannedQuery | null> {
  return (await readWords(work, query, lexicon))?.plan ?? null;
}

/** Null if the query has text, and no word. */
export async function planQuery(
  work: UnitOfWork,
  query: Pick<SearchQuery, 'q' | 'languages' | 'settings'>,
  lexicon: Lexicon,
): Promise<PlannedQuery | null> {
  const words = await readWords(work, query, lexicon);
  if (words === null) return null;
  const { plan, written } = words;
  const { languages, settings } = query;
  const books = await lexicon.synonyms(work, settings.synonyms, languages);
  const whole = hasCompounds(languages) ? await withCompounds(work, plan.terms) : plan.terms;
  const terms = withSynonyms(whole, written, { books, stems: plan.stems });
  return { ...plan, terms, boosts: boostClasses(settings.fieldBoosts) };
}

/** Parts of compounds that a word may be: itself and its stems. */
const partsOfTerm = ({ pairs, folded, lexemes, isStopWord }: WordTerm): string[] => {
  if (pairs !== null || isStopWord || folded.length < SHORTEST_PART) return [];
  return lexemes.filter((lexeme) => lexeme === folded || lexeme.length > SHORTEST_PART);
};

async function withCompounds(work: UnitOfWork, terms: readonly QueryTerm[]): Promise<QueryTerm[]> {
  const parts = [...new Set(wordsIn(terms).flatMap(partsOfTerm))].slice(0, PARTS);
  const compounds = await compoundsWith(work, parts);
  return mapWords(terms, (term) => {
    const found = partsOfTerm(term).flatMap((part) => compounds.get(part) ?? []);
    return { ...term, compounds: [...new Set(found)].slice(0, COMPOUNDS) };
  });
}

/** The term with words that it may be a misspelling of. */
export function corrected(
  term: WordTerm,
  words: readonly string[],
  { dictionaries, stems }: { readonly dictionaries: readonly string[]; readonly stems: Stems },
): WordTerm {
  const found = words.flatMap((word) => dictionaries.map((name) => stems.of(name, word)));
  const lexemes = [
    ...term.lexemes,
    ...words.map(foldWord),
    ...found.filter((stem) => typeof stem === 'string'),
  ];
  return { ...term, lexemes: [...new Set(lexemes)] };
}

/** Splits a run into pairs, one term each. */
const loosened = (terms: readonly QueryTerm[]): QueryTerm[] =>
  terms.flatMap((term): QueryTerm[] =>
    term.kind !== 'word' || term.pairs === null
      ? [term]
      : term.pairs.map((pair) => ({ ...term, folded: pair, pairs: [pair] })),
  );

/** Words of the index near the words of a plan. */
export const nearInPlan = (work: UnitOfWork, { terms }: PlannedQuery): ReturnType<typeof nearWords> =>
  nearWords(
    work,
    wordsIn(terms).flatMap(({ pairs, folded }) => (pairs === null ? [folded] : [])),
  );

type NearWords = Awaited<ReturnType<typeof nearWords>>;

/** The plan with words that differ by typing errors, every word unfinished, and runs in any order. */
export async function tolerant(
  work: UnitOfWork,
  plan: PlannedQuery,
  { lexicon, near }: { readonly lexicon: Lexicon; readonly near: NearWords },
): Promise<PlannedQuery> {
  const { dictionaries } = plan;
  const closest = (word: string): string[] =>
    (near.get(word) ?? [])
      .filter(({ errors }) => errors > 0)
      .slice(0, CORRECTIONS)
      .map((other) => other.word);
  const unknown = [...near.keys()].filter((word) => near.get(word)?.[0]?.errors !== 0);
  const parts = hasCompounds(plan.languages)
    ? await partsOfCompounds(work, unknown.slice(0, DIVIDED))
    : new Map<string, string[]>();
  const found = [...[...near.keys()].flatMap(closest), ...[...parts.values()].flat()];
  const stems = await lexicon.read(work, new Map(dictionaries.map((name) => [name, found])));
  const reading = { dictionaries, stems };
  const terms = mapWords(plan.terms, (term): QueryTerm => {
    const whole = corrected(term, closest(term.folded), reading);
    const split = parts.get(term.folded);
    if (split === undefined) return whole;
    const bare = { ...term, lexemes: [], compounds: [], synonyms: [], isPrefix: false };
    const all = split.map((part) => corrected({ ...bare, folded: part }, [part], reading));
    return { kind: 'any', terms: [whole, { kind: 'all', terms: all }] };
  });
  return { ...plan, terms: loosened(terms) };
}

interface Steps {
  readonly lexicon: Lexicon;
  /** @param plan null lists by filters only */
  find(plan: PlannedQuery | null, demand: Demand): Promise<SearchFound>;
  /** Results that have all of it. */
  count(plan: PlannedQuery): Promise<number>;
}

/** All words first; then all with typing errors; then any, so that a long question finds something. */
export async function searchInSteps(
  work: UnitOfWork,
  query: SearchQuery,
  steps: Steps,
): Promise<SearchFound> {
  const { lexicon, find } = steps;
  if (query.q.trim() === '') return find(null, 'all');
  const plan = await planQuery(work, query, lexicon);
  if (plan === null) return nothing(query);
  const strict = await find(plan, 'all');
  const isFirst = query.offset === 0;
  if (strict.total > (isFirst ? FEW : 0)) return strict;
  const near = await nearInPlan(work, plan);
  const meant = isFirst ? await suggest({ work, plan, near, total: strict.total }, steps) : undefined;
  const suggested = meant && { suggestion: meant };
  if (strict.total > 0) return { ...strict, ...suggested };
  const loose = await tolerant(work, plan, { lexicon, near });
  const all = await find(loose, 'all');
  if (all.total > 0 || loose.terms.length < 2) return { ...all, ...suggested };
  return { ...(await find(loose, 'any')), ...suggested };
}

interface Doubt {
  readonly work: UnitOfWork;
  readonly plan: PlannedQuery;
  readonly near: NearWords;
  /** What the query finds as it is written. */
  readonly total: number;
}

/** A word of the query and one that may be meant. */
interface Correction {
  readonly token: Token;
  readonly by: NearWord;
}

/** Words that the index has not if there are any and nothing was found, else all words, each with the nearest others. */
function corrections({ plan, near, total }: Doubt): { isUnknown: boolean; possible: Correction[][] } {
  const words = wordsIn(plan.terms).map((word) => ({ word, others: near.get(word.folded) ?? [] }));
  const unknown = words.filter(({ others }) => others[0]?.errors !== 0);
  const isUnknown = total === 0 && unknown.length > 0;
  const possible = (isUnknown ? unknown : words).flatMap(({ word: { token }, others }) => {
    const [first] = others.filter(({ errors }) => errors > 0);
    const nearest = others.filter(({ errors }) => errors === first?.errors).slice(0, NEAREST);
    return nearest.length === 0 ? [] : [nearest.map((by) => ({ token, by }))];
  });
  return { isUnknown, possible };
}

async function replaced(
  { work, plan }: Doubt,
  chosen: readonly Correction[],
  lexicon: Lexicon,
): Promise<PlannedQuery> {
  const { dictionaries } = plan;
  const words = chosen.flatMap(({ by }) => [by.word, by.written]);
  const stems = await lexicon.read(work, new Map(dictionaries.map((name) => [name, words])));
  const terms = mapWords(withoutSynonyms(plan.terms), (term) => {
    const by = chosen.find(({ token }) => token === term.token)?.by;
    if (by === undefined) return term;
    return corrected({ ...term, isPrefix: false, lexemes: [], compounds: [] }, [by.word, by.written], {
      dictionaries,
      stems,
    });
  });
  return { ...plan, terms };
}

/** The most frequent of them. */
async function best(
  doubt: Doubt,
  options: readonly (readonly Correction[])[],
  { lexicon, count }: Steps,
): Promise<{ readonly chosen: readonly Correction[]; readonly total: number }> {
  let found: { chosen: readonly Correction[]; total: number } = { chosen: [], total: 0 };
  for (const chosen of options) {
    const total = await count(await replaced(doubt, chosen, lexicon));
    if (total > found.total) found = { chosen, total };
  }
  return found;
}

/** The query with words that find at least ten times as much. */
async function suggest(doubt: Doubt, steps: Steps): Promise<Suggestion | undefined> {
  const { isUnknown, possible } = corrections(doubt);
  const [first = [], ...others] = possible;
  const rest = others.flatMap(([nearest]) => (nearest === undefined ? [] : [nearest]));
  const options = isUnknown
    ? first.map((one) => [one, ...rest])
    : possible.flatMap((list) => list.map((one) => [one]));
  const { chosen, total } = await best(doubt, options.slice(0, COUNTED), steps);
  if (chosen.length === 0 || total < 10 * doubt.total) return undefined;
  let q = doubt.plan.q;
  for (const { token, by } of chosen.toSorted((one, other) => other.token.start - one.token.start))
    q = `${q.slice(0, token.start)}${by.written}${q.slice(token.end)}`;
  return { q, total };
}

export const nothing = (query: SearchQuery): SearchFound => ({
  hits: [],
  total: 0,
  facets: query.facets.map(() => []),
});

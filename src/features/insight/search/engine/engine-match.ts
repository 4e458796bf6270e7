import {
  isSingleCharacter,
  phraseLexemes,
  wordsIn,
  type QueryTerm,
  type QueryTerms,
  type TermForm,
  type WordTerm,
} from '../../../../content/search/search-query.js';
import {
  boostedTerms,
  termInMarks,
  type MarkedTerm,
  type SearchSettingsData,
} from '../../../../content/search/boosts.js';
import { synonymsIn } from '../../../../content/search/synonyms.js';
import type { Token } from '../../../../content/search/words.js';
import type { PlannedQuery } from '../query-plan.js';
import {
  FACET_VALUES,
  isPlaced,
  type Demand,
  type FacetCount,
  type FieldFacet,
  type PlacedFacet,
  type SearchFacet,
  type SystemFacet,
} from '../search-index.js';
import { valueKey } from './engine-values.js';

/** A query of the engine. */
export type Clause = Readonly<Record<string, unknown>>;

const FIELDS = ['a', 'b', 'c', 'd'] as const;
type Field = (typeof FIELDS)[number] | 'all';

/** What counts of the title, other text, rich text and assets. */
const WEIGHTS: Readonly<Record<(typeof FIELDS)[number], number>> = { a: 1, b: 0.4, c: 0.1, d: 0.05 };
/** The engine bounds the clauses of a query: so many words count, and so many of their forms are ranked. */
const TERMS = 40;
const RANKED = 80;
const FORMS_OF_TERM = 6;
/** Pairs that a single character may begin. */
const EXPANSIONS = 1000;
/** Scores of the engine are divided by it: kinds of matches weigh more than frequencies. */
export const SCALE = 100;

const scored = (filter: Clause, boost: number): Clause => ({
  constant_score: { filter, boost: boost * SCALE },
});

const phrase = (field: Field, lexemes: readonly string[]): Clause => ({
  match_phrase: { [field]: { query: lexemes.join(' '), analyzer: 'whitespace' } },
});

export const anyClause = (should: readonly Clause[]): Clause => ({
  bool: { should, minimum_should_match: 1 },
});

/** Words that follow each other; the last character may begin a longer run. */
function tokensClause(field: Field, tokens: readonly Token[]): Clause {
  const lexemes = phraseLexemes(tokens);
  if (!isSingleCharacter(tokens.at(-1))) return phrase(field, lexemes);
  const query = lexemes.join(' ');
  return { match_phrase_prefix: { [field]: { query, analyzer: 'whitespace', max_expansions: EXPANSIONS } } };
}

type Form = Pick<TermForm, 'isExact' | 'isOwn'>;

/** The word in one of its forms. */
function wordClauses(term: WordTerm, field: Field, isExact: boolean): Clause[] {
  const { folded, lexemes, compounds, pairs, isPrefix } = term;
  if (pairs !== null) {
    const [first = ''] = pairs;
    const isSingle = pairs.length === 1 && Array.from(first).length === 1;
    return [isSingle ? { prefix: { [field]: { value: first } } } : phrase(field, pairs)];
  }
  const forms: Clause = { terms: { [field]: isExact ? lexemes : [...lexemes, ...compounds] } };
  return isPrefix && !isExact ? [forms, { prefix: { [field]: { value: folded } } }] : [forms];
}

/** Any of them. */
const oneOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 1 && clauses[0] !== undefined ? clauses[0] : anyClause(clauses);

function ownClauses(term: Exclude<QueryTerm, { kind: 'phrase' }>, field: Field, form: Form): Clause[] {
  if (term.kind === 'word') return wordClauses(term, field, form.isExact === true);
  if (term.kind === 'all') return [allOf(term.terms, field, form)];
  return term.terms.map((other) => termClause(other, field, form));
}

function termClause(term: QueryTerm, field: Field, form: Form = {}): Clause {
  if (term.kind === 'phrase') return tokensClause(field, term.tokens);
  const { isExact = false, isOwn = false } = form;
  const synonyms = isExact || isOwn ? [] : (term.synonyms ?? []);
  return oneOf([
    ...ownClauses(term, field, form),
    ...synonyms.map(({ tokens }) => tokensClause(field, tokens)),
  ]);
}

const allOf = (terms: readonly QueryTerm[], field: Field, form: Form = {}): Clause => ({
  bool: { filter: terms.map((term) => termClause(term, field, form)) },
});

/** How often documents have the words, and how rare these are. */
function frequency(terms: readonly QueryTerm[]): Clause[] {
  const lexemes = wordsIn(terms)
    .flatMap(({ lexemes: forms, pairs }) => pairs ?? forms)
    .slice(0, RANKED)
    .join(' ');
  return FIELDS.map((field) => ({
    match: { [field]: { query: lexemes, analyzer: 'whitespace', boost: WEIGHTS[field] } },
  }));
}

/** What counts of a synonym in a title: less than of any word as it is written. */
const SYNONYM_TITLE = 0.2;

/** Exact titles, then phrases, then words, then synonyms. */
function rankOfAll({ tokens, terms, phrases, title }: PlannedQuery): Clause[] {
  const wanted = [...terms, ...phrases];
  return [
    scored({ term: { title } }, 8),
    scored(tokensClause('a', tokens), 4),
    scored(allOf(wanted, 'a', { isOwn: true }), 3),
    scored(anyClause(FIELDS.map((field) => tokensClause(field, tokens))), 2),
    scored(allOf(wanted, 'all', { isExact: true }), 1),
    ...frequency(terms),
    ...(synonymsIn(terms).length > 0 ? [scored(allOf(wanted, 'a'), SYNONYM_TITLE)] : []),
  ];
}

/** Rare words tell more; those of a title twice. */
function rankOfAny({ terms }: PlannedQuery): Clause[] {
  const forms = wordsIn(terms).map(({ lexemes, pairs }) => (pairs ?? lexemes).slice(0, FORMS_OF_TERM));
  const of = (field: Field, boost: number): Clause[] =>
    forms.map((values) => ({
      dis_max: { queries: values.map((value) => ({ term: { [field]: { value, boost } } })) },
    }));
  const synonyms = synonymsIn(terms).map(({ tokens }) => tokensClause('all', tokens));
  return [...of('all', 2), ...of('a', 2), ...frequency(terms), ...synonyms];
}

interface EngineMatch {
  /** Documents must match all of these. */
  readonly filter: readonly Clause[];
  readonly mustNot: readonly Clause[];
  readonly should: readonly Clause[];
}

/** What documents have to have in a field. */
export function exactMatch(
  { terms, phrases, excluded }: QueryTerms,
  field: Field,
): Pick<EngineMatch, 'filter' | 'mustNot'> {
  return {
    filter: [...terms, ...phrases].slice(0, TERMS).map((term) => termClause(term, field)),
    mustNot: excluded.map((term) => termClause(term, 'all')),
  };
}

/** What documents match, and how well. */
export function engineMatch(given: PlannedQuery, demand: Demand): EngineMatch {
  const plan = { ...given, terms: given.terms.slice(0, TERMS) };
  const clauses = plan.terms.map((term) => termClause(term, 'all'));
  const phrases = plan.phrases.map((term) => termClause(term, 'all'));
  const mustNot = plan.excluded.map((term) => termClause(term, 'all'));
  if (clauses.length + phrases.length === 0) return { filter: [], mustNot, should: [] };
  return demand === 'all'
    ? { filter: [...clauses, ...phrases], mustNot, should: rankOfAll(plan) }
    : { filter: [anyClause(clauses), ...phrases], mustNot, should: rankOfAny(plan) };
}

function markedClause(term: MarkedTerm): Clause {
  if ('lexeme' in term)
    return term.isPrefix
      ? { prefix: { boosted: { value: term.lexeme } } }
      : { term: { boosted: term.lexeme } };
  if (term.kind === 'all') return { bool: { filter: term.terms.map(markedClause) } };
  const single = term.terms.filter((one) => 'lexeme' in one && !one.isPrefix);
  const others = term.terms.filter((one) => !single.includes(one)).map(markedClause);
  const lexemes = single.map((one) => ('lexeme' in one ? one.lexeme : ''));
  return anyClause(lexemes.length === 0 ? others : [{ terms: { boosted: lexemes } }, ...others]);
}

const multiplied = (query: Clause, functions: readonly Clause[]): Clause => ({
  function_score: { query, functions, score_mode: 'max', boost_mode: 'multiply' },
});

/** The query with scores that count content types and fields more or less. */
export function boosted(
  query: Clause,
  { boosts, terms, phrases }: PlannedQuery,
  { typeBoosts }: SearchSettingsData,
): Clause {
  const types = Object.entries(typeBoosts).map(([contentTypeId, weight]) => ({
    filter: { term: { contentTypeId } },
    weight,
  }));
  const typed = types.length === 0 ? query : multiplied(query, types);
  if (boosts.length === 0) return typed;
  const { terms: compared, power } = boostedTerms([...terms, ...phrases]);
  return compared.reduce(
    (inner, term) =>
      multiplied(
        inner,
        boosts.map(({ marks, boost }) => ({
          filter: markedClause(termInMarks(term, marks)),
          weight: boost ** power,
        })),
      ),
    typed,
  );
}

/** Types, sites and states together. */
const PLACES = 10_000;

const systemFields: Readonly<Record<Exclude<SystemFacet, PlacedFacet>, string>> = {
  contentType: 'contentTypeId',
  site: 'siteId',
  status: 'status',
  assignee: 'assigneeId',
};

/** Numbers of entries up to this are exact, or nearly so. */
const EXACT = 40_000;
/** How many entries documents belong to. */
export const ENTRIES: Clause = { cardinality: { field: 'entryId', precision_threshold: EXACT } };
/** Values by the number of their entries instead of their documents. */
const byEntries = { order: { entries: 'desc' } };

/** Texts of a field, and the names of its numbers and booleans; ids of references. */
const formsIn = ({ isLink }: FieldFacet): readonly ('r' | 's' | 'f')[] => (isLink ? ['r'] : ['s', 'f']);
const namesOf = (place: number, form: string): string => `${String(place)}${form}`;

/** Aggregations of facets. @param isGrouped whether entries are counted instead of their locales */
export function facetClauses(
  facets: readonly SearchFacet[],
  isGrouped: boolean,
): Readonly<Record<string, Clause>> {
  const order = isGrouped ? byEntries : {};
  const parts = isGrouped ? { aggs: { entries: ENTRIES } } : {};
  const counted = (field: string): Clause => ({ terms: { field, size: FACET_VALUES, ...order }, ...parts });
  const clauses = facets.flatMap((facet, place): [string, Clause][] => {
    if ('apiName' in facet)
      return formsIn(facet).map((form) => [namesOf(place, form), counted(valueKey(form, facet.apiName))]);
    if (!isPlaced(facet.name)) return [[String(place), counted(systemFields[facet.name])]];
    const keys = ['contentTypeId', 'siteId', facet.name];
    return [
      [
        String(place),
        { multi_terms: { terms: keys.map((field) => ({ field })), size: PLACES, ...order }, ...parts },
      ],
    ];
  });
  return Object.fromEntries(clauses);
}

interface Bucket {
  readonly key: string | readonly string[];
  readonly doc_count: number;
  /** Set where entries are counted. */
  readonly entries?: { readonly value: number };
}

export type Aggregations = Readonly<
  Record<string, { readonly buckets?: readonly Bucket[]; readonly value?: number }>
>;

function countOf({ key, doc_count: documents, entries }: Bucket): FacetCount {
  const count = entries?.value ?? documents;
  if (typeof key === 'string') return { value: key, count };
  const [contentTypeId = '', siteId = '', value = ''] = key;
  return { value, count, contentTypeId, siteId };
}

/** Counts by value, one list for each facet. */
export const facetCounts = (facets: readonly SearchFacet[], found: Aggregations): FacetCount[][] =>
  facets.map((facet, place) => {
    const names = 'apiName' in facet ? formsIn(facet).map((form) => namesOf(place, form)) : [String(place)];
    return names.flatMap((name) => (found[name]?.buckets ?? []).map(countOf));
  });

import type { QueryTerm } from '../../../content/search/search-query.js';
import { pairsOf, type Token } from '../../../content/search/words.js';
import type { Demand } from '../match-sql.js';
import type { PlannedQuery } from '../query-plan.js';

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

/** The word in one of its forms. */
function termClause(term: QueryTerm, field: Field, isExact = false): Clause {
  const { folded, lexemes, pairs, isPrefix } = term;
  if (pairs !== null) {
    const [first = ''] = pairs;
    const isSingle = pairs.length === 1 && Array.from(first).length === 1;
    return isSingle ? { prefix: { [field]: { value: first } } } : phrase(field, pairs);
  }
  const forms: Clause = { terms: { [field]: lexemes } };
  return isPrefix && !isExact ? anyClause([forms, { prefix: { [field]: { value: folded } } }]) : forms;
}

const allOf = (terms: readonly QueryTerm[], field: Field, isExact = false): Clause => ({
  bool: { filter: terms.map((term) => termClause(term, field, isExact)) },
});

const phraseOf = (tokens: readonly Token[]): string[] =>
  tokens.flatMap(({ isRun, folded, text }) => (isRun ? pairsOf(text) : [folded]));

/** How often documents have the words, and how rare these are. */
function frequency(terms: readonly QueryTerm[]): Clause[] {
  const lexemes = terms
    .flatMap(({ lexemes: forms, pairs }) => pairs ?? forms)
    .slice(0, RANKED)
    .join(' ');
  return FIELDS.map((field) => ({
    match: { [field]: { query: lexemes, analyzer: 'whitespace', boost: WEIGHTS[field] } },
  }));
}

/** Exact titles, then phrases, then words. */
function rankOfAll({ tokens, terms, title }: PlannedQuery): Clause[] {
  const lexemes = phraseOf(tokens);
  return [
    scored({ term: { title } }, 8),
    scored(phrase('a', lexemes), 4),
    scored(allOf(terms, 'a'), 3),
    scored(anyClause(FIELDS.map((field) => phrase(field, lexemes))), 2),
    scored(allOf(terms, 'all', true), 1),
    ...frequency(terms),
  ];
}

/** Rare words tell more; those of a title twice. */
function rankOfAny({ terms }: PlannedQuery): Clause[] {
  const forms = terms.map(({ lexemes, pairs }) => (pairs ?? lexemes).slice(0, FORMS_OF_TERM));
  const of = (field: Field, boost: number): Clause[] =>
    forms.map((values) => ({
      dis_max: { queries: values.map((value) => ({ term: { [field]: { value, boost } } })) },
    }));
  return [...of('all', 2), ...of('a', 2), ...frequency(terms)];
}

interface EngineMatch {
  /** Documents must match all of these. */
  readonly filter: readonly Clause[];
  readonly should: readonly Clause[];
}

/** What documents match, and how well. */
export function engineMatch(given: PlannedQuery, demand: Demand): EngineMatch {
  const plan = { ...given, terms: given.terms.slice(0, TERMS) };
  const clauses = plan.terms.map((term) => termClause(term, 'all'));
  return demand === 'all'
    ? { filter: clauses, should: rankOfAll(plan) }
    : { filter: [anyClause(clauses)], should: rankOfAny(plan) };
}

import { markedLexeme } from './search-vector.js';
import type { SearchText } from './search-document.js';
import { phraseLexemes, type PhraseTerm, type QueryTerm, type WordTerm } from './search-query.js';
import type { SynonymList } from './synonyms.js';

/** What an environment has set for its searches. */
export interface SearchSettingsData {
  /** By locale. */
  readonly synonyms: Readonly<Record<string, readonly SynonymList[]>>;
  /** By id of the content type. */
  readonly typeBoosts: Readonly<Record<string, number>>;
  /** By id of the field. */
  readonly fieldBoosts: Readonly<Record<string, number>>;
}

export const noSearchSettings: SearchSettingsData = { synonyms: {}, typeBoosts: {}, fieldBoosts: {} };

type FieldBoosts = SearchSettingsData['fieldBoosts'];

/** Of what has no boost, beside a field that counts less. */
const REST = '0';
/** Words of a query for which fields are compared. */
const WORDS = 8;
/** Compounds of a word that are looked for in fields. */
const COMPOUNDS = 8;

/** The last characters of an id are random. */
const markOf = (fieldId: string): string => fieldId.slice(-8);

/**
 * Texts with the marks of their fields. Where a field counts less, the others are marked as well: it counts less only for
 * words that none of them has.
 */
export function withMarks<T extends SearchText & { readonly fieldId?: string | null }>(
  texts: readonly T[],
  boosts: FieldBoosts,
): SearchText[] {
  const boostOf = (fieldId: string | null | undefined): number => boosts[fieldId ?? ''] ?? 1;
  const rest = texts.some(({ fieldId }) => boostOf(fieldId) < 1) ? REST : undefined;
  return texts.map(({ text, weight, fieldId }) => {
    const mark = typeof fieldId === 'string' && boostOf(fieldId) !== 1 ? markOf(fieldId) : rest;
    return { text, weight, ...(mark !== undefined && { mark }) };
  });
}

/** Fields whose texts must be indexed otherwise after a change; only whether a boost is less or more matters. */
export function remarkedFields(before: FieldBoosts, after: FieldBoosts): string[] {
  const kind = (boost = 1): number => Math.sign(boost - 1);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (id) => kind(before[id]) !== kind(after[id]),
  );
}

/** Fields that count the same. */
export interface BoostClass {
  readonly marks: readonly string[];
  readonly boost: number;
}

/** Classes of the fields, and of what has no boost. */
export function boostClasses(boosts: FieldBoosts): BoostClass[] {
  const ids = Object.keys(boosts);
  if (ids.length === 0) return [];
  const classes = Map.groupBy(ids, (id) => boosts[id] ?? 1);
  return [
    ...[...classes].map(([boost, fields]) => ({ boost, marks: fields.map(markOf) })),
    { boost: 1, marks: [REST] },
  ];
}

/** The words that are compared, and the power of a boost that each of them has: together they make a geometric mean. */
export function boostedTerms(terms: readonly QueryTerm[]): {
  readonly terms: readonly QueryTerm[];
  readonly power: number;
} {
  const compared = terms.slice(0, WORDS);
  return { terms: compared, power: 1 / Math.max(1, compared.length) };
}

/** What a marked text must have. */
export type MarkedTerm =
  | { readonly lexeme: string; readonly isPrefix: boolean }
  | { readonly kind: 'all' | 'any'; readonly terms: readonly MarkedTerm[] };

const word = (lexeme: string, isPrefix = false): MarkedTerm => ({ lexeme, isPrefix });

function phraseIn(mark: string, { tokens }: PhraseTerm): MarkedTerm {
  return { kind: 'all', terms: phraseLexemes(tokens).map((lexeme) => word(markedLexeme(mark, lexeme))) };
}

function wordIn(mark: string, term: WordTerm): MarkedTerm[] {
  const { pairs, lexemes, compounds, isPrefix, folded } = term;
  if (pairs !== null) {
    const isSingle = pairs.length === 1 && Array.from(pairs[0] ?? '').length === 1;
    return [{ kind: 'all', terms: pairs.map((pair) => word(markedLexeme(mark, pair), isSingle)) }];
  }
  const forms = [...lexemes, ...compounds.slice(0, COMPOUNDS)].map((lexeme) =>
    word(markedLexeme(mark, lexeme)),
  );
  return isPrefix ? [...forms, word(markedLexeme(mark, folded), true)] : forms;
}

/** A term in the texts of one of the marks. */
export function termInMarks(term: QueryTerm, marks: readonly string[]): MarkedTerm {
  const any = (of: (mark: string) => readonly MarkedTerm[]): MarkedTerm => ({
    kind: 'any',
    terms: marks.flatMap(of),
  });
  if (term.kind === 'phrase') return any((mark) => [phraseIn(mark, term)]);
  const synonyms = (mark: string): MarkedTerm[] =>
    (term.synonyms ?? []).map((synonym) => phraseIn(mark, synonym));
  if (term.kind === 'word') return any((mark) => [...wordIn(mark, term), ...synonyms(mark)]);
  const own: MarkedTerm = { kind: term.kind, terms: term.terms.map((one) => termInMarks(one, marks)) };
  return { kind: 'any', terms: [own, any(synonyms)] };
}

/** The text of a `tsquery`; undefined if nothing can have it. */
export function markedSql(term: MarkedTerm): string | undefined {
  if ('lexeme' in term) return `'${term.lexeme}'${term.isPrefix ? ':*' : ''}`;
  const parts = term.terms.map(markedSql);
  const known = parts.filter((part) => part !== undefined);
  if (known.length === 0 || (term.kind === 'all' && known.length < parts.length)) return undefined;
  return `(${known.join(term.kind === 'all' ? ' & ' : ' | ')})`;
}

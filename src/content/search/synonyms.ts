import { dictionaryOf, type Stems } from './dictionaries.js';
import {
  formsTyped,
  type PhraseTerm,
  type QueryTerm,
  type WordTerm,
  type WrittenQuery,
} from './search-query.js';
import { tokensOf, type Token } from './words.js';

/** Words and phrases that mean the same. */
export type SynonymList = readonly string[];

/** Synonyms that are added to one query: a search engine bounds its clauses. */
const MOST = 30;

/** The synonyms of a locale. */
export interface SynonymBook {
  readonly locale: string;
  /** By each form of a word or phrase: what means the same. */
  readonly entries: ReadonlyMap<string, readonly PhraseTerm[]>;
  /** Words of the longest phrase. */
  readonly longest: number;
}

const keyOf = (words: readonly string[]): string => words.join(' ');

/** The words of a synonym, in lower case by the locale. */
export const synonymTokens = (text: string, locale: string): Token[] => [
  ...tokensOf(text.normalize('NFC'), locale),
];

/** What two writings of one synonym have in common. */
export const synonymKey = (text: string, locale: string): string =>
  keyOf(synonymTokens(text, locale).map(({ folded }) => folded));

/** Words whose stems a book needs. */
export const wordsOfLists = (lists: readonly SynonymList[], locale: string): string[] =>
  lists
    .flat()
    .flatMap((text) => synonymTokens(text, locale))
    .filter(({ isRun }) => !isRun)
    .flatMap(formsTyped);

/** The forms by which a phrase of a query and one of a list are compared. */
function keysOf(tokens: readonly Token[], locale: string, stems: Stems): Set<string> {
  const dictionary = dictionaryOf(locale);
  const stem = (word: string): string =>
    (dictionary === undefined ? undefined : stems.of(dictionary, word)) ?? word;
  const typed = tokens.map((token) => (token.isRun ? [token.text] : formsTyped(token)));
  const at = (place: number): string[] => typed.map((forms) => forms[place] ?? forms[1] ?? forms[0] ?? '');
  return new Set([
    keyOf(at(0).map(stem)),
    keyOf(at(1).map(stem)),
    keyOf(at(2).map(stem)),
    keyOf(tokens.map(({ folded }) => folded)),
  ]);
}

/** Documents in the language have the stem of each of their words. */
function stemmed(tokens: readonly Token[], locale: string, stems: Stems): PhraseTerm {
  const dictionary = dictionaryOf(locale);
  const stemOf = ({ text, folded, isRun }: Token): string =>
    (isRun || dictionary === undefined ? undefined : stems.of(dictionary, text)) ?? folded;
  return { kind: 'phrase', tokens: tokens.map((token) => ({ ...token, folded: stemOf(token) })) };
}

const lexemesOf = ({ tokens }: PhraseTerm): string => keyOf(tokens.map(({ folded }) => folded));

export function readSynonyms(lists: readonly SynonymList[], locale: string, stems: Stems): SynonymBook {
  const entries = new Map<string, Map<string, PhraseTerm>>();
  let longest = 0;
  for (const list of lists) {
    const written = list.map((text) => synonymTokens(text, locale)).filter(({ length }) => length > 0);
    const phrases = written.map((tokens) => {
      const phrase = stemmed(tokens, locale, stems);
      return { tokens, phrase, lexemes: lexemesOf(phrase) };
    });
    for (const { tokens, lexemes: own } of phrases) {
      longest = Math.max(longest, tokens.length);
      const others = phrases.filter(({ lexemes }) => lexemes !== own);
      for (const key of keysOf(tokens, locale, stems)) {
        const known = entries.get(key) ?? new Map<string, PhraseTerm>();
        for (const { lexemes, phrase } of others) known.set(lexemes, phrase);
        entries.set(key, known);
      }
    }
  }
  return {
    locale,
    longest,
    entries: new Map([...entries].map(([key, found]) => [key, [...found.values()]])),
  };
}

/** Words of a query that have synonyms. */
interface Match {
  readonly tokens: readonly Token[];
  readonly synonyms: readonly PhraseTerm[];
}

/** Words that follow each other outside of phrases; each alternative is alone. */
function runsOf({ groups }: WrittenQuery): Token[][] {
  const runs: Token[][] = [];
  let run: Token[] = [];
  for (const group of groups) {
    const [piece] = group;
    if (group.length === 1 && piece !== undefined && !piece.isPhrase) {
      run.push(...piece.tokens);
      continue;
    }
    runs.push(run, ...group.filter(({ isPhrase }) => !isPhrase).map(({ tokens }) => [...tokens]));
    run = [];
  }
  return [...runs, run];
}

function synonymsOf(tokens: readonly Token[], books: readonly SynonymBook[], stems: Stems): PhraseTerm[] {
  const found = new Map<string, PhraseTerm>();
  for (const { locale, entries } of books)
    for (const key of keysOf(tokens, locale, stems))
      for (const synonym of entries.get(key) ?? []) found.set(lexemesOf(synonym), synonym);
  return [...found.values()];
}

function matchAt(
  run: readonly Token[],
  at: number,
  { books, stems }: { readonly books: readonly SynonymBook[]; readonly stems: Stems },
): Match | undefined {
  const longest = Math.max(...books.map((book) => book.longest));
  for (let length = Math.min(longest, run.length - at); length > 0; length -= 1) {
    const tokens = run.slice(at, at + length);
    const synonyms = synonymsOf(tokens, books, stems);
    if (synonyms.length > 0) return { tokens, synonyms };
  }
  return undefined;
}

/** The longest phrases with synonyms, from the left. */
function matchesIn(query: WrittenQuery, books: readonly SynonymBook[], stems: Stems): Match[] {
  const matches: Match[] = [];
  let left = MOST;
  for (const run of runsOf(query))
    for (let at = 0; at < run.length && left > 0;) {
      const match = matchAt(run, at, { books, stems });
      at += match?.tokens.length ?? 1;
      if (match === undefined) continue;
      matches.push({ ...match, synonyms: match.synonyms.slice(0, left) });
      left -= match.synonyms.length;
    }
  return matches;
}

type Matches = ReadonlyMap<Token, Match>;

function widenAll(terms: readonly QueryTerm[], matches: Matches): QueryTerm[] {
  const done = new Set<Match>();
  return terms.flatMap((term): QueryTerm[] => {
    if (term.kind === 'phrase') return [term];
    if (term.kind !== 'word') {
      const each = (one: QueryTerm): QueryTerm[] => widenAll([one], matches);
      return [
        { ...term, terms: term.kind === 'all' ? widenAll(term.terms, matches) : term.terms.flatMap(each) },
      ];
    }
    const match = matches.get(term.token);
    if (match === undefined) return [term];
    if (match.tokens.length === 1) return [{ ...term, synonyms: match.synonyms }];
    if (done.has(match)) return [];
    done.add(match);
    const words = terms.filter(
      (one): one is WordTerm => one.kind === 'word' && matches.get(one.token) === match,
    );
    return [{ kind: 'all', terms: words, synonyms: match.synonyms }];
  });
}

/**
 * The terms of a query with what means the same as its words. Phrases in quotation marks and what must not be found stay
 * as they are.
 * @param stems of the words of the query
 */
export function withSynonyms(
  terms: readonly QueryTerm[],
  query: WrittenQuery,
  { books, stems }: { readonly books: readonly SynonymBook[]; readonly stems: Stems },
): readonly QueryTerm[] {
  if (books.length === 0) return terms;
  const found = matchesIn(query, books, stems);
  const matches = new Map(found.flatMap((match) => match.tokens.map((token) => [token, match] as const)));
  return matches.size === 0 ? terms : widenAll(terms, matches);
}

export const withoutSynonyms = (terms: readonly QueryTerm[]): QueryTerm[] =>
  terms.map((term): QueryTerm => {
    if (term.kind === 'phrase') return term;
    return term.kind === 'word'
      ? { ...term, synonyms: [] }
      : { ...term, terms: withoutSynonyms(term.terms), synonyms: [] };
  });

/** What means the same as words of terms. */
export const synonymsIn = (terms: readonly QueryTerm[]): PhraseTerm[] =>
  terms.flatMap((term): PhraseTerm[] => {
    if (term.kind === 'phrase') return [];
    if (term.kind === 'word') return [...term.synonyms];
    return [...(term.synonyms ?? []), ...synonymsIn(term.terms)];
  });

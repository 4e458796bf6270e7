import type { Stems } from './dictionaries.js';
import { foldWord, pairsOf, tokensOf, type Token } from './words.js';

/** Words of a query that count. */
const MOST_WORDS = 24;

/** One word of a query with everything that counts as the same word. */
export interface QueryTerm {
  readonly folded: string;
  /** Itself, its stems and its corrections. */
  readonly lexemes: readonly string[];
  /** Words that begin with it count, too. */
  readonly isPrefix: boolean;
  /** Pairs of characters of a run, in their order. */
  readonly pairs: readonly string[] | null;
  /** Carries no meaning where there are others. */
  readonly isStopWord: boolean;
}

const quoted = (lexeme: string): string => `'${lexeme}'`;

export interface TermForm {
  /** `A` finds titles only. */
  readonly weight?: 'A';
  /** Without prefixes. */
  readonly isExact?: boolean;
}

function termSql(term: QueryTerm, { weight = undefined, isExact = false }: TermForm): string {
  const suffix = weight === undefined ? '' : `:${weight}`;
  if (term.pairs !== null) {
    const [first = ''] = term.pairs;
    if (term.pairs.length === 1 && Array.from(first).length === 1) return `${quoted(first)}:*${weight ?? ''}`;
    return `(${term.pairs.map((pair) => `${quoted(pair)}${suffix}`).join(' <-> ')})`;
  }
  const forms = term.lexemes.map((lexeme) => `${quoted(lexeme)}${suffix}`);
  if (term.isPrefix && !isExact) forms.push(`${quoted(term.folded)}:*${weight ?? ''}`);
  return `(${forms.join(' | ')})`;
}

/** The text of a `tsquery`. */
export const allOf = (terms: readonly QueryTerm[], form: TermForm = {}): string =>
  terms.map((term) => termSql(term, form)).join(' & ');

export const anyOf = (terms: readonly QueryTerm[], form: TermForm = {}): string =>
  terms.map((term) => termSql(term, form)).join(' | ');

/** The words as they follow each other. */
export function phraseOf(tokens: readonly Token[], weight?: 'A'): string {
  const suffix = weight === undefined ? '' : `:${weight}`;
  const lexemes = tokens.flatMap(({ isRun, folded, text }) => (isRun ? pairsOf(text) : [folded]));
  return lexemes.map((lexeme) => `${quoted(lexeme)}${suffix}`).join(' <-> ');
}

export const queryTokens = (q: string, locale: string): Token[] =>
  [...tokensOf(q.normalize('NFC'), locale)].slice(0, MOST_WORDS);

/** Words whose stems a query needs. */
export const queryWords = (tokens: readonly Token[]): string[] =>
  tokens.filter(({ isRun }) => !isRun).flatMap(({ text, folded }) => [text, folded]);

function termOf(
  token: Token,
  dictionaries: readonly string[],
  { stems, isLast }: { readonly stems: Stems; readonly isLast: boolean },
): QueryTerm {
  const { text, folded, isRun } = token;
  if (isRun) return { folded, lexemes: [], isPrefix: false, pairs: pairsOf(text), isStopWord: false };
  const found = dictionaries.flatMap((name) => [stems.of(name, text), stems.of(name, folded)]);
  const lexemes = new Set([folded, ...found.filter((stem) => typeof stem === 'string')]);
  const isStopWord = found.includes(null);
  return {
    folded,
    lexemes: [...lexemes],
    isPrefix: isLast && Array.from(folded).length > 1,
    pairs: null,
    isStopWord,
  };
}

/** The words that must be found; stop words only if there are no others. The last may be unfinished. */
export function termsOf(
  tokens: readonly Token[],
  dictionaries: readonly string[],
  { stems, isFinished }: { readonly stems: Stems; readonly isFinished: boolean },
): QueryTerm[] {
  const terms = tokens.map((token, index) =>
    termOf(token, dictionaries, { stems, isLast: !isFinished && index === tokens.length - 1 }),
  );
  const telling = terms.filter(({ isStopWord, isPrefix }) => !isStopWord || (isPrefix && terms.length === 1));
  const chosen = telling.length > 0 ? telling : terms;
  return [...new Map(chosen.map((term) => [`${term.folded} ${String(term.isPrefix)}`, term])).values()];
}

/** The term with words that it may be a misspelling of. */
export function corrected(
  term: QueryTerm,
  words: readonly string[],
  { dictionaries, stems }: { readonly dictionaries: readonly string[]; readonly stems: Stems },
): QueryTerm {
  const found = words.flatMap((word) => dictionaries.map((name) => stems.of(name, word)));
  const lexemes = [
    ...term.lexemes,
    ...words.map(foldWord),
    ...found.filter((stem) => typeof stem === 'string'),
  ];
  return { ...term, lexemes: [...new Set(lexemes)] };
}

/** Splits a run into pairs, one term each. */
export const loosened = (terms: readonly QueryTerm[]): QueryTerm[] =>
  terms.flatMap((term) =>
    term.pairs === null ? [term] : term.pairs.map((pair) => ({ ...term, folded: pair, pairs: [pair] })),
  );

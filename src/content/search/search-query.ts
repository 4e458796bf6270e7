import type { Stems } from './dictionaries.js';
import { pairsOf, spelledOut, tokensOf, type Token } from './words.js';

/** Words of a query that count. */
const MOST_WORDS = 24;

/** One word of a query with everything that counts as the same word. */
export interface WordTerm {
  readonly kind: 'word';
  readonly token: Token;
  readonly folded: string;
  /** Itself, its stems and its corrections. */
  readonly lexemes: readonly string[];
  /** Compounds that have it as a part. */
  readonly compounds: readonly string[];
  /** What means the same, in its stems. */
  readonly synonyms: readonly PhraseTerm[];
  /** Words that begin with it count, too. */
  readonly isPrefix: boolean;
  /** Pairs of characters of a run, in their order. */
  readonly pairs: readonly string[] | null;
  /** Carries no meaning where there are others. */
  readonly isStopWord: boolean;
}

/** Words that follow each other, as they are written. */
export interface PhraseTerm {
  readonly kind: 'phrase';
  readonly tokens: readonly Token[];
}

/** Words of which all are needed, or one suffices. */
interface GroupTerm {
  readonly kind: 'all' | 'any';
  readonly terms: readonly QueryTerm[];
  /** What means the same as all of them together, in its stems. */
  readonly synonyms?: readonly PhraseTerm[];
}

export type QueryTerm = WordTerm | PhraseTerm | GroupTerm;

const quoted = (lexeme: string): string => `'${lexeme}'`;

export interface TermForm {
  /** `A` finds titles only. */
  readonly weight?: 'A';
  /** Without prefixes, compounds and synonyms. */
  readonly isExact?: boolean;
  /** To count how often words are found: without compounds and synonyms. */
  readonly isCounted?: boolean;
  /** Without synonyms. */
  readonly isOwn?: boolean;
}

/** Of a form that has them. */
const synonymsSql = (
  { synonyms = [] }: Pick<GroupTerm, 'synonyms'>,
  { weight, isExact = false, isCounted = false, isOwn = false }: TermForm,
): string[] =>
  isExact || isCounted || isOwn ? [] : synonyms.map(({ tokens }) => `(${phraseOf(tokens, weight)})`);

/** Lexemes of words that follow each other. The last character of a run has another position, behind its pairs. */
export function phraseLexemes(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ isRun, folded, text }, index) => {
    if (!isRun) return [folded];
    const last = index < tokens.length - 1 ? Array.from(text).slice(-1) : [];
    return [...pairsOf(text), ...last];
  });
}

/** A single character of a script without spaces begins the pairs that have it first. */
export const isSingleCharacter = (token: Token | undefined): boolean =>
  token?.isRun === true && Array.from(token.text).length === 1;

function runSql(pairs: readonly string[], weight: 'A' | undefined): string {
  const suffix = weight === undefined ? '' : `:${weight}`;
  const [first = ''] = pairs;
  if (pairs.length === 1 && Array.from(first).length === 1) return `${quoted(first)}:*${weight ?? ''}`;
  return `(${pairs.map((pair) => `${quoted(pair)}${suffix}`).join(' <-> ')})`;
}

function wordSql(term: WordTerm, form: TermForm): string {
  const { weight, isExact = false, isCounted = false } = form;
  const suffix = weight === undefined ? '' : `:${weight}`;
  const synonyms = synonymsSql(term, form);
  if (term.pairs !== null) {
    const run = runSql(term.pairs, weight);
    return synonyms.length === 0 ? run : `(${[run, ...synonyms].join(' | ')})`;
  }
  const words = isExact || isCounted ? term.lexemes : [...term.lexemes, ...term.compounds];
  const forms = words.map((lexeme) => `${quoted(lexeme)}${suffix}`);
  if (term.isPrefix && !isExact) forms.push(`${quoted(term.folded)}:*${weight ?? ''}`);
  return `(${[...forms, ...synonyms].join(' | ')})`;
}

function termSql(term: QueryTerm, form: TermForm): string {
  if (term.kind === 'word') return wordSql(term, form);
  if (term.kind === 'phrase') return `(${phraseOf(term.tokens, form.weight)})`;
  const own = `(${term.kind === 'all' ? allOf(term.terms, form) : anyOf(term.terms, form)})`;
  const synonyms = synonymsSql(term, form);
  return synonyms.length === 0 ? own : `(${[own, ...synonyms].join(' | ')})`;
}

/** The text of a `tsquery`. */
export const allOf = (terms: readonly QueryTerm[], form: TermForm = {}): string =>
  terms.map((term) => termSql(term, form)).join(' & ');

export const anyOf = (terms: readonly QueryTerm[], form: TermForm = {}): string =>
  terms.map((term) => termSql(term, form)).join(' | ');

/** The words as they follow each other. */
export function phraseOf(tokens: readonly Token[], weight?: 'A'): string {
  const lexemes = phraseLexemes(tokens);
  return lexemes
    .map((lexeme, index) => {
      const isBeginning = index === lexemes.length - 1 && isSingleCharacter(tokens.at(-1));
      const suffix = `${isBeginning ? '*' : ''}${weight ?? ''}`;
      return `${quoted(lexeme)}${suffix === '' ? '' : `:${suffix}`}`;
    })
    .join(' <-> ');
}

/** What stands between spaces, or between quotation marks. */
interface Piece {
  readonly tokens: readonly Token[];
  readonly isPhrase: boolean;
  readonly isExcluded: boolean;
}

/** A query as it is written. */
export interface WrittenQuery {
  /** Each piece must be found, or one of its alternatives. */
  readonly groups: readonly (readonly Piece[])[];
  readonly excluded: readonly Piece[];
}

const PIECE =
  /(?<minus>(?<!\S)-(?=[^\s-]))?(?:["“”„«»](?<phrase>[^"“”„«»]*)["“”«»]|(?<words>[^\s"“”„«»]+))|["“”„«»]/gu;

/** Words, phrases in quotation marks, `-` before what must not be found, and `OR` between alternatives. */
export function readQuery(q: string, locale: string): WrittenQuery {
  const groups: Piece[][] = [];
  const excluded: Piece[] = [];
  let left = MOST_WORDS;
  let or: Piece | null = null;
  for (const match of q.normalize('NFC').matchAll(PIECE)) {
    const { minus = '', phrase, words = '' } = match.groups ?? {};
    const start = match.index + minus.length + (phrase === undefined ? 0 : 1);
    const tokens = tokensOf(phrase ?? words, locale, left).map((token) => ({
      ...token,
      start: start + token.start,
      end: start + token.end,
    }));
    if (tokens.length === 0) continue;
    left -= tokens.length;
    const piece = { tokens, isPhrase: phrase !== undefined, isExcluded: minus !== '' };
    const last = groups.at(-1);
    if (words === 'OR' && last !== undefined && or === null) or = piece;
    else if (piece.isExcluded) excluded.push(piece);
    else if (or !== null && last !== undefined) {
      last.push(piece);
      or = null;
    } else groups.push([piece]);
  }
  return { groups: or === null ? groups : [...groups, [or]], excluded };
}

/** Words that may be found, in their order. */
export const queryTokens = ({ groups }: WrittenQuery): Token[] =>
  groups.flatMap((group) => group.flatMap(({ tokens }) => tokens));

/** Words whose stems a query needs. */
export const queryWords = ({ groups, excluded }: WrittenQuery): string[] =>
  [...groups.flat(), ...excluded]
    .flatMap(({ tokens }) => tokens)
    .filter(({ isRun }) => !isRun)
    .flatMap((token) => formsTyped(token));

/** A word as it is written, without accents, and with letters spelled out. */
export function formsTyped({ text, folded }: Pick<Token, 'text' | 'folded'>): string[] {
  const spelled = spelledOut(text);
  return spelled === undefined ? [text, folded] : [text, folded, spelled];
}

interface Reading {
  readonly dictionaries: readonly string[];
  readonly stems: Stems;
  /** The word that may be unfinished. */
  readonly unfinished?: Token | undefined;
}

function wordTerm(token: Token, { dictionaries, stems, unfinished }: Reading): WordTerm {
  const { text, folded, isRun } = token;
  const kind = 'word';
  if (isRun)
    return {
      kind,
      token,
      folded,
      lexemes: [],
      compounds: [],
      synonyms: [],
      isPrefix: false,
      pairs: pairsOf(text),
      isStopWord: false,
    };
  const typed = formsTyped(token);
  const found = dictionaries.flatMap((name) => typed.map((form) => stems.of(name, form)));
  const lexemes = new Set([folded, ...typed.slice(2), ...found.filter((stem) => typeof stem === 'string')]);
  return {
    kind,
    token,
    folded,
    lexemes: [...lexemes],
    compounds: [],
    synonyms: [],
    isPrefix: token === unfinished && Array.from(folded).length > 1,
    pairs: null,
    isStopWord: found.includes(null),
  };
}

const phraseTerm = ({ tokens }: Piece): PhraseTerm => ({ kind: 'phrase', tokens });

/** A piece as one term. */
function pieceTerm(piece: Piece, reading: Reading): QueryTerm {
  if (piece.isPhrase) return phraseTerm(piece);
  const terms = piece.tokens.map((token) => wordTerm(token, reading));
  return terms.length === 1 && terms[0] !== undefined ? terms[0] : { kind: 'all', terms };
}

/** Stop words count only if there is nothing else. */
function tellingWords(words: readonly WordTerm[], isAlone: boolean): WordTerm[] {
  const telling = words.filter(
    ({ isStopWord, isPrefix }) => !isStopWord || (isAlone && isPrefix && words.length === 1),
  );
  const chosen = telling.length > 0 || !isAlone ? telling : words;
  return [...new Map(chosen.map((term) => [`${term.folded} ${String(term.isPrefix)}`, term])).values()];
}

/** What must be found and what must not be. */
export interface QueryTerms {
  /** Words and alternatives, which may be misspelt. */
  readonly terms: readonly QueryTerm[];
  /** Needed as they are. */
  readonly phrases: readonly PhraseTerm[];
  readonly excluded: readonly QueryTerm[];
}

export function termsOf(
  { groups, excluded }: WrittenQuery,
  given: Omit<Reading, 'unfinished'> & { readonly isFinished: boolean },
): QueryTerms {
  const last = groups.at(-1)?.at(-1);
  const isOpen = !given.isFinished && last !== undefined && !last.isPhrase;
  const reading = { ...given, unfinished: isOpen ? last.tokens.at(-1) : undefined };
  const single = groups.flatMap((group) => (group.length === 1 ? group : []));
  const phrases = single.filter(({ isPhrase }) => isPhrase).map(phraseTerm);
  const words = single
    .filter(({ isPhrase }) => !isPhrase)
    .flatMap(({ tokens }) => tokens.map((token) => wordTerm(token, reading)));
  const alternatives = groups
    .filter((group) => group.length > 1)
    .map((group): GroupTerm => ({ kind: 'any', terms: group.map((piece) => pieceTerm(piece, reading)) }));
  const telling = tellingWords(words, phrases.length + alternatives.length === 0);
  return {
    terms: [...telling, ...alternatives],
    phrases,
    excluded: excluded.map((piece) => pieceTerm(piece, given)),
  };
}

/** The words of terms, without those of phrases. */
export const wordsIn = (terms: readonly QueryTerm[]): WordTerm[] =>
  terms.flatMap((term) =>
    term.kind === 'word' ? [term] : term.kind === 'phrase' ? [] : wordsIn(term.terms),
  );

export const phrasesIn = (terms: readonly QueryTerm[]): PhraseTerm[] =>
  terms.flatMap((term) =>
    term.kind === 'phrase' ? [term] : term.kind === 'word' ? [] : phrasesIn(term.terms),
  );

/** The terms with each of their words changed. */
export const mapWords = (terms: readonly QueryTerm[], change: (word: WordTerm) => QueryTerm): QueryTerm[] =>
  terms.map((term) => {
    if (term.kind === 'word') return change(term);
    return term.kind === 'phrase' ? term : { ...term, terms: mapWords(term.terms, change) };
  });

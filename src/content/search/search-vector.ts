import { formsOf, spellsOut, wordsToStem, type Stems } from './dictionaries.js';
import type { SearchText, TextWeight } from './search-document.js';
import { pairsOf, spelledOut, tokensOf, type Token } from './words.js';

/** PostgreSQL keeps no position beyond this one. */
const LAST_POSITION = 16_383;
const POSITIONS_PER_WORD = 100;
/** A vector is limited to 1 MB. */
const VECTOR_CHARACTERS = 300_000;
/** Words of a document that are indexed. */
const WORDS = 60_000;
/** Between texts, so that no phrase spans two. */
const GAP = 5;

/** A word that no text contains, as the literal of a `tsvector`. */
export const markLexeme = (mark: string): string => `'${mark}':1D`;

/** The literal of a `tsvector`: words, their stems at the same place, and pairs of characters of runs. */
export class SearchVector {
  readonly #positions = new Map<string, string[]>();
  readonly #words = new Map<string, string>();
  /** Of each word so far: texts repeat most of theirs. */
  readonly #forms = new Map<string, readonly string[]>();
  #place = 0;
  #characters = 0;

  constructor(
    private readonly locale: string,
    private readonly stems: Stems,
  ) {}

  /** Words as they are written, by the word without accents. */
  get words(): ReadonlyMap<string, string> {
    return this.#words;
  }

  add({ tokens, weight }: TokenizedText): void {
    for (const token of tokens) {
      if (this.#characters > VECTOR_CHARACTERS) return;
      if (token.isRun) this.#addRun(token.text, weight);
      else this.#addWord(token, weight);
    }
    this.#place += GAP;
  }

  toString(): string {
    const lexemes: string[] = [];
    for (const [lexeme, positions] of this.#positions) lexemes.push(`'${lexeme}':${positions.join(',')}`);
    return lexemes.join(' ');
  }

  #addWord(token: Token, weight: TextWeight): void {
    this.#place += 1;
    for (const form of this.#forms.get(token.text) ?? this.#formsOf(token)) this.#add(form, weight);
  }

  #formsOf(token: Token): readonly string[] {
    noteSpellings(this.#words, vocabularyOf(token, this.locale));
    const forms = formsOf(token, this.locale, this.stems);
    this.#forms.set(token.text, forms);
    return forms;
  }

  #addRun(run: string, weight: TextWeight): void {
    for (const pair of pairsOf(run)) {
      this.#place += 1;
      this.#add(pair, weight);
    }
    const last = Array.from(run).at(-1) ?? '';
    this.#place += 1;
    this.#add(last, weight);
  }

  #add(lexeme: string, weight: TextWeight): void {
    const position = `${Math.min(Math.max(this.#place, 1), LAST_POSITION)}${weight}`;
    const known = this.#positions.get(lexeme);
    if (known === undefined) {
      this.#characters += lexeme.length + 8;
      this.#positions.set(lexeme, [position]);
    } else if (known.length < POSITIONS_PER_WORD && known.at(-1) !== position) known.push(position);
  }
}

/** A word as it may be typed, and as it is written. */
export function vocabularyOf({ text, folded }: Token, locale: string): (readonly [string, string])[] {
  const spelled = spellsOut(locale) ? spelledOut(text) : undefined;
  return spelled === undefined
    ? [[folded, text]]
    : [
        [folded, text],
        [spelled, text],
      ];
}

/** Of several spellings of a word one is kept, whatever their order: accents follow plain letters. */
export function noteSpellings(
  words: Map<string, string>,
  spellings: Iterable<readonly [word: string, written: string]>,
): void {
  for (const [word, written] of spellings) if (written > (words.get(word) ?? '')) words.set(word, written);
}

/** Words of texts, whose stems a vector needs. */
export function wordsOf(texts: readonly TokenizedText[], locale: string): Set<string> {
  const words = new Set<string>();
  for (const { tokens } of texts)
    for (const { isRun, text } of tokens)
      if (!isRun) for (const word of wordsToStem(text, locale)) words.add(word);
  return words;
}

export interface TokenizedText {
  readonly tokens: readonly Token[];
  readonly weight: TextWeight;
  readonly mark?: string | undefined;
}

/** The texts of a document, up to a number of words. */
export function tokenize(texts: readonly SearchText[], locale: string): TokenizedText[] {
  let left = WORDS;
  return texts.map(({ text, weight, mark }) => {
    const tokens = tokensOf(text.normalize('NFC'), locale, left);
    left -= tokens.length;
    return { tokens, weight, mark };
  });
}

/** Marks are hexadecimal, words have no dot. */
export const markedLexeme = (mark: string, lexeme: string): string => `${mark}.${lexeme}`;

/** What the texts with marks are found by, behind their marks. */
export function markedLexemes(texts: readonly TokenizedText[], locale: string, stems: Stems): string[] {
  const found = new Set<string>();
  let characters = 0;
  for (const { tokens, mark } of texts) {
    if (mark === undefined) continue;
    for (const token of tokens) {
      if (characters > VECTOR_CHARACTERS) break;
      const forms = token.isRun
        ? [...pairsOf(token.text), Array.from(token.text).at(-1) ?? '']
        : formsOf(token, locale, stems);
      for (const form of forms) {
        const lexeme = markedLexeme(mark, form);
        if (!found.has(lexeme)) characters += lexeme.length + 8;
        found.add(lexeme);
      }
    }
  }
  return [...found];
}

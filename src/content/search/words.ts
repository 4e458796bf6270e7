const STRETCH = /[\p{L}\p{N}\p{M}]+/uy;
const LAST_ASCII = 0x7f;
/** Later characters are two units of a string. */
const LAST_OF_ONE_UNIT = 0xffff;
/** Scripts written without spaces between words, and Hangul, whose words carry particles. */
const RUN =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu;
const ASCII = /^[\x20-\x7e]*$/;
/** Languages whose letters have other small forms than Unicode's. */
const OWN_CASE: ReadonlySet<string> = new Set(['tr', 'az', 'lt']);

/** Marks that only accent a letter; those of other scripts are vowels. */
const ACCENTS = /(?<=[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}])[\p{Mn}\u0640]+/gu;
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  ى: 'ي',
  ة: 'ه',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
const NOT_A_WORD = /[^\p{L}\p{N}\p{M}]+/gu;

/** Characters of a word that count. */
const WORD_LENGTH = 64;

/** A word, or a run of a script without spaces. */
export interface Token {
  readonly text: string;
  /** Without accents. */
  readonly folded: string;
  readonly isRun: boolean;
  /** Place in the text, which is in NFC. */
  readonly start: number;
  readonly end: number;
}

/** The word without accents and with one spelling of each letter. */
export const foldWord = (word: string): string =>
  ASCII.test(word)
    ? word
    : word
        .normalize('NFD')
        .replace(ACCENTS, '')
        .normalize('NFC')
        .replace(LETTER, (letter) => LETTERS[letter] ?? letter);

/** How letters are written where a keyboard lacks them. */
const SPELLED_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };
const SPELLABLE = /[äöüåø]/;

/** `schlüssel` → `schluessel`; undefined for a word without such letters. */
export const spelledOut = (word: string): string | undefined =>
  SPELLABLE.test(word)
    ? foldWord(word.replace(/[äöüåø]/g, (letter) => SPELLED_OUT[letter] ?? letter))
    : undefined;

type Lower = (text: string) => string;

const lowerOf = (locale: string): Lower =>
  OWN_CASE.has(locale.split('-', 1)[0] ?? '')
    ? (text) => text.toLocaleLowerCase(locale)
    : (text) => text.toLowerCase();

interface Word {
  readonly text: string;
  readonly folded: string;
}

/** Undefined if nothing is left of it. */
function wordOf(written: string, lower: Lower): Word | undefined {
  const small = lower(ASCII.test(written) ? written : written.normalize('NFKC').replace(NOT_A_WORD, ''));
  const text = small.length > WORD_LENGTH ? small.slice(0, WORD_LENGTH).toWellFormed() : small;
  return text === '' ? undefined : { text, folded: foldWord(text) };
}

/** Words as they are written, each read once. */
class WordReader {
  readonly #known = new Map<string, Word | undefined>();
  readonly #lower: Lower;

  constructor(locale: string) {
    this.#lower = lowerOf(locale);
  }

  at(written: string, start: number): Token | undefined {
    const word = this.#known.get(written) ?? this.#read(written);
    if (word === undefined) return undefined;
    const { text, folded } = word;
    return { text, folded, isRun: false, start, end: start + written.length };
  }

  #read(written: string): Word | undefined {
    const word = wordOf(written, this.#lower);
    this.#known.set(written, word);
    return word;
  }
}

/** Words and runs of a stretch without punctuation. */
function* partsOf(stretch: string, at: number, words: WordReader): Generator<Token> {
  let place = 0;
  const word = (end: number) => (end > place ? words.at(stretch.slice(place, end), at + place) : undefined);
  for (const run of stretch.matchAll(RUN)) {
    const before = word(run.index);
    if (before !== undefined) yield before;
    place = run.index + run[0].length;
    const text = run[0].normalize('NFKC').replace(NOT_A_WORD, '');
    if (text !== '') yield { text, folded: text, isRun: true, start: at + run.index, end: at + place };
  }
  const last = word(stretch.length);
  if (last !== undefined) yield last;
}

const isAsciiOfWord = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);

/** Where letters, digits and marks end that begin at `start`. Makes no object, unlike the matches of an expression. */
function stretchEnd(text: string, start: number): number {
  for (let place = start; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code > LAST_ASCII) {
      STRETCH.lastIndex = start;
      return STRETCH.test(text) ? STRETCH.lastIndex : start;
    }
    if (!isAsciiOfWord(code)) return place;
  }
  return text.length;
}

/** The first words of a text in NFC, in lower case by the locale. Punctuation separates them. */
export function tokensOf(text: string, locale: string, most = Infinity): Token[] {
  const words = new WordReader(locale);
  const tokens: Token[] = [];
  for (let place = 0; place < text.length && tokens.length < most;) {
    const end = stretchEnd(text, place);
    if (end === place) {
      place += (text.codePointAt(place) ?? 0) > LAST_OF_ONE_UNIT ? 2 : 1;
      continue;
    }
    const stretch = text.slice(place, end);
    if (ASCII.test(stretch)) {
      const token = words.at(stretch, place);
      if (token !== undefined) tokens.push(token);
    } else for (const token of partsOf(stretch, place, words)) if (tokens.length < most) tokens.push(token);
    place = end;
  }
  return tokens;
}

/** Pairs of neighbouring characters; of a single one, itself. */
export function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((next, index) => `${characters[index] ?? ''}${next}`);
}

/** What two texts with the same words have in common. */
export const foldText = (text: string, locale: string): string =>
  tokensOf(text.normalize('NFC'), locale)
    .map(({ folded }) => folded)
    .join(' ');

/** Shorter words have too many neighbours. */
const SHORTEST = 4;
/** Shorter words are no parts of compounds. */
const SHORTEST_KEPT = 3;

const isWordOf = (word: string, shortest: number): boolean =>
  Array.from(word).length >= shortest && !/^\p{N}+$/u.test(word);

export const canBeMisspelt = (word: string): boolean => isWordOf(word, SHORTEST);

/** Whether a word of a text is one by which queries are corrected and compounds divided. */
export const isInVocabulary = (word: string): boolean => isWordOf(word, SHORTEST_KEPT);

/** Typing errors that a word of this length may have. */
export const errorsAllowed = (word: string): number => (Array.from(word).length < 8 ? 1 : 2);

/** FNV-1a as a signed number of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash | 0;
}

/** Characters of a word whose spellings are known: errors behind them do not matter. */
const BEGINNING = 7;
/** Words that are shorter are never meant by one that may have two errors. */
const SHORTEST_WITH_TWO = 6;

const without = (words: readonly string[]): string[] =>
  words.flatMap((word) => {
    const characters = Array.from(word);
    return characters.map((_, index) => characters.toSpliced(index, 1).join(''));
  });

/**
 * Hashes of how a word begins and of what is left of that without some characters. Words that differ by so many errors
 * share one, so an index of numbers finds neighbours without an extension of the database.
 */
export function spellingsOf(scope: string, word: string, errors: number): number[] {
  const once = [Array.from(word).slice(0, BEGINNING).join('')];
  const spellings = [...once, ...without(once), ...(errors > 1 ? without(without(once)) : [])];
  return [...new Set(spellings)].map((spelling) => hashOf(`${scope}\n${spelling}`));
}

/** Those by which a word of the index is found. */
export const indexedSpellings = (scope: string, word: string): number[] =>
  spellingsOf(scope, word, Array.from(word).length < SHORTEST_WITH_TWO ? 1 : 2);

/** Shorter words have no two parts. */
const SHORTEST_COMPOUND = 6;
const PART = 3;

/** Hashes of three neighbouring characters each: a word has all those of its parts. */
export function partsOfWord(scope: string, word: string): number[] {
  const characters = Array.from(word);
  const parts = characters.slice(PART - 1).map((_, index) => characters.slice(index, index + PART).join(''));
  return [...new Set(parts)].map((part) => hashOf(`${scope}\n+${part}`));
}

/** Those by which a word of the index is found. */
export const indexedParts = (scope: string, word: string): number[] =>
  Array.from(word).length < SHORTEST_COMPOUND ? [] : partsOfWord(scope, word);

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
export function errorsBetween(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)];
  let before: number[] = [];
  let last = b.map((_, index) => index).concat(b.length);
  for (const [row, letter] of a.entries()) {
    const next = [row + 1];
    for (const [column, compared] of b.entries()) {
      const cost = letter === compared ? 0 : 1;
      let least = Math.min((next[column] ?? 0) + 1, (last[column + 1] ?? 0) + 1, (last[column] ?? 0) + cost);
      const isSwap = row > 0 && column > 0 && letter === b[column - 1] && a[row - 1] === compared;
      if (isSwap) least = Math.min(least, (before[column - 1] ?? 0) + 1);
      next.push(least);
    }
    before = last;
    last = next;
  }
  return last[b.length] ?? a.length;
}

/** Letters of the alphabet that a letter belongs to, without accents. */
function alphabetOf(letter: string): string[] {
  const code = letter.codePointAt(0) ?? 0;
  const block = Array.from({ length: 128 }, (_, index) => String.fromCodePoint(code - (code % 128) + index));
  return block.filter((other) => /^\p{L}$/u.test(other) && foldWord(other.toLowerCase()) === other);
}

/** What the beginning of a word may be meant to be, with one typing error in it. */
export function beginningsNear(beginning: string): string[] {
  const characters = Array.from(beginning);
  const letters = new Set(characters.flatMap(alphabetOf));
  const near = characters.flatMap((letter, index) => {
    const [before, after] = [characters.slice(0, index).join(''), characters.slice(index + 1).join('')];
    const [next = '', rest] = [characters[index + 1], characters.slice(index + 2).join('')];
    const others = [...letters].flatMap((other) => [
      `${before}${other}${after}`,
      `${before}${other}${letter}${after}`,
    ]);
    return [`${before}${after}`, `${before}${next}${letter}${rest}`, ...others];
  });
  return [...new Set(near)].filter((other) => !other.startsWith(beginning));
}

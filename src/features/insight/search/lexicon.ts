import { LRUCache } from 'lru-cache';
import {
  isCompound,
  dictionaryOf,
  partsOfCompound,
  possibleParts,
  restsBeside,
  wordsBeside,
  type Stems,
} from '../../../content/search/dictionaries.js';
import {
  canBeMisspelt,
  isInVocabulary,
  errorsAllowed,
  errorsBetween,
  foldWord,
  indexedParts,
  indexedSpellings,
  partsOfWord,
  spellingsOf,
} from '../../../content/search/words.js';
import {
  readSynonyms,
  wordsOfLists,
  type SynonymBook,
  type SynonymList,
} from '../../../content/search/synonyms.js';
import { Turns } from '../../../infrastructure/lazy.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { LexiconRepository, SearchWordRepository, type IndexedWord } from './word.repository.js';

/** Words with their stems, kept by the process. */
const KEPT = 100_000;
/** Words read without a pause, and looked up by one statement. */
const AT_ONCE = 1000;
const STOP = '';
const stemOf = (kept: string): string | null => (kept === STOP ? null : kept);
const keyOf = (dictionary: string, word: string): string => `${dictionary} ${word}`;

/** By dictionary and word; null for a stop word. */
type FoundStems = Map<string, Map<string, string | null>>;
type WordOf = readonly [dictionary: string, word: string];

/** Stems of words, from the stemmers of the database. */
export class Lexicon {
  /** Grows as it fills; `max` would allocate its full capacity up front. */
  readonly #known = new LRUCache<string, string>({ maxSize: KEPT, sizeCalculation: () => 1 });
  /** By the lists that they were read from, which are those of a cached catalog. */
  readonly #books = new WeakMap<readonly SynonymList[], SynonymBook>();

  /** @param words by dictionary */
  async read(work: UnitOfWork, words: ReadonlyMap<string, Iterable<string>>): Promise<Stems> {
    const found: FoundStems = new Map();
    const missing = await this.#readKnown(words, found);
    for (let at = 0; at < missing.length; at += AT_ONCE)
      await this.#lookUp(work, missing.slice(at, at + AT_ONCE), found);
    return { of: (dictionary, word) => found.get(dictionary)?.get(word) };
  }

  /** The synonyms of these languages; those without any are left out. */
  async synonyms(
    work: UnitOfWork,
    lists: Readonly<Record<string, readonly SynonymList[]>>,
    languages: readonly string[],
  ): Promise<SynonymBook[]> {
    const books: SynonymBook[] = [];
    for (const locale of languages) {
      const own = lists[locale] ?? [];
      if (own.length === 0) continue;
      const book = this.#books.get(own) ?? (await this.#readBook(work, own, locale));
      this.#books.set(own, book);
      books.push(book);
    }
    return books;
  }

  async #readBook(work: UnitOfWork, lists: readonly SynonymList[], locale: string): Promise<SynonymBook> {
    const dictionary = dictionaryOf(locale);
    const words = wordsOfLists(lists, locale);
    const stems = await this.read(work, new Map(dictionary === undefined ? [] : [[dictionary, words]]));
    return readSynonyms(lists, locale, stems);
  }

  /** @returns the words that are not known */
  async #readKnown(words: ReadonlyMap<string, Iterable<string>>, found: FoundStems): Promise<WordOf[]> {
    const turns = new Turns();
    const missing: WordOf[] = [];
    let read = 0;
    for (const [dictionary, given] of words) {
      const stems = new Map<string, string | null>();
      found.set(dictionary, stems);
      for (const word of given) {
        read += 1;
        if (read % AT_ONCE === 0) await turns.pause();
        const stem = this.#known.get(keyOf(dictionary, word));
        if (stem === undefined) missing.push([dictionary, word]);
        else stems.set(word, stemOf(stem));
      }
    }
    return missing;
  }

  async #lookUp(work: UnitOfWork, words: readonly WordOf[], found: FoundStems): Promise<void> {
    const rows = await work.use(LexiconRepository).stems(
      words.map(([dictionary]) => dictionary),
      words.map(([, word]) => word),
    );
    for (const { dictionary, word, lexemes } of rows) {
      const [first] = lexemes ?? [word];
      const stem = first === undefined ? STOP : foldWord(first);
      this.#known.set(keyOf(dictionary, word), stem);
      found.get(dictionary)?.set(word, stemOf(stem));
    }
  }
}

const WORDS_AT_ONCE = 1000;

const environmentOf = ({ scope }: UnitOfWork): string => scope.environmentId ?? '';

/**
 * Adds the words and spellings that the environment does not have, a part at a time: requests are served in between.
 * @param words without accents, and as they are written
 */
export async function addWords(work: UnitOfWork, words: ReadonlyMap<string, string>): Promise<void> {
  const environmentId = environmentOf(work);
  const vocabulary = work.use(SearchWordRepository);
  const all = [...words.keys()].filter(isInVocabulary);
  for (let at = 0; at < all.length; at += WORDS_AT_ONCE) {
    const some = all
      .slice(at, at + WORDS_AT_ONCE)
      .map((word) => ({ word, written: words.get(word) ?? word }));
    const unknown = await vocabulary.unknown(some);
    await vocabulary.put(
      unknown.map(({ word, written }) => ({
        word,
        written,
        spellings: indexedSpellings(environmentId, word),
        parts: indexedParts(environmentId, word),
      })),
    );
  }
}

/** Compounds that are found by one of their parts. */
const COMPOUNDS = 48;

/** By part, the words of the index that are compounds with it. */
export async function compoundsWith(
  work: UnitOfWork,
  parts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const words = work.use(SearchWordRepository);
  const hashes = parts.map((part) => partsOfWord(environmentOf(work), part));
  const found = await words.containing(hashes);
  const rests = parts.map((part, index) =>
    (found[index] ?? []).map((word) => ({ word, rests: restsBeside(word, part) })),
  );
  const beside = new Set(rests.flat().flatMap((candidate) => candidate.rests.flatMap(wordsBeside)));
  const known = new Set(await words.known([...beside]));
  return new Map(
    parts.map((part, index) => {
      const compounds = (rests[index] ?? [])
        .filter((candidate) => candidate.rests.some((rest) => isCompound(rest, part, known)))
        .map(({ word }) => word);
      return [part, compounds.slice(0, COMPOUNDS)] as const;
    }),
  );
}

/** By compound, the words of the index that it consists of; those that do not are left out. */
export async function partsOfCompounds(
  work: UnitOfWork,
  compounds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const possible = new Set(compounds.flatMap(possibleParts));
  const known = new Set(await work.use(SearchWordRepository).known([...possible]));
  const found = new Map<string, readonly string[]>();
  for (const compound of compounds) {
    const parts = partsOfCompound(compound, known);
    if (parts !== undefined) found.set(compound, parts);
  }
  return found;
}

/** A word of the index that another one may be a misspelling of. */
export interface NearWord extends IndexedWord {
  readonly errors: number;
}

/** By word, those of the index that may be meant, the nearest first; the word itself has no errors. */
export async function nearWords(
  work: UnitOfWork,
  words: Iterable<string>,
): Promise<ReadonlyMap<string, readonly NearWord[]>> {
  const near = new Map<string, NearWord[]>();
  for (const word of new Set(words)) {
    if (!canBeMisspelt(word)) continue;
    const most = errorsAllowed(word);
    const found = await work
      .use(SearchWordRepository)
      .neighbours(spellingsOf(environmentOf(work), word, most), {
        length: Array.from(word).length,
        errors: most,
      });
    const measured = found
      .map((other) => ({ ...other, errors: errorsBetween(word, other.word) }))
      .filter((other) => other.errors <= most && canBeMisspelt(other.word));
    near.set(
      word,
      measured.sort((one, other) => one.errors - other.errors || (one.word < other.word ? -1 : 1)),
    );
  }
  return near;
}

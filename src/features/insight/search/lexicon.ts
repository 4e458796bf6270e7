import { LRUCache } from 'lru-cache';
import type { Stems } from '../../../content/search/dictionaries.js';
import { foldWord } from '../../../content/search/words.js';
import { Turns } from '../../../infrastructure/lazy.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { LexiconRepository } from './word.repository.js';

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
  readonly #known = new LRUCache<string, string>({ max: KEPT });

  /** @param words by dictionary */
  async read(work: UnitOfWork, words: ReadonlyMap<string, Iterable<string>>): Promise<Stems> {
    const found: FoundStems = new Map();
    const missing = await this.#readKnown(words, found);
    for (let at = 0; at < missing.length; at += AT_ONCE)
      await this.#lookUp(work, missing.slice(at, at + AT_ONCE), found);
    return { of: (dictionary, word) => found.get(dictionary)?.get(word) };
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

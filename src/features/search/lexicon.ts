import { LRUCache } from 'lru-cache';
import type { Stems } from '../../content/search/dictionaries.js';
import { foldWord } from '../../content/search/words.js';
import { Turns } from '../../infrastructure/turns.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { LexiconRepository } from './lexicon.repository.js';

/** Words with their stems, kept by the process. */
const KEPT = 100_000;
/** Words looked up by one statement. */
const AT_ONCE = 1000;
const STOP = '';
const stemOf = (kept: string): string | null => (kept === STOP ? null : kept);
const keyOf = (dictionary: string, word: string): string => `${dictionary} ${word}`;

/** Stems of words, from the stemmers of the database. */
export class Lexicon {
  readonly #known = new LRUCache<string, string>({ max: KEPT });

  /** @param words by dictionary */
  async read(work: UnitOfWork, words: ReadonlyMap<string, Iterable<string>>): Promise<Stems> {
    const found = new Map<string, Map<string, string | null>>();
    for (const [dictionary, given] of words) {
      const stems = new Map<string, string | null>();
      found.set(dictionary, stems);
      const missing = await this.#readKnown(dictionary, given, stems);
      for (let at = 0; at < missing.length; at += AT_ONCE)
        await this.#lookUp(work, { dictionary, words: missing.slice(at, at + AT_ONCE), stems });
    }
    return { of: (dictionary, word) => found.get(dictionary)?.get(word) };
  }

  /** @returns the words that are not known */
  async #readKnown(
    dictionary: string,
    words: Iterable<string>,
    stems: Map<string, string | null>,
  ): Promise<string[]> {
    const turns = new Turns();
    const missing: string[] = [];
    for (const word of words) {
      await turns.pause();
      const stem = this.#known.get(keyOf(dictionary, word));
      if (stem === undefined) missing.push(word);
      else stems.set(word, stemOf(stem));
    }
    return missing;
  }

  async #lookUp(
    work: UnitOfWork,
    {
      dictionary,
      words,
      stems,
    }: {
      readonly dictionary: string;
      readonly words: readonly string[];
      readonly stems: Map<string, string | null>;
    },
  ): Promise<void> {
    for (const { word, lexemes } of await work.use(LexiconRepository).stems(dictionary, words)) {
      const [first] = lexemes ?? [word];
      const stem = first === undefined ? STOP : foldWord(first);
      this.#known.set(keyOf(dictionary, word), stem);
      stems.set(word, stemOf(stem));
    }
  }
}

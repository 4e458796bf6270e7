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
const keyOf = (dictionary: string, word: string): string => `${dictionary} ${word}`;

/** Stems of words, from the stemmers of the database. */
export class Lexicon {
  readonly #known = new LRUCache<string, string>({ max: KEPT });

  /** @param words by dictionary */
  async read(work: UnitOfWork, words: ReadonlyMap<string, Iterable<string>>): Promise<Stems> {
    const found = new Map<string, string>();
    const missing: [string, string][] = [];
    const turns = new Turns();
    for (const [dictionary, given] of words) {
      for (const word of given) {
        await turns.pause();
        const stem = this.#known.get(keyOf(dictionary, word));
        if (stem === undefined) missing.push([dictionary, word]);
        else found.set(keyOf(dictionary, word), stem);
      }
    }
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      const some = missing.slice(at, at + AT_ONCE);
      const rows = await work.use(LexiconRepository).stems(
        some.map(([dictionary]) => dictionary),
        some.map(([, word]) => word),
      );
      for (const { dictionary, word, lexemes } of rows) {
        const [first] = lexemes ?? [word];
        const stem = first === undefined ? STOP : foldWord(first);
        this.#known.set(keyOf(dictionary, word), stem);
        found.set(keyOf(dictionary, word), stem);
      }
    }
    return {
      of: (dictionary, word) => {
        const stem = found.get(keyOf(dictionary, word));
        return stem === STOP ? null : stem;
      },
    };
  }
}

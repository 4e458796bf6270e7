import { Repository } from '../../../persistence/repositories/repository.js';

/** Neighbours of a word that are compared with it. */
const NEIGHBOURS = 200;

/** Every word of the texts of an environment, to correct queries by. */
export class SearchWordRepository extends Repository {
  async unknown(words: readonly string[]): Promise<string[]> {
    if (words.length === 0) return [];
    const rows = await this.query<{ word: string }>(
      `SELECT n.word FROM unnest($2::text[]) AS n (word)
       WHERE NOT EXISTS (SELECT FROM search_words w WHERE w.environment_id = $1 AND w.word = n.word COLLATE "C")`,
      [this.environmentId, words],
    );
    return rows.map(({ word }) => word);
  }

  async add(
    words: readonly { readonly word: string; readonly spellings: readonly number[] }[],
  ): Promise<void> {
    if (words.length === 0) return;
    await this.query(
      `INSERT INTO search_words (environment_id, word, spellings)
       SELECT $1, word, spellings::integer[] FROM unnest($2::text[], $3::text[]) AS w (word, spellings)
       ORDER BY word ON CONFLICT DO NOTHING`,
      [
        this.environmentId,
        words.map(({ word }) => word),
        words.map(({ spellings }) => `{${spellings.join(',')}}`),
      ],
    );
  }

  /** Words that share a spelling. */
  async neighbours(spellings: readonly number[]): Promise<string[]> {
    const rows = await this.query<{ word: string }>(
      `SELECT word FROM search_words WHERE environment_id = $1 AND spellings && $2::integer[] LIMIT ${String(NEIGHBOURS)}`,
      [this.environmentId, spellings],
    );
    return rows.map(({ word }) => word);
  }
}

interface StemRow {
  readonly dictionary: string;
  readonly word: string;
  /** Empty for a stop word; null if unknown. */
  readonly lexemes: string[] | null;
}

/** PostgreSQL's stemmers. */
export class LexiconRepository extends Repository {
  /** Dictionaries that this database lacks return nothing. */
  stems(dictionaries: readonly string[], words: readonly string[]): Promise<StemRow[]> {
    return this.query<StemRow>(
      `SELECT w.dictionary, w.word, ts_lexize(d.oid::regdictionary, w.word) AS lexemes
       FROM unnest($1::text[], $2::text[]) AS w (dictionary, word)
         JOIN pg_ts_dict d ON d.dictname = w.dictionary AND d.dictnamespace = 'pg_catalog'::regnamespace`,
      [dictionaries, words],
    );
  }
}

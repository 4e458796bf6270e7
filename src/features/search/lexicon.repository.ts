import { Repository } from '../../persistence/repositories/repository.js';

export interface StemRow {
  readonly word: string;
  /** Empty for a stop word; null if unknown. */
  readonly lexemes: string[] | null;
}

/** PostgreSQL's stemmers. */
export class LexiconRepository extends Repository {
  /** A dictionary that this database lacks returns nothing. */
  stems(dictionary: string, words: readonly string[]): Promise<StemRow[]> {
    return this.query<StemRow>(
      `SELECT w.word, ts_lexize(d.oid::regdictionary, w.word) AS lexemes FROM unnest($2::text[]) AS w (word)
         JOIN pg_ts_dict d ON d.dictname = $1 AND d.dictnamespace = 'pg_catalog'::regnamespace`,
      [dictionary, words],
    );
  }
}

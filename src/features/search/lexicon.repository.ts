import { Repository } from '../../persistence/repositories/repository.js';

export interface StemRow {
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

import { Repository } from '../../../persistence/repositories/repository.js';

/** Neighbours of a word that are compared with it. */
const NEIGHBOURS = 2000;

/** Words with the characters of a part that may be compounds. */
const CONTAINING = 500;

/** Words with a beginning of which the shortest are found, and of those with each of several. */
const BEGINNING = 5000;
const NEAR = 8;
/** Follows every other character. */
const LAST = '\u{10FFFF}';

/** A word of the index, without accents and in the last of its spellings by code points. */
export interface IndexedWord {
  readonly word: string;
  readonly written: string;
}

interface WordRow extends IndexedWord {
  readonly spellings: readonly number[];
  readonly parts: readonly number[];
}

/** Every word of the texts of an environment, to correct queries by. */
export class SearchWordRepository extends Repository {
  /** Those of the words that are missing, or are kept in a spelling before theirs. */
  async unknown(words: readonly IndexedWord[]): Promise<IndexedWord[]> {
    if (words.length === 0) return [];
    return this.query<IndexedWord>(
      `SELECT n.word, n.written FROM unnest($2::text[], $3::text[]) AS n (word, written)
       WHERE NOT EXISTS (SELECT FROM search_words w WHERE w.environment_id = $1 AND w.word = n.word COLLATE "C"
         AND w.written COLLATE "C" >= n.written)`,
      [this.environmentId, words.map(({ word }) => word), words.map(({ written }) => written)],
    );
  }

  async known(words: readonly string[]): Promise<string[]> {
    if (words.length === 0) return [];
    const rows = await this.query<{ word: string }>(
      `SELECT w.word FROM search_words w WHERE w.environment_id = $1 AND w.word = ANY($2::text[])`,
      [this.environmentId, words],
    );
    return rows.map(({ word }) => word);
  }

  /**
   * Words that begin so, the shortest first, after others.
   * @param limit of words besides the others
   */
  beginning(
    beginning: string,
    { others, limit }: { readonly others: readonly string[]; readonly limit: number },
  ): Promise<IndexedWord[]> {
    return this.query<IndexedWord>(
      `SELECT word, written FROM (
         SELECT word, written, array_position($4::text[], word COLLATE "C") AS place FROM search_words
           WHERE environment_id = $1 AND word = ANY($4::text[])
         UNION ALL (SELECT word, written, NULL FROM (SELECT word, written FROM search_words
             WHERE environment_id = $1 AND word >= $2 AND word < $3 ORDER BY word LIMIT ${String(BEGINNING)}) AS b
           WHERE word <> ALL($4::text[]) ORDER BY length(word), word LIMIT $5)) AS w
       ORDER BY place, length(word), word`,
      [this.environmentId, beginning, `${beginning}${LAST}`, others, limit],
    );
  }

  /** Some words with each of these beginnings, the shortest first. */
  withBeginnings(beginnings: readonly string[]): Promise<IndexedWord[]> {
    return this.query<IndexedWord>(
      `SELECT word, written FROM (SELECT DISTINCT w.word, w.written FROM unnest($2::text[]) AS b (beginning)
         CROSS JOIN LATERAL (SELECT word, written FROM search_words WHERE environment_id = $1
           AND word >= b.beginning AND word < b.beginning || $3 ORDER BY word LIMIT ${String(NEAR)}) AS w) AS n
       ORDER BY length(word), word LIMIT ${String(CONTAINING)}`,
      [this.environmentId, beginnings, LAST],
    );
  }

  /**
   * Words that have all characters of a part, the shortest first.
   * @param parts hashes of each part
   */
  async containing(parts: readonly (readonly number[])[]): Promise<string[][]> {
    if (parts.length === 0) return [];
    const rows = await this.query<{ words: string[] }>(
      `SELECT ARRAY(SELECT w.word FROM search_words w WHERE w.environment_id = $1 AND w.parts @> p.hashes::integer[]
         ORDER BY length(w.word), w.word LIMIT ${String(CONTAINING)}) AS words
       FROM unnest($2::text[]) WITH ORDINALITY AS p (hashes, place) ORDER BY p.place`,
      [this.environmentId, parts.map((hashes) => `{${hashes.join(',')}}`)],
    );
    return rows.map(({ words }) => words);
  }

  /** Adds words, in the place of those with another spelling. */
  async put(words: readonly WordRow[]): Promise<void> {
    if (words.length === 0) return;
    await this.query('DELETE FROM search_words WHERE environment_id = $1 AND word = ANY($2::text[])', [
      this.environmentId,
      words.map(({ word }) => word),
    ]);
    await this.query(
      `INSERT INTO search_words (environment_id, word, written, spellings, parts)
       SELECT $1, word, written, spellings::integer[], parts::integer[]
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS w (word, written, spellings, parts)
       ORDER BY word ON CONFLICT DO NOTHING`,
      [
        this.environmentId,
        words.map(({ word }) => word),
        words.map(({ written }) => written),
        words.map(({ spellings }) => `{${spellings.join(',')}}`),
        words.map(({ parts }) => `{${parts.join(',')}}`),
      ],
    );
  }

  /** Words that share a spelling, and whose length differs by no more than the errors. */
  neighbours(
    spellings: readonly number[],
    { length, errors }: { readonly length: number; readonly errors: number },
  ): Promise<IndexedWord[]> {
    return this.query<IndexedWord>(
      `SELECT word, written FROM search_words WHERE environment_id = $1 AND spellings && $2::integer[]
         AND length(word) BETWEEN $3 AND $4 LIMIT ${String(NEIGHBOURS)}`,
      [this.environmentId, spellings, length - errors, length + errors],
    );
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

import { allOf, type QueryTerms, type TermForm } from '../../../content/search/search-query.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { Bind } from '../../shared/readable-entries.js';
import {
  COUNTED,
  type CountedWord,
  type HitKey,
  type SearchQuery,
  type TitleHit,
  type TitleQuery,
  type WordQuery,
} from './search-index.js';
import { marksOf } from './search.repository.js';
import { conditionsSql, stageSql } from './stage-sql.js';

/** Documents that are looked at: of common words and beginnings, not all are. */
const LOOKED_AT = 500;
/** Follows every other character. */
const LAST = '\u{10FFFF}';

/** The text of a `tsquery`; null if it says nothing. */
function queryText({ terms, phrases, excluded }: QueryTerms, form: TermForm = {}): string | null {
  const needed = [...terms, ...phrases];
  const parts = needed.length === 0 ? [] : [`(${allOf(needed, form)})`];
  const all = [...parts, ...excluded.map((term) => `!(${allOf([term])})`)];
  return all.length === 0 ? null : all.join(' & ');
}

/** Completes queries by the index in the database. */
export class CompletionRepository extends Repository {
  /** Titles that begin with what was typed, and then those that have its words, in alphabetical order. */
  async titles(query: SearchQuery, asked: TitleQuery): Promise<TitleHit[]> {
    const { value, bind, place, found } = this.#reading(query);
    const { beginning, limit } = asked;
    const begins =
      beginning === null
        ? 'false'
        : `(d.title COLLATE "C" >= ${value(beginning)} AND d.title COLLATE "C" < ${value(`${beginning}${LAST}`)})`;
    const words = queryText(asked, { weight: 'A' });
    const matches =
      words === null || asked.terms.length + asked.phrases.length === 0
        ? 'false'
        : `d.vector @@ ${value(`(${this.#marks(query)}) & ${words}`)}::tsquery`;
    const select = 'SELECT d.entry_id, d.locale, d.title COLLATE "C" AS title FROM search_documents d';
    const most = `LIMIT ${String(LOOKED_AT)}`;
    const order = 'title, entry_id, locale';
    const those = (documents: string, rank: number, rows: string): string =>
      `(WITH hits AS ${rank === 0 ? 'NOT ' : ''}MATERIALIZED (${documents})
         ${found(`h.entry_id, h.locale, h.title, ${String(rank)} AS rank`)} ORDER BY h.title, h.entry_id, h.locale LIMIT ${rows})`;
    const rows = value(limit);
    return this.query<TitleHit>(
      `WITH begun AS MATERIALIZED ${those(`${select} WHERE ${place} AND ${begins} ORDER BY d.title COLLATE "C", d.entry_id, d.locale ${most}`, 0, rows)},
         others AS MATERIALIZED ${those(`${select} WHERE ${place} AND ${matches} AND NOT ${begins} ${most}`, 1, `greatest(0, ${rows} - (SELECT count(*) FROM begun))`)}
       SELECT entry_id AS "entryId", locale, title FROM (SELECT * FROM begun UNION ALL SELECT * FROM others) AS t
       ORDER BY rank, ${order}`,
      bind,
    );
  }

  /** Words that documents have, together with all else that was typed. */
  async count(query: SearchQuery, { context, words }: WordQuery): Promise<CountedWord[]> {
    const { value, bind, place, found } = this.#reading(query);
    const needed = this.#needed(query, context);
    return this.query<CountedWord>(
      `SELECT w.word, f.documents FROM unnest(${value(words)}::text[]) AS w (word)
         CROSS JOIN LATERAL (SELECT count(*)::int AS documents FROM (
           WITH hits AS NOT MATERIALIZED (SELECT d.entry_id, d.locale FROM search_documents d
             WHERE ${place} AND d.vector @@ (${value(needed)}::text || ' & ''' || w.word || '''')::tsquery LIMIT ${String(LOOKED_AT)})
           ${found('h.entry_id')} LIMIT ${String(COUNTED)}) AS s) AS f
       WHERE f.documents > 0`,
      bind,
    );
  }

  /** Of those that have a word, together with all else that was typed, the first by title. */
  async samples(query: SearchQuery, { context, words }: WordQuery): Promise<Map<string, HitKey>> {
    const { value, bind, place, found } = this.#reading(query);
    const needed = this.#needed(query, context);
    const rows = await this.query<HitKey & { word: string }>(
      `SELECT w.word, s.entry_id AS "entryId", s.locale FROM unnest(${value(words)}::text[]) AS w (word)
         CROSS JOIN LATERAL (
           WITH matching AS MATERIALIZED (SELECT d.entry_id, d.locale, d.title COLLATE "C" AS title FROM search_documents d
             WHERE ${place} AND d.vector @@ (${value(needed)}::text || ' & ''' || w.word || '''')::tsquery LIMIT ${String(LOOKED_AT)}),
             hits AS NOT MATERIALIZED (SELECT * FROM matching ORDER BY title, entry_id, locale)
           ${found('h.entry_id, h.locale')} ORDER BY h.title, h.entry_id, h.locale LIMIT 1) AS s`,
      bind,
    );
    return new Map(rows.map(({ word, ...hit }) => [word, hit]));
  }

  #needed(query: SearchQuery, context: QueryTerms): string {
    const rest = queryText(context);
    return `(${this.#marks(query)})${rest === null ? '' : ` & ${rest}`}`;
  }

  #marks(query: SearchQuery): string {
    return marksOf(this.environmentId, query)
      .map((mark) => `'${mark}'`)
      .join(' | ');
  }

  /** SQL of documents in the place of the search, and of those among `hits` that pass its filters and rights. */
  #reading(query: SearchQuery) {
    const bind: unknown[] = [this.environmentId];
    const value: Bind = (given) => `$${String(bind.push(given))}`;
    const { stage, siteIds, locales, forAll } = query;
    const sql = stageSql(stage);
    const among = (column: string, given: readonly string[] | null, type: string): string =>
      given === null ? '' : ` AND d.${column} = ANY(${value(given)}::${type}[])`;
    const place = `d.environment_id = $1 AND d.stage = ${value(stage)}${among('site_id', siteIds, 'uuid')}${among('locale', forAll.length === 0 ? locales : null, 'text')}`;
    const passing = `${sql.where}${conditionsSql(this.bound.scope, query, bind)}`;
    const found = (columns: string): string => `SELECT ${columns} FROM ${sql.ofFewHits} WHERE ${passing}`;
    return { value, bind, place, found };
  }
}

import type { SearchStage } from '../../../content/search/search-document.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { type VectorModel, bytesOf, coarseOf, similarityOf, vectorOf } from './vector-state.repository.js';
import type { Bind } from '../../shared/readable-entries.js';
import type { SearchHit, SearchQuery } from './search-index.js';
import { conditionsSql, stageSql } from './stage-sql.js';

/** The text of a document. */
export interface TextOfDocument {
  readonly entryId: string;
  readonly locale: string;
  readonly stage: SearchStage;
  readonly textHash: string;
}

/** Vectors of the project: a text has the same one at every stage and in every environment. */
const KNOWN = `search_vectors k JOIN environment_heads h ON h.environment_id = k.environment_id AND h.project_id = `;

const DOCUMENT = `search_documents d ON d.environment_id = $1 AND d.entry_id = t.entry_id AND d.locale = t.locale AND d.stage = t.stage`;
const REPLACE = `ON CONFLICT (environment_id, entry_id, locale, stage) DO UPDATE SET model_id = excluded.model_id,
  text_hash = excluded.text_hash, coarse = excluded.coarse, vector = excluded.vector`;

/** Vectors of documents. Rows are in no wall. */
export class VectorRepository extends Repository {
  /** Hashes of texts that need not be sent to the model. */
  async known({ id }: VectorModel, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.query<{ hash: string }>(
      `SELECT DISTINCT k.text_hash AS hash FROM ${KNOWN}$1
       WHERE k.text_hash = ANY($2::text[]) AND k.model_id = $3`,
      [this.projectId, hashes, id],
    );
    return new Set(rows.map(({ hash }) => hash));
  }

  /** Gives documents the known vectors of their texts. */
  async share({ id }: VectorModel, texts: readonly TextOfDocument[]): Promise<void> {
    await this.query(
      `INSERT INTO search_vectors AS v (environment_id, entry_id, locale, stage, model_id, text_hash, coarse, vector)
       SELECT $1, d.entry_id, d.locale, d.stage, $6, t.text_hash, known.coarse, known.vector
       FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) AS t (entry_id, locale, stage, text_hash)
         JOIN ${DOCUMENT}
         CROSS JOIN LATERAL (SELECT k.coarse, k.vector FROM ${KNOWN}$7
           WHERE k.text_hash = t.text_hash AND k.model_id = $6 LIMIT 1) AS known
       FOR KEY SHARE OF d
       ${REPLACE} WHERE v.text_hash <> excluded.text_hash OR v.model_id <> excluded.model_id`,
      [...this.#given(texts), id, this.projectId],
    );
  }

  /** Writes new vectors of documents; those removed since have none. */
  async write(
    model: VectorModel,
    rows: readonly (TextOfDocument & { readonly vector: Float32Array })[],
  ): Promise<void> {
    await this.query(
      `INSERT INTO search_vectors (environment_id, entry_id, locale, stage, model_id, text_hash, coarse, vector)
       SELECT $1, d.entry_id, d.locale, d.stage, $6, t.text_hash, t.coarse::varbit, t.vector
       FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $7::text[], $8::bytea[])
           AS t (entry_id, locale, stage, text_hash, coarse, vector)
         JOIN ${DOCUMENT}
       FOR KEY SHARE OF d
       ${REPLACE}`,
      [
        ...this.#given(rows),
        model.id,
        rows.map(({ vector }) => coarseOf(vector, model)),
        rows.map(({ vector }) => bytesOf(vector)),
      ],
    );
  }

  /** Removes vectors of texts that the entries do not have any more. */
  async removeOthers(
    { id }: VectorModel,
    { entryIds, texts }: { readonly entryIds: readonly string[]; readonly texts: readonly TextOfDocument[] },
  ): Promise<void> {
    await this.query(
      `DELETE FROM search_vectors v WHERE v.environment_id = $1 AND v.entry_id = ANY($7::uuid[])
         AND NOT (v.model_id = $6 AND EXISTS (SELECT FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[])
             AS t (entry_id, locale, stage, text_hash)
           WHERE t.entry_id = v.entry_id AND t.locale = v.locale AND t.stage = v.stage AND t.text_hash = v.text_hash))`,
      [...this.#given(texts), id, entryIds],
    );
  }

  /** The first five parameters. */
  #given(texts: readonly TextOfDocument[]): unknown[] {
    return [
      this.environmentId,
      texts.map(({ entryId }) => entryId),
      texts.map(({ locale }) => locale),
      texts.map(({ stage }) => stage),
      texts.map(({ textHash }) => textHash),
    ];
  }
}

/** Numbers of vectors that are compared exactly, and the fewest vectors. */
const NUMBERS = 400_000;
const FEWEST = 300;
const MOST = 1000;

/** For each document that is compared, so many nearest ones are read before rights and filters are applied. */
const READ_FIRST = 2;

interface CandidateRow {
  /** Documents read before rights and filters were applied. */
  readonly read: number;
  readonly entryId: string;
  readonly locale: string;
  readonly vector: Buffer;
}

/** What is compared with the vector of a query. */
interface Comparison {
  readonly vector: Float32Array;
  /** Documents whose vectors are compared exactly. */
  readonly compared: number;
  /** Only so many documents, the nearest by their coarse form; all if undefined. */
  readonly among: number | undefined;
}

/** Documents by the meaning of their text. */
export class NearestRepository extends Repository {
  /**
   * The nearest documents that pass the wall, rights and filters, the nearest first. All of up to 300 to 1,000 are
   * compared (fewer the more dimensions a vector has); of more, those whose coarse form differs least.
   */
  async nearest(
    query: SearchQuery,
    model: VectorModel,
    { vector, limit }: { readonly vector: Float32Array; readonly limit: number },
  ): Promise<SearchHit[]> {
    const compared = Math.max(FEWEST, Math.min(MOST, Math.floor(NUMBERS / vector.length)));
    const among = compared * READ_FIRST;
    const first = await this.#candidates(query, model, { vector, compared, among });
    // There may be others that pass, farther away than all that were read.
    const isPart = first.length < compared && (first[0]?.read ?? among) === among;
    const rows = isPart
      ? await this.#candidates(query, model, { vector, compared, among: undefined })
      : first;
    return rows
      .map(({ entryId, locale, vector: stored }) => ({
        entryId,
        locale,
        score: similarityOf(vector, vectorOf(stored)),
      }))
      .sort((one, other) => other.score - one.score || (one.entryId < other.entryId ? -1 : 1))
      .slice(0, limit);
  }

  /** The distance is computed before the rows are joined, so that coarse forms are not sorted along. */
  #candidates(
    query: SearchQuery,
    model: VectorModel,
    { vector, compared, among }: Comparison,
  ): Promise<CandidateRow[]> {
    const bind: unknown[] = [this.environmentId];
    const value: Bind = (given) => `$${String(bind.push(given))}`;
    const stage = stageSql(query.stage);
    const id = query.stage === 'draft' ? 'e.id' : 'p.entry_id';
    const place = `v.environment_id = $1 AND v.stage = ${value(query.stage)} AND v.model_id = ${value(model.id)}`;
    const distance = `bit_count(v.coarse # ${value(coarseOf(vector, model))}::varbit)`;
    const read = among === undefined ? '0' : '(SELECT count(*)::int FROM hits)';
    const part = among === undefined ? 'OFFSET 0' : `ORDER BY distance, v.entry_id LIMIT ${value(among)}`;
    return this.query<CandidateRow>(
      `WITH hits AS (SELECT v.entry_id, v.locale, ${distance} AS distance FROM search_vectors v
           WHERE ${place} ${part}),
         near AS MATERIALIZED (SELECT h.entry_id, h.locale FROM ${stage.ofHits}
           WHERE ${stage.where}${conditionsSql(this.bound.scope, query, bind)}
           ORDER BY h.distance, ${id}, h.locale LIMIT ${value(compared)})
       SELECT ${read} AS read, v.entry_id AS "entryId", v.locale, v.vector
       FROM near n JOIN search_vectors v ON v.entry_id = n.entry_id AND v.locale = n.locale AND ${place}`,
      bind,
    );
  }
}

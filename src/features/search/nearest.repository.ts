import { Repository } from '../../persistence/repositories/repository.js';
import type { Bind } from '../shared/index.js';
import type { SearchHit, SearchQuery } from './search-index.js';
import { conditionsSql, stageSql } from './stage-sql.js';
import type { VectorModel } from './vector-state.repository.js';
import { coarseOf, similarityOf, vectorOf } from './vector-values.js';

/** Numbers of vectors that are compared exactly, and the fewest vectors. */
const NUMBERS = 400_000;
const FEWEST = 300;
const MOST = 1000;

interface CandidateRow {
  readonly entryId: string;
  readonly locale: string;
  readonly vector: Buffer;
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
    const bind: unknown[] = [this.environmentId];
    const value: Bind = (given) => `$${String(bind.push(given))}`;
    const compared = Math.max(FEWEST, Math.min(MOST, Math.floor(NUMBERS / vector.length)));
    const stage = stageSql(query.stage);
    const id = query.stage === 'draft' ? 'e.id' : 'p.entry_id';
    const place = `v.environment_id = $1 AND v.stage = ${value(query.stage)} AND v.model_id = ${value(model.id)}`;
    const rows = await this.query<CandidateRow>(
      `WITH hits AS NOT MATERIALIZED (SELECT v.entry_id, v.locale, v.coarse FROM search_vectors v WHERE ${place}),
         near AS MATERIALIZED (SELECT h.entry_id, h.locale FROM ${stage.ofHits}
           WHERE ${stage.where}${conditionsSql(this.bound.scope, query, bind)}
           ORDER BY bit_count(h.coarse # ${value(coarseOf(vector, model))}::varbit), ${id}, h.locale LIMIT ${value(compared)})
       SELECT v.entry_id AS "entryId", v.locale, v.vector
       FROM near n JOIN search_vectors v ON v.entry_id = n.entry_id AND v.locale = n.locale AND ${place}`,
      bind,
    );
    return rows
      .map(({ entryId, locale, vector: stored }) => ({
        entryId,
        locale,
        score: similarityOf(vector, vectorOf(stored)),
      }))
      .sort((one, other) => other.score - one.score || (one.entryId < other.entryId ? -1 : 1))
      .slice(0, limit);
  }
}

import { Repository } from '../../../persistence/repositories/repository.js';
import { endianness } from 'node:os';

const BYTES = Float32Array.BYTES_PER_ELEMENT;
const isLowByteFirst = endianness() === 'LE';

/** Vectors of a model lie around a centre that is not 0. */
export interface VectorScale {
  readonly centre: Float32Array;
  /** How far a number is from that of the centre, usually. */
  readonly spread: number;
}

/** As stored: the low byte first. */
export function bytesOf(vector: Float32Array): Buffer {
  const bytes = Buffer.from(vector.slice().buffer);
  return isLowByteFirst ? bytes : bytes.swap32();
}

export function vectorOf(stored: Buffer): Float32Array {
  const bytes = new Uint8Array(stored);
  if (!isLowByteFirst) Buffer.from(bytes.buffer).swap32();
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.length / BYTES));
}

/** The scale of some vectors with the same number of dimensions. */
export function scaleOf(vectors: readonly Float32Array[]): VectorScale {
  const numbers = vectors[0]?.length ?? 0;
  const centre = Float32Array.from({ length: numbers }, (_, index) => {
    const sum = vectors.reduce((total, vector) => total + (vector[index] ?? 0), 0);
    return sum / vectors.length;
  });
  const squares = vectors.flatMap((vector) =>
    Array.from(vector, (value, index) => (value - (centre[index] ?? 0)) ** 2),
  );
  const mean = squares.reduce((total, square) => total + square, 0) / Math.max(1, squares.length);
  return { centre, spread: Math.sqrt(mean) };
}

/** Of the spread: with these, 94 of 100 results are the nearest when one of 100 documents is compared exactly. */
const LEVELS = [-1, -0.5, 0, 0.5, 1];

/** Which levels each number exceeds, as text of a bit string: vectors that are near differ in few bits. */
export const coarseOf = (vector: Float32Array, { centre, spread }: VectorScale): string =>
  Array.from(vector, (value, index) =>
    LEVELS.map((level) => (value - (centre[index] ?? 0) > level * spread ? '1' : '0')).join(''),
  ).join('');

/** Of vectors of length 1: the cosine of their angle. */
export function similarityOf(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  // The iterator of entries would take most of the time of a search.
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

/** A model with the scale of the coarse form of its vectors. */
export interface VectorModel extends VectorScale {
  readonly id: string;
  readonly model: string;
}

interface ModelRow {
  readonly id: string;
  readonly model: string;
  readonly centre: Buffer;
  readonly spread: number;
}

const COLUMNS = 'm.id, m.model, m.centre, m.spread';

const modelOf = (row: ModelRow | undefined): VectorModel | undefined =>
  row && { ...row, centre: vectorOf(row.centre) };

/** Models, and which of them made the vectors of an environment. Rows are in no wall. */
export class VectorStateRepository extends Repository {
  async model(name: string): Promise<VectorModel | undefined> {
    const [row] = await this.query<ModelRow>(
      `SELECT ${COLUMNS} FROM search_vector_models m WHERE m.model = $1`,
      [name],
    );
    return modelOf(row);
  }

  /** Replaces a model of the same name only if it is `former`: others may have done so. */
  async replace({ id, model, centre, spread }: VectorModel, former: VectorModel | undefined): Promise<void> {
    await this.query(
      `INSERT INTO search_vector_models AS m (id, model, centre, spread) VALUES ($1, $2, $3, $4)
       ON CONFLICT (model) DO UPDATE SET id = excluded.id, centre = excluded.centre, spread = excluded.spread
         WHERE m.id = $5`,
      [id, model, bytesOf(centre), spread, former?.id ?? null],
    );
  }

  /** Environments without vectors, and those whose vectors another model made. */
  async others(modelId: string): Promise<{ environmentId: string; isNew: boolean }[]> {
    return this.query(
      `SELECT h.environment_id AS "environmentId", s.environment_id IS NULL AS "isNew" FROM environment_heads h
         LEFT JOIN search_vector_states s ON s.environment_id = h.environment_id
       WHERE s.environment_id IS NULL OR s.model_id <> $1`,
      [modelId],
    );
  }

  /** The model of the environment. */
  async find(): Promise<VectorModel | undefined> {
    const [row] = await this.query<ModelRow>(
      `SELECT ${COLUMNS} FROM search_vector_states s JOIN search_vector_models m ON m.id = s.model_id
       WHERE s.environment_id = $1`,
      [this.environmentId],
    );
    return modelOf(row);
  }

  /** Whether it is the model of the environment, and stays so until the transaction ends. */
  async holds(modelId: string): Promise<boolean> {
    const rows = await this.query(
      'SELECT 1 FROM search_vector_states WHERE environment_id = $1 AND model_id = $2 FOR UPDATE',
      [this.environmentId, modelId],
    );
    return rows.length > 0;
  }

  /** From now on vectors of other models do not count; false if they did not before. */
  async begin(modelId: string): Promise<boolean> {
    const rows = await this.query(
      `INSERT INTO search_vector_states AS s (environment_id, model_id) VALUES ($1, $2)
       ON CONFLICT (environment_id) DO UPDATE SET model_id = excluded.model_id WHERE s.model_id <> excluded.model_id
       RETURNING 1`,
      [this.environmentId, modelId],
    );
    return rows.length > 0;
  }
}

/** Other processes may claim the work after this time. */
const CLAIM = "'10 minutes'::interval";
const IS_FREE = '(q.claim IS NULL OR q.claimed_until < clock_timestamp())';
const NEXT = "nextval('search_vector_queue_id')";
/** Rows looked at for environments with work. */
const ROUND = 1000;

export interface ClaimedEntry {
  readonly entryId: string;
  /** Of its latest note. */
  readonly id: string;
}

/** Entries whose texts may need other vectors. Rows are in no wall. */
export class VectorQueueRepository extends Repository {
  async note(entryIds: readonly string[]): Promise<void> {
    await this.query(
      `INSERT INTO search_vector_queue (environment_id, entry_id)
       SELECT $1, entry_id FROM unnest($2::uuid[]) AS entry_id ORDER BY entry_id
       ON CONFLICT (environment_id, entry_id) DO UPDATE SET id = ${NEXT}`,
      [this.environmentId, entryIds],
    );
  }

  /** Notes all entries that are indexed. */
  async noteAll(): Promise<void> {
    await this.allowTime(600);
    await this.query(
      `INSERT INTO search_vector_queue (environment_id, entry_id)
       SELECT DISTINCT environment_id, entry_id FROM search_documents WHERE environment_id = $1 ORDER BY entry_id
       ON CONFLICT (environment_id, entry_id) DO UPDATE SET id = ${NEXT}`,
      [this.environmentId],
    );
  }

  /** Environments with unclaimed work, the oldest first. */
  async environments(): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT environment_id AS id FROM (SELECT q.environment_id, q.id FROM search_vector_queue q
           JOIN environment_heads h ON h.environment_id = q.environment_id
         WHERE ${IS_FREE} ORDER BY q.id LIMIT ${String(ROUND)}) AS oldest
       GROUP BY 1 ORDER BY min(oldest.id)`,
    );
    return rows.map(({ id }) => id);
  }

  claim(claim: string, limit: number): Promise<ClaimedEntry[]> {
    return this.query<ClaimedEntry>(
      `UPDATE search_vector_queue w SET claim = $2, claimed_until = clock_timestamp() + ${CLAIM}
       WHERE w.environment_id = $1 AND w.entry_id IN (SELECT q.entry_id FROM search_vector_queue q
         WHERE q.environment_id = $1 AND ${IS_FREE} ORDER BY q.id LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING w.entry_id AS "entryId", w.id::text AS id`,
      [this.environmentId, claim, limit],
    );
  }

  /** Entries still claimed by this process; they stay claimed until the transaction ends. */
  async held(claim: string): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      `SELECT entry_id AS id FROM search_vector_queue
       WHERE environment_id = $1 AND claim = $2 ORDER BY entry_id FOR UPDATE`,
      [this.environmentId, claim],
    );
    return rows.map(({ id }) => id);
  }

  /** Removes what was done, unless it was noted again. */
  async finish(claim: string, done: readonly ClaimedEntry[]): Promise<void> {
    await this.query(
      `DELETE FROM search_vector_queue q USING unnest($3::uuid[], $4::bigint[]) AS d (entry_id, id)
       WHERE q.environment_id = $1 AND q.claim = $2 AND q.entry_id = d.entry_id AND q.id = d.id`,
      [this.environmentId, claim, done.map(({ entryId }) => entryId), done.map(({ id }) => id)],
    );
    await this.#release(claim);
  }

  /** Releases what the server failed on, behind all others: a text that it always fails on does not keep them. */
  async postpone(claim: string): Promise<void> {
    await this.query(
      `UPDATE search_vector_queue SET claim = NULL, claimed_until = NULL, id = ${NEXT}
       WHERE environment_id = $1 AND claim = $2`,
      [this.environmentId, claim],
    );
  }

  async #release(claim: string): Promise<void> {
    await this.query(
      `UPDATE search_vector_queue SET claim = NULL, claimed_until = NULL WHERE environment_id = $1 AND claim = $2`,
      [this.environmentId, claim],
    );
  }
}

import { startEmbeddingServer, sendJson, type EmbeddingServer } from '../../support/embedding-server.js';
import { newId } from '../../../src/infrastructure/ids.js';
import {
  bytesOf,
  coarseOf,
  scaleOf,
  type VectorScale,
} from '../../../src/features/insight/search/vector-state.repository.js';
import type { Measure } from './measures.js';
import { indexPages } from './search.js';
import type { Stage } from './stage.js';

const MODEL = 'growth';
const TOPICS = 200;
const BATCH = 500;
/** Vectors that the scale is made from. */
const SAMPLE = 1000;

/** A number between -1 and 1 for each two integers, always the same. */
function noise(one: number, other: number): number {
  let state = Math.imul(one + 1, 0x9e3779b1) ^ Math.imul(other + 1, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  state = Math.imul(state ^ (state >>> 12), 0x297a2d39);
  return ((state ^ (state >>> 15)) >>> 0) / 2 ** 31 - 1;
}

/** Of length 1. Documents of a topic are near each other; all lie around a centre that is not 0. */
function vectorOf(document: number, dimensions: number): Float32Array {
  const topic = document % TOPICS;
  const vector = Float32Array.from(
    { length: dimensions },
    (_, index) => 0.3 + noise(topic, index) + 0.7 * noise(TOPICS + document, index),
  );
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Its vector of a text is that of the document with the number in the text. */
export async function startNumberedEmbeddings(dimensions: number): Promise<EmbeddingServer> {
  const server = await startEmbeddingServer();
  server.behavior.reply = (response, texts) =>
    sendJson(response, 200, {
      data: texts.map((text, index) => ({
        index,
        embedding: [...vectorOf(Number(/\d+/.exec(text)?.[0] ?? 0), dimensions)],
      })),
    });
  return server;
}

async function writeVectors({ query, place, count }: Stage, scale: VectorScale, dimensions: number) {
  const { environmentId } = place;
  const modelId = newId();
  await query('INSERT INTO search_vector_models (id, model, centre, spread) VALUES ($1, $2, $3, $4)', [
    modelId,
    MODEL,
    bytesOf(scale.centre),
    scale.spread,
  ]);
  await query('INSERT INTO search_vector_states (environment_id, model_id) VALUES ($1, $2)', [
    environmentId,
    modelId,
  ]);
  for (let from = 0; from < count; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => from + index);
    const vectors = numbers.map((number) => vectorOf(number, dimensions));
    await query(
      `INSERT INTO search_vectors (environment_id, entry_id, locale, stage, model_id, text_hash, coarse, vector)
       SELECT $1, d.entry_id, d.locale, d.stage, $2, d.number::text, t.coarse::varbit, t.vector
       FROM unnest($3::text[], $4::bytea[]) WITH ORDINALITY AS t (coarse, vector, place)
         JOIN (SELECT *, row_number() OVER (ORDER BY entry_id, locale) AS number FROM search_documents
           WHERE environment_id = $1 AND stage = 'draft' ORDER BY entry_id, locale OFFSET $5 LIMIT $6) AS d ON d.number = $5 + t.place`,
      [
        environmentId,
        modelId,
        vectors.map((vector) => coarseOf(vector, scale)),
        vectors.map(bytesOf),
        from,
        BATCH,
      ],
    );
  }
  const [made] = await query('SELECT count(*)::int AS vectors FROM search_vectors');
  if (JSON.stringify(made) !== JSON.stringify({ vectors: count }))
    throw new Error(`${JSON.stringify(made)} of ${String(count)} documents`);
  await query('VACUUM ANALYZE search_vectors');
}

/** Gives each page a vector. */
export async function indexMeaning(stage: Stage, dimensions: number): Promise<void> {
  await indexPages(stage);
  const sample = Array.from({ length: Math.min(SAMPLE, stage.count) }, (_, index) =>
    vectorOf(index, dimensions),
  );
  await writeVectors(stage, scaleOf(sample), dimensions);
}

const ask = (stage: Stage, mode: string, round: number): Promise<unknown> =>
  stage.call('GET', `{main}/search?q=${encodeURIComponent(`page ${String(round)} `)}&mode=${mode}`);

export const meaningMeasures: readonly Measure[] = ['semantic', 'hybrid'].map((mode) => ({
  name: `mode=${mode}`,
  run: (stage, round) => ask(stage, mode, round),
}));

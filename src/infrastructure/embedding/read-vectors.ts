import { EmbedderFailure } from './embedder.js';

const MAXIMUM_DIMENSIONS = 4096;

const invalid = (reason: string): EmbedderFailure => new EmbedderFailure('unavailable', reason);

/** Numbers of which none is infinite or undefined, as a vector of length 1. */
function readVector(given: unknown): Float32Array {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAXIMUM_DIMENSIONS)
    throw invalid('wrong_dimensions');
  let squares = 0;
  for (const value of given as unknown[]) {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw invalid('not_a_number');
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (length === 0 || !Number.isFinite(length)) throw invalid('no_direction');
  return Float32Array.from(given as number[], (value) => value / length);
}

/**
 * Reads the reply to so many texts: OpenAI's `{data: [{index, embedding}]}`.
 * @throws EmbedderFailure unless each text has one vector, and all have the same dimensions
 */
export function readVectors(reply: unknown, texts: number): Float32Array[] {
  const { data } = (typeof reply === 'object' && reply !== null ? reply : {}) as { data?: unknown };
  if (!Array.isArray(data) || data.length !== texts) throw invalid('wrong_number');
  const vectors = new Map<number, Float32Array>();
  for (const row of data as unknown[]) {
    const { index, embedding } = (row ?? {}) as { index?: unknown; embedding?: unknown };
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= texts)
      throw invalid('wrong_index');
    vectors.set(index, readVector(embedding));
  }
  const [first] = vectors.values();
  const ordered = Array.from({ length: texts }, (_, index) => vectors.get(index));
  return ordered.map((vector) => {
    if (vector === undefined) throw invalid('wrong_index');
    if (vector.length !== first?.length) throw invalid('wrong_dimensions');
    return vector;
  });
}

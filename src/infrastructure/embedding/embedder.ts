/**
 * `unavailable`: not reached, too slow, overloaded, not permitted, or what it sends is no list of vectors. `refused`: the
 * server does not accept these texts.
 */
type EmbedderFailureKind = 'unavailable' | 'refused';

export class EmbedderFailure extends Error {
  override readonly name = 'EmbedderFailure';

  constructor(
    readonly kind: EmbedderFailureKind,
    /** Never content or credentials. */
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`embedding server ${kind}: ${reason}`, { cause });
  }
}

/** Turns texts into vectors, of which near ones have a similar meaning. */
export interface Embedder {
  /** Vectors of different models cannot be compared. */
  readonly model: string;
  /**
   * Vectors of length 1, in the order of the texts, all with the same number of dimensions.
   * @throws EmbedderFailure
   */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

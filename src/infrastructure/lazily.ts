/** Something that is made when it is first asked for. */
export interface Lazy<T> {
  /** Makes it or answers what was made. What fails is tried again by the next who asks. */
  get(): Promise<T>;
  /** Makes nothing: what was asked for already, and may still be under way. */
  readonly begun: Promise<T> | undefined;
}

/**
 * Puts off what takes time and memory to load, and what many processes never need, until somebody needs it. Those who
 * ask meanwhile wait for the same one.
 */
export function lazily<T>(make: () => Promise<T>): Lazy<T> {
  let begun: Promise<T> | undefined;
  return {
    get: () => {
      begun ??= make().catch((error: unknown) => {
        begun = undefined;
        throw error;
      });
      return begun;
    },
    get begun() {
      return begun;
    },
  };
}

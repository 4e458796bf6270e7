/** Something that is made when it is first asked for. */
export interface Lazy<T> {
  /** Makes it or answers what was made. What fails is tried again by the next who asks. */
  get(): Promise<T>;
  /** Makes nothing: what somebody has asked for already; undefined where nobody has, or it failed. */
  current(): Promise<T | undefined>;
}

/**
 * Puts off what takes time and memory to load, and what many processes never need, until somebody needs it. Those who
 * ask meanwhile wait for the same one.
 */
export function lazy<T>(make: () => Promise<T>): Lazy<T> {
  let begun: Promise<T> | undefined;
  return {
    get: () => {
      begun ??= make().catch((error: unknown) => {
        begun = undefined;
        throw error;
      });
      return begun;
    },
    current: async () => begun?.catch(() => undefined),
  };
}

export interface Lazy<T> {
  /** Concurrent callers share one attempt; a failure is retried by the next call. */
  get(): Promise<T>;
  /** The value if {@link get} has made it; makes nothing. */
  current(): Promise<T | undefined>;
}

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

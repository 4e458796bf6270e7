const noResult = (ms: number): Error => new Error(`no result within ${String(ms / 1000)} seconds`);

/** Rejects after `ms`. The work itself continues; its later failure is ignored. */
export async function withTimeLimit<T>(
  ms: number,
  work: Promise<T>,
  failure: (ms: number) => Error = noResult,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(failure(ms));
    }, ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

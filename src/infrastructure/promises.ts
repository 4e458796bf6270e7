/** Resolves when the work has ended, whether or not it failed. */
export async function settled(work: Promise<unknown> | undefined): Promise<void> {
  await work?.catch(() => undefined);
}

/** What the work gives; undefined if it fails. */
export const orUndefined = async <T>(work: Promise<T> | undefined): Promise<T | undefined> =>
  work?.catch(() => undefined);

/** The same work, which other work runs beside: if it fails before it is awaited, the process does not end. */
export function awaitedLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

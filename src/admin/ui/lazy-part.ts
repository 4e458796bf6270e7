import { lazy, type ComponentType } from 'react';

const PAUSE = { leastMs: 500, mostMs: 30_000 } as const;

/** An offline browser waits until it is online; another one for a moment that grows with each failure. */
const beforeNextTry = (failures: number): Promise<void> =>
  new Promise((resolve) => {
    if (!navigator.onLine) return addEventListener('online', () => resolve(), { once: true });
    setTimeout(resolve, Math.min(PAUSE.leastMs * 2 ** failures, PAUSE.mostMs));
  });

/**
 * Loads a chunk of the app. A lost network delays it.
 * @param tries how often it may fail while the browser is online
 * @throws what the last try failed with, for example when a deployment has replaced the chunk
 */
export async function loadModule<M>(load: () => Promise<M>, tries = 3): Promise<M> {
  for (let failures = 0; ;) {
    try {
      return await load();
    } catch (error) {
      if (navigator.onLine) failures += 1;
      if (failures >= tries) throw error;
      await beforeNextTry(failures);
    }
  }
}

/** Loads a chunk before it is needed: the browser may be offline by then, or a deployment may have replaced the file. */
export function loadAhead(load: () => Promise<unknown>): void {
  void loadModule(load).catch(() => undefined);
}

type PropsOf<Part> = Part extends (props: infer Props) => unknown ? Props : never;

/** A component in a chunk that is loaded when the component is first shown, below a `Suspense`. */
export const lazyPart = <Chunk, Name extends keyof Chunk>(load: () => Promise<Chunk>, name: Name) =>
  lazy(async () => ({ default: (await loadModule(load))[name] as ComponentType<PropsOf<Chunk[Name]>> }));

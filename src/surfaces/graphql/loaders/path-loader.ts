import DataLoader from 'dataloader';
import type { PathedDocument } from '../../../features/delivery/index.js';

/** A document and the locale that it was requested in. */
export interface PathKey extends PathedDocument {
  readonly requested: string;
}

export type PathLoader = DataLoader<PathKey, string | null, string>;

/** Calls `read` once per tick with distinct entries and locales (decisions 3.10). */
export const createPathLoader = (
  read: (keys: readonly PathKey[]) => Promise<readonly (string | null)[]>,
): PathLoader => new DataLoader(read, { cacheKeyFn: ({ id, requested }) => `${id} ${requested}` });

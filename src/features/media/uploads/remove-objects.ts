import type { MediaStorage } from '../../../infrastructure/storage/media-storage.js';

/** Never rejects: what cannot be removed is swept. */
export async function removeObjects(
  storage: Pick<MediaStorage, 'remove'>,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) await storage.remove(key).catch(() => undefined);
}

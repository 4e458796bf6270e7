import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../infrastructure/postgres/embedded-postgres.js';

/** Runs a check on an empty PostgreSQL of its own, which is gone afterwards. */
export async function withScratchDatabase<T>(check: (url: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-scratch-'));
  // As root, PostgreSQL runs as another user, who must be able to enter.
  await chmod(directory, 0o711);
  const database = await startEmbeddedPostgres({ dataDirectory: directory, log: () => undefined });
  try {
    return await check(database.ownerUrl);
  } finally {
    await database.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

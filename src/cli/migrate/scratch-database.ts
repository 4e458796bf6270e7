import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../infrastructure/postgres/embedded-postgres.js';

/** Runs a check on an empty PostgreSQL that is deleted afterwards. */
export async function withScratchDatabase<T>(check: (url: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-scratch-'));
  // Started by root, PostgreSQL runs as another user, who needs access.
  await chmod(directory, 0o711);
  const database = await startEmbeddedPostgres({ dataDirectory: directory, log: () => undefined });
  try {
    return await check(database.ownerUrl);
  } finally {
    await database.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

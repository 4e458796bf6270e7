import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../src/infrastructure/postgres/embedded-postgres.js';
import { migrateUp } from '../../src/persistence/migrations/migrator.js';

/** A migrated database and a directory for media, removed at the end. */
export interface Scratch {
  readonly url: string;
  readonly media: string;
}

/** Runs `work` with a PostgreSQL server that is started for it. */
export async function withDatabase<T>(work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-bench-data-'));
  // As root, PostgreSQL runs as another user, who needs access.
  await chmod(directory, 0o711);
  try {
    const { ownerUrl, stop } = await startEmbeddedPostgres({
      dataDirectory: directory,
      log: () => undefined,
    });
    try {
      await migrateUp({ url: ownerUrl });
      return await work({ url: ownerUrl, media: path.join(directory, 'data') });
    } finally {
      await stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { startEmbeddedPostgres } from '../../infrastructure/postgres/embedded-postgres.js';
import { readConfig } from '../../process/config/config.js';
import { createLogger } from '../../infrastructure/logger.js';
import { migrateUp, planMigrations } from '../../persistence/migrations/migrator.js';
import { checkMigrations } from '../../persistence/migrations/migration-check.js';
import { openDatabase, startWait } from '../../process/parts/database.js';
import { runCommand } from '../command-line.js';

/** Runs a check on an empty PostgreSQL that is deleted afterwards. */
async function withScratchDatabase<T>(check: (url: string) => Promise<T>): Promise<T> {
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

const help = `
Usage: npm run migrate [-- --plan | --check]

Applies pending migrations, and restores missing roles, grants and policies.

  --plan   print the pending statements and the locks that they take, and apply none
  --check  migrate a temporary database up, down and up again, and compare it with the models
`;

/** `--check` migrates a scratch database up, down and up again. */
async function main(): Promise<void> {
  if (process.argv.includes('--check')) {
    const problems = await withScratchDatabase(checkMigrations);
    if (problems.length > 0) throw new Error(`Migrations and models differ: ${problems.join('; ')}`);
    console.log('Migrations run up, down and up again, and match the models.');
    return;
  }
  const logger = createLogger('warn');
  const config = readConfig(process.env, 'operate');
  const database = await openDatabase({ config, logger, whenInUse: 'share' });
  try {
    const onRepair = (statements: readonly string[]) => {
      console.log(`Restored missing roles, grants and policies:\n  ${statements.join('\n  ')}`);
    };
    const wait = startWait({ config, logger });
    if (process.argv.includes('--plan')) {
      console.log((await planMigrations({ url: database.ownerUrl, wait })) ?? 'No pending migrations.');
      return;
    }
    const applied = await migrateUp({ url: database.ownerUrl, wait, onRepair });
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'No pending migrations.');
  } finally {
    await database.stop();
  }
}

runCommand(help, main);

import { spawnSync } from 'node:child_process';
import path from 'node:path';

const answers = (file: string): boolean => spawnSync(file, ['--version']).status === 0;

/** Where a server is installed together with the client tools of its version. */
function findFolder(): string | undefined {
  const named = spawnSync('pg_config', ['--bindir']).stdout?.toString().trim();
  return [named, '/usr/lib/postgresql/15/bin'].find(
    (folder) => folder !== undefined && folder !== '' && answers(path.join(folder, 'initdb')),
  );
}

const folder = findFolder();

/** The programs of an installed server; undefined where none is. */
export const installedPostgres =
  folder === undefined
    ? undefined
    : { initdb: path.join(folder, 'initdb'), postgres: path.join(folder, 'postgres') };

/** Whether tools of PostgreSQL are in the path. */
export const hasPostgresTools = (...names: readonly string[]): boolean => names.every(answers);

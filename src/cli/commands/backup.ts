import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../../process/config/config.js';
import { version } from '../../process/config/version.js';
import { createLogger } from '../../infrastructure/logger.js';
import { withSnapshot } from '../../persistence/archive/export-rows.js';
import { openDatabase } from '../../process/parts/database.js';
import { writeArchive } from '../backup/write-archive.js';
import { runCommand, UsageError } from '../command-line.js';

const help = `
Usage: npm run backup -- <file or folder>

Writes every row of the database to one compressed file, as of one moment, while the service runs. In a folder, the
file is named by the time. Reads DATABASE_URL, or the embedded database in HEADWATER_DATA_DIR.

The secrets are not in the file: keep the data directory, and the secrets that you set, beside it.
`;

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [target, ...rest] = positionals;
  if (target === undefined || rest.length > 0) throw new UsageError('Name one file or folder.');
  const config = readConfig(process.env, 'operate');
  const database = await openDatabase({ config, logger: createLogger('warn'), whenInUse: 'share' });
  try {
    const facts = { release: version, createdAt: new Date() };
    const written = await withSnapshot(database.ownerUrl, (snapshot) =>
      writeArchive(target, snapshot, facts),
    );
    const { file, bytes, rows, tables } = written;
    console.log(`Backed up ${rows} rows of ${tables} tables to ${file} (${bytes} bytes).`);
  } finally {
    await database.stop();
  }
}

runCommand(help, main);

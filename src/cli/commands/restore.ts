import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../../process/config/config.js';
import { createLogger } from '../../infrastructure/logger.js';
import { openDatabase } from '../../process/parts/database.js';
import { mediaPlace, openStorage } from '../../process/parts/media.js';
import { restoreArchive } from '../backup/read-archive.js';
import { runCommand, UsageError } from '../command-line.js';

const help = `
Usage: npm run restore -- <file>

Restores a file of npm run backup into an empty database, and applies the migrations of this release. Everything is
restored or nothing. Stop the service first. Writes to DATABASE_URL, or to the embedded database in
HEADWATER_DATA_DIR, which it creates. Media files are written to the storage that the settings name.

Afterwards, npm run rebuild -- --check and npm run audit -- --verify check the result.
`;

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UsageError('Name one file.');
  const config = readConfig(process.env, 'operate');
  const database = await openDatabase({ config, logger: createLogger('warn'), whenInUse: 'refuse' });
  try {
    const storage = openStorage(mediaPlace(config));
    console.log(
      `Restoring ${file} from its beginning. A restore that is stopped leaves no rows: run it again.`,
    );
    const restored = await restoreArchive(database.ownerUrl, file, storage);
    const { rows, tables, files, createdAt, release, applied } = restored;
    console.log(`Restored ${rows} rows of ${tables} tables from ${createdAt} (release ${release}).`);
    if (files === undefined)
      console.log('The backup has no media files: copy them from where they are kept.');
    else console.log(`${files.count} media files of ${files.bytes} bytes.`);
    for (const key of files?.lacking ?? []) console.log(`missing or damaged in the backup: ${key}`);
    if (applied.length > 0) console.log(`Applied ${applied.join(', ')}.`);
  } finally {
    await database.stop();
  }
}

runCommand(help, main);

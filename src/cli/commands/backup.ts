import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig, version } from '../../process/config/config.js';
import { createLogger } from '../../infrastructure/logger.js';
import { withSnapshot } from '../../persistence/archive/export-rows.js';
import { openDatabase } from '../../process/parts/database.js';
import { mediaPlace, openStorage } from '../../process/parts/media.js';
import { writeArchive } from '../backup/write-archive.js';
import { runCommand, UsageError } from '../command-line.js';

const help = `
Usage: npm run backup -- <file or folder> [--files or --no-files] [--incomplete]

Writes every row of the database to one compressed file, as of one moment, while the service runs. In a folder, the
file is named by the time. Reads DATABASE_URL, or the embedded database in HEADWATER_DATA_DIR.

Media files are included, unless they are in a bucket (MEDIA_STORAGE=s3). --files includes those of a bucket too,
--no-files leaves files out. A file that is missing or damaged ends the backup; --incomplete backs up the others.

The secrets are not in the file: keep the data directory, and the secrets that you set, beside it.
`;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: { files: { type: 'boolean' }, incomplete: { type: 'boolean', default: false } },
  });
  const [target, ...rest] = positionals;
  if (target === undefined || rest.length > 0) throw new UsageError('Name one file or folder.');
  const config = readConfig(process.env, 'operate');
  const storage = openStorage(mediaPlace(config));
  const withFiles = values.files ?? storage.kind === 'disk';
  const database = await openDatabase({ config, logger: createLogger('warn'), whenInUse: 'share' });
  try {
    const facts = {
      release: version,
      createdAt: new Date(),
      storage: withFiles ? storage : undefined,
      isIncomplete: values.incomplete,
    };
    const written = await withSnapshot(database.ownerUrl, (snapshot) =>
      writeArchive(target, snapshot, facts),
    );
    const { file, bytes, rows, tables, files, unfinished } = written;
    console.log(`Backed up ${rows} rows of ${tables} tables to ${file} (${bytes} bytes).`);
    if (files === undefined) console.log('Media files are not in the backup: keep a copy of them beside it.');
    else console.log(`${files.files} media files of ${files.bytes} bytes.`);
    for (const key of files?.lacking ?? []) console.log(`missing or damaged: ${key}`);
    for (const name of unfinished)
      console.log(`not finished, remove it unless its backup still runs: ${name}`);
  } finally {
    await database.stop();
  }
}

runCommand(help, main);

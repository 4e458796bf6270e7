import process from 'node:process';
import { parseArgs } from 'node:util';
import { copyMedia, sweepAbandoned, sweepMedia } from '../../features/media/media/index.js';
import { systemClock } from '../../infrastructure/clock.js';
import { createLogger } from '../../infrastructure/logger.js';
import { readConfig, type Config } from '../../process/config/config.js';
import { mediaPlace, openStorage } from '../../process/parts/media.js';
import { openRuntime } from '../../process/run/runtime.js';
import { runCommand, UsageError } from '../command-line.js';
import { progressOn } from '../progress.js';
import { TenantFiles } from '../media/tenant-files.js';

const help = `
Usage: npm run media -- sweep [--remove]
       npm run media -- migrate --to <s3 or disk>

sweep lists files that no asset names and that are older than a day, and assets whose file is missing. With --remove it
removes the former. It exits with 1 if a file is missing. The service may keep running.

migrate copies every file to the other storage. Both need their settings: the data directory and S3_ENDPOINT and so on.
It copies only what is not there yet, so run it while the service runs, switch MEDIA_STORAGE, restart, and run it again.
`;

async function sweep(config: Config, removes: boolean): Promise<void> {
  const runtime = await openRuntime({ config, logger: createLogger('warn'), whenInUse: 'share' });
  try {
    const { units, media } = runtime.composition.services;
    const now = systemClock();
    const report = (line: string): void => {
      console.log(line);
    };
    const abandoned = removes ? await sweepAbandoned(media.storage, now) : 0;
    const found = await sweepMedia({
      storage: media.storage,
      names: new TenantFiles(units),
      now,
      removes,
      report,
    });
    const verb = removes ? 'removed' : 'found; --remove removes them';
    console.log(`${found.objects} files. ${found.orphans} orphans of ${found.orphanBytes} bytes ${verb}.`);
    if (removes) console.log(`${abandoned} temporary files and incomplete uploads removed.`);
    console.log(`${found.missing} files missing.`);
    if (found.missing > 0) process.exitCode = 1;
  } finally {
    await runtime.close();
  }
}

async function migrate(config: Config, target: string | undefined): Promise<void> {
  if (target !== 's3' && target !== 'disk') throw new UsageError('Name the target: --to s3 or --to disk.');
  const { media } = config;
  if (media.bucket === undefined) throw new Error('The S3_ settings are missing.');
  const { directory } = mediaPlace(config);
  const disk = openStorage({ directory });
  const s3 = openStorage({ directory, s3: media.bucket });
  const progress = progressOn(process.stderr);
  const [from, to] = target === 's3' ? [disk, s3] : [s3, disk];
  const result = await copyMedia(from, to, progress).finally(() => {
    progress.stop();
  });
  console.log(
    `${result.copied} files of ${result.bytes} bytes copied to ${target}, ${result.skipped} were there.`,
  );
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { remove: { type: 'boolean', default: false }, to: { type: 'string' } },
  });
  const [command, ...others] = positionals;
  if (others.length > 0) throw new UsageError(`Unknown argument: ${others[0] ?? ''}`);
  if (command === 'sweep' && values.to === undefined)
    return sweep(readConfig(process.env, 'operate'), values.remove);
  if (command === 'migrate' && !values.remove) return migrate(readConfig(process.env, 'operate'), values.to);
  throw new UsageError('Name a command: sweep or migrate.');
}

runCommand(help, main);

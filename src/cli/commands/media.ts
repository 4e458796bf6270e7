import process from 'node:process';
import { parseArgs } from 'node:util';
import {
  copyMedia,
  sweepAbandoned,
  sweepMedia,
  StoredFileRepository,
  type NamedFiles,
} from '../../features/media/media/index.js';
import { systemClock } from '../../infrastructure/clock.js';
import { createLogger } from '../../infrastructure/logger.js';
import { readConfig, type Config } from '../../process/config/config.js';
import { mediaPlace, openStorage } from '../../process/parts/media.js';
import { openRuntime } from '../../process/run/runtime.js';
import { runCommand, UsageError } from '../command-line.js';
import { progressOn } from '../progress.js';
import {
  EnvironmentListRepository,
  type EnvironmentHead,
} from '../../features/environments/catalog/index.js';
import {
  addressOf,
  systemScope,
  type UnitOfWork,
  type UnitOfWorkFactory,
} from '../../persistence/work/unit-of-work.js';

const PAGE = 500;

/** Reads the rows of one tenant after the other: no unit of work sees two. */
export class TenantFiles implements NamedFiles {
  #heads: Promise<ReadonlyMap<string, EnvironmentHead>> | undefined;

  constructor(private readonly units: UnitOfWorkFactory) {}

  async tenantIds(): Promise<readonly string[]> {
    return [...(await this.#tenants()).keys()];
  }

  async named(tenantId: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const head = (await this.#tenants()).get(tenantId);
    if (head === undefined) return new Set();
    return this.#read(head, (work) => work.use(StoredFileRepository).named(keys));
  }

  async *all(): AsyncGenerator<string> {
    for (const head of (await this.#tenants()).values()) {
      let after = '';
      for (;;) {
        const start = after;
        const keys = await this.#read(head, (work) => work.use(StoredFileRepository).keysAfter(start, PAGE));
        yield* keys;
        if (keys.length < PAGE) break;
        after = keys.at(-1) ?? '';
      }
    }
  }

  #read<T>(head: EnvironmentHead, work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    const scope = systemScope({ command: 'media', address: addressOf(head) });
    return this.units.run({ scope, isReadOnly: true, lock: 'none' }, work);
  }

  /** Any environment of each tenant. */
  #tenants(): Promise<ReadonlyMap<string, EnvironmentHead>> {
    const request = { scope: systemScope({ command: 'media' }), isReadOnly: true, lock: 'none' } as const;
    this.#heads ??= this.units
      .run(request, (work) => work.use(EnvironmentListRepository).all())
      .then((heads) => new Map(heads.map((head) => [head.tenantId, head])));
    return this.#heads;
  }
}

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

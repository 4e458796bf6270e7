import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ScopeSlug } from '../../../contracts/primitives.js';
import { readConfig, type Config } from '../../process/config/config.js';
import { createLogger } from '../../infrastructure/logger.js';
import { openRuntime } from '../../process/run/runtime.js';
import { runCommand, UsageError } from '../command-line.js';
import {
  credentialsFile,
  keepPendingLogin,
  readCredentials,
  writeCredentials,
} from '../client/credentials.js';
import { newLogin, openAdminSession } from '../client/admin-session.js';
import { importPages } from '../import/import-pages.js';
import { progressOn } from '../progress.js';
import { summarize } from '../import/import-run.js';
import { OperationsClient, type OperationsHost } from '../client/operations-client.js';
import { isAppError } from '../client/rest-operations.js';

const help = `
Usage: npm run import -- <pages.jsonl> [options]

Imports pages from a file with one page and locale per line, builds the tree and publishes every locale. Pictures that
the lines name are uploaded from the folder images beside the file. A second run changes nothing.
Exports of other systems are imported by npx headwater import.

  --project      slug of the project, which is created where it is missing; by default the name of the file, or of
                 its folder if the file is pages.jsonl
  --tenant       slug of its tenant
  --site         slug of its site, by default main
  --no-publish   leave the pages as drafts
  --concurrency  batches of pages, and pictures, written at a time, 1 to 32, by default 4
`;

interface Arguments {
  readonly file: string;
  readonly destination: {
    readonly project: string;
    readonly tenant: string | undefined;
    readonly site: string;
  };
  readonly isPublishing: boolean;
  readonly concurrency: number;
}

function scopeSlug(name: string, value: string): string {
  if (ScopeSlug.safeParse(value).success) return value;
  throw new UsageError(`--${name} must be a slug: lower-case letters, digits and inner hyphens.`);
}

function projectOf(file: string): string {
  const { dir, name } = path.parse(path.resolve(file));
  return name === 'pages' ? path.basename(dir) : name;
}

function readArguments(): Arguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      project: { type: 'string' },
      tenant: { type: 'string' },
      site: { type: 'string', default: 'main' },
      publish: { type: 'boolean', default: true },
      concurrency: { type: 'string', default: '4' },
    },
  });
  const [file, ...rest] = positionals;
  const concurrency = Number(values.concurrency);
  const isGood = Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 32;
  if (file === undefined || rest.length > 0) throw new UsageError('Name one file.');
  if (!isGood) throw new UsageError('--concurrency must be a number from 1 to 32.');
  const project = scopeSlug('project', values.project ?? projectOf(file));
  const tenant = values.tenant === undefined ? undefined : scopeSlug('tenant', values.tenant);
  return {
    file,
    destination: { project, tenant, site: scopeSlug('site', values.site) },
    isPublishing: values.publish,
    concurrency,
  };
}

/** Uses ADMIN_EMAIL and ADMIN_PASSWORD, otherwise the credentials file. */
async function openSession(
  host: OperationsHost,
  { storage: { directory: dataDirectory } }: Config,
): Promise<OperationsClient> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = process.env;
  if (email && password) {
    return OperationsClient.login(host, { email, password }).catch((error: unknown) => {
      if (!isAppError(error, 'invalid_credentials', 'validation_failed')) throw error;
      throw new Error(
        'ADMIN_EMAIL and ADMIN_PASSWORD do not match a user. Create one with npm run create-admin.',
      );
    });
  }
  const stored = await readCredentials(dataDirectory);
  const login = stored?.superAdmin ?? newLogin();
  const keep = (pending: typeof login) => keepPendingLogin(dataDirectory, pending);
  const session = await openAdminSession({ host, command: 'import', login, keep });
  if (session.isNew) {
    await writeCredentials(dataDirectory, { ...stored, superAdmin: session.login });
    console.log(`Created the super-admin ${session.login.email}; see ${credentialsFile(dataDirectory)}.`);
  }
  return session.client;
}

async function main(): Promise<void> {
  const { file, destination, isPublishing, concurrency } = readArguments();
  const config = readConfig(process.env);
  const runtime = await openRuntime({ config, logger: createLogger('warn'), whenInUse: 'share' });
  try {
    const client = (await openSession(runtime.composition, config)).retrying();
    const progress = progressOn(process.stderr);
    const report = await importPages({ client, file, destination, isPublishing, concurrency, progress });
    process.stdout.write(summarize(report));
    if (report.problems.size + report.pictures.problems.size > 0) process.exitCode = 1;
  } finally {
    await runtime.close();
  }
}

runCommand(help, main);

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { runCommand, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase } from '../support/test-postgres.js';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

const compilerOptions = {
  strict: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: [],
};

type KeyName = 'management' | 'preview' | 'delivery';

/** A folder in which the client package is installed, beside a service with the demo. */
export interface InstalledClient {
  readonly folder: string;
  readonly tarball: string;
  /** Of the service. */
  readonly url: string;
  readonly keys: Readonly<Record<KeyName, string>>;
  write(name: string, content: string): Promise<void>;
  /** Makes a package of this checkout one of the folder, or those of a scope. */
  link(name: string): Promise<void>;
  /** @returns what the compiler printed: nothing without errors */
  compile(file: string, ...options: string[]): Promise<string>;
  /**
   * Runs the compiled `app.ts` with the URL and the management key; returns the JSON that it printed.
   * @param command another runtime with its options, which runs `app.ts` as it is
   */
  runProgram(...command: string[]): Promise<unknown>;
  /** Runs the command of the package; returns what it printed. */
  headwater(...options: string[]): Promise<string>;
  close(): Promise<void>;
}

/** Packages come from this checkout, so that no registry is needed. */
async function install(folder: string, tarball: string): Promise<void> {
  const local = ['@trpc/client', '@trpc/server', 'typescript'].map((name) =>
    path.join(root, 'node_modules', name),
  );
  const options = ['--offline', '--install-links', '--no-audit', '--no-fund', '--silent'];
  await run('npm', ['install', ...options, tarball, ...local], { cwd: folder });
}

async function packIn(folder: string, databaseUrl: string): Promise<string> {
  const made = await runCommand(databaseUrl, ['build-client', path.join(folder, 'package')]);
  if (made.code !== 0) throw new Error(made.output);
  const packed = await run('npm', ['pack', '--silent', './package'], { cwd: folder });
  return path.join(folder, packed.stdout.trim());
}

/** Builds and installs the package, and starts a service with the demo. */
export async function installClient(): Promise<InstalledClient> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'headwater-client-'));
  const write = (name: string, content: string) => writeFile(path.join(folder, name), content);
  const tarball = await packIn(folder, database.url);
  await write('package.json', JSON.stringify({ private: true, type: 'module' }));
  await install(folder, tarball);
  const settings = { HEADWATER_DATA_DIR: folder };
  const seeded = await runCommand(database.url, ['seed'], settings);
  if (seeded.code !== 0) throw new Error(seeded.output);
  const credentials = await readFile(path.join(folder, 'credentials.json'), 'utf8');
  const { keys } = JSON.parse(credentials) as Pick<InstalledClient, 'keys'>;
  const service = await ServiceProcess.start(database.url, settings);
  const node = async (...given: string[]) => (await run(process.execPath, given, { cwd: folder })).stdout;
  return {
    folder,
    tarball,
    url: service.url,
    keys,
    write,
    link: (name) => symlink(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name)),
    compile: async (file, ...options) => {
      await write('tsconfig.json', JSON.stringify({ compilerOptions, files: [file] }));
      return node('node_modules/typescript/bin/tsc', '-p', '.', ...options).catch(
        (error: { stdout: string }) => error.stdout,
      );
    },
    runProgram: async (command, ...options) => {
      const given = [service.url, keys.management];
      if (command === undefined) return JSON.parse(await node('app.js', ...given));
      return JSON.parse((await run(command, [...options, 'app.ts', ...given], { cwd: folder })).stdout);
    },
    headwater: (...options) => node('node_modules/.bin/headwater', ...options),
    close: async () => {
      await service.kill('SIGTERM');
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { verifies } from '../support/verifies.js';

const folder = '.github/workflows';
const run = promisify(execFile);

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<string, { readonly uses?: string; readonly needs?: string; readonly steps?: readonly Step[] }>
  >;
}

const workflows = await Promise.all(
  (await readdir(folder)).map(
    async (name) =>
      [name, parse(await readFile(path.join(folder, name), 'utf8'), { strict: true }) as Workflow] as const,
  ),
);
const steps = workflows.flatMap(([, { jobs }]) => Object.values(jobs).flatMap((job) => job.steps ?? []));
const commands = steps.flatMap((step) => step.run ?? []);

describe('The workflows', () => {
  it('run npm scripts, files and workflows that exist', () => {
    const scripts = commands.flatMap((text) =>
      [...text.matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name),
    );
    expect(scripts).toContain('package');
    expect(scripts.filter((name) => !(String(name) in packageJson.scripts))).toEqual([]);
    const files = commands.flatMap((text) => [...text.matchAll(/bash (\S+)/g)].map(([, name = '']) => name));
    const called = workflows.flatMap(([, { jobs }]) => Object.values(jobs).flatMap(({ uses }) => uses ?? []));
    expect([...files, ...called]).toEqual(['.ci/run', './.github/workflows/ci.yml']);
    for (const name of [...files, ...called]) expect(existsSync(name)).toBe(true);
  });

  it('use the Node of the project, may read only, and keep no credential', () => {
    for (const [, { permissions }] of workflows) expect(permissions).toEqual({ contents: 'read' });
    const [major] = packageJson.dependencies.node.split('.');
    for (const { uses = '', with: given } of steps) {
      if (uses.startsWith('actions/setup-node')) expect(String(given?.['node-version'])).toBe(major);
      if (uses.startsWith('actions/checkout')) expect(given?.['persist-credentials']).toBe(false);
    }
  });

  it('publish only what has passed every check', () => {
    const release = workflows.find(([name]) => name === 'release.yml')?.[1];
    expect(release?.jobs.release?.needs).toBe('check');
    expect(release?.jobs.check?.uses).toBe('./.github/workflows/ci.yml');
  });
});

describe('A release', () => {
  verifies('operation/releases');
  const { version } = packageJson;
  let checkout: string;
  let out: string;
  const step = async (name: string, cwd: string, tag = `v${version}`): Promise<void> => {
    const script = steps.find((one) => one.name === name)?.run;
    if (script === undefined) throw new Error(`There is no step “${name}”.`);
    const tools = [path.dirname(process.execPath), process.env.PATH].join(':');
    const env = { ...process.env, PATH: tools, OUT: out, GITHUB_REF_NAME: tag };
    await run('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd, env });
  };

  beforeAll(async () => {
    [checkout, out] = (await Promise.all(
      ['checkout', 'release'].map((name) => mkdtemp(path.join(tmpdir(), `headwater-${name}-`))),
    )) as [string, string];
    await copyFile('package.json', path.join(checkout, 'package.json'));
    await step('Make the archive', process.cwd());
    await step('List what it contains', process.cwd());
    await step('Sum up', process.cwd());
  }, 120_000);
  afterAll(() => Promise.all([checkout, out].map((one) => rm(one, { recursive: true, force: true }))));

  it('has the archive, a bill of materials and their checksums', async () => {
    const names = [`headwater-${version}.cdx.json`, `headwater-${version}.tgz`];
    expect((await readdir(out)).filter((name) => name.startsWith('headwater-')).sort()).toEqual(names);
    const { stdout } = await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: out });
    expect(stdout.split('\n').filter((line) => line.endsWith(': OK'))).toHaveLength(names.length);
  });

  it('lists every package of the archive with its version', async () => {
    const bill = JSON.parse(await readFile(path.join(out, `headwater-${version}.cdx.json`), 'utf8')) as {
      readonly components: readonly { readonly name: string; readonly version: string }[];
    };
    const lock = JSON.parse(await readFile(path.join(out, 'contents/package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly version: string }>>;
    };
    const installed = Object.entries(lock.packages).flatMap(([place, one]) =>
      place === '' ? [] : [`${place.replace(/^.*node_modules\//, '')}@${one.version}`],
    );
    const listed = bill.components.map((one) => `${one.name}@${one.version}`);
    expect([...new Set(listed)].sort()).toEqual([...new Set(installed)].sort());
    expect(bill.components.map((one) => one.name)).toEqual(
      expect.arrayContaining(['sharp', 'zod', 'sequelize']),
    );
  });

  it('is refused for a tag that is not the version', async () => {
    await expect(step('Compare the tag with the version', checkout)).resolves.toBeUndefined();
    await expect(step('Compare the tag with the version', checkout, 'v9.9.9')).rejects.toThrow();
  });

  it('takes the notes of its version, and is refused without any', async () => {
    const log = path.join(checkout, 'CHANGELOG.md');
    await writeFile(log, '# Changelog\n\n## [Unreleased]\n\n- Later\n');
    await expect(step('Take the notes of the version', checkout)).rejects.toThrow();
    await writeFile(log, `# Changelog\n\n## [${version}] - 2027-01-31\n\n- Now\n\n## [0.0.9]\n\n- Before\n`);
    await step('Take the notes of the version', checkout);
    const notes = await readFile(path.join(out, 'notes.md'), 'utf8');
    expect(notes).toContain('- Now');
    expect(notes).not.toContain('- Before');
  });
});

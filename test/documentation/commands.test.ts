import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { environment, runCommand, ServiceProcess } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { linkCheckout, runBlocks, type BlockResult } from './command-session.js';
import { declaredCommands, type DeclaredCommand } from './declared-commands.js';
import { readPages, root, type CodeBlock } from './pages.js';

const declaredLines = new Set(declaredCommands.map(({ line }) => line));
const pages = await readPages();
const blocks = pages.flatMap((page) => page.blocks).filter(({ language }) => language === 'sh');
const linesOf = ({ code }: CodeBlock): string[] => code.split('\n').filter((line) => line.trim() !== '');
const runnable = blocks
  .map((block) => ({
    ...block,
    code: linesOf(block)
      .filter((line) => !declaredLines.has(line))
      .join('\n'),
  }))
  .filter(({ code }) => code !== '');

const hasTool = (name: string): boolean => spawnSync(name, ['--version']).status === 0;
const describeWithShell = hasTool('bash') && hasTool('curl') ? describe : describe.skip;

describeWithShell('Runnable README commands', () => {
  let database: TestDatabase;
  let checkout: Awaited<ReturnType<typeof linkCheckout>>;
  let service: ServiceProcess;
  let results: BlockResult[];

  beforeAll(async () => {
    [database, checkout] = await Promise.all([createTestDatabase(), linkCheckout()]);
    const HEADWATER_DATA_DIR = path.join(checkout.folder, '.data');
    service = await ServiceProcess.start(database.url, { HEADWATER_DATA_DIR });
    const env = { HEADWATER_DATA_DIR, PUBLIC_BASE_URL: service.url };
    const { code, output } = await runCommand(database.url, ['seed'], env);
    if (code !== 0) throw new Error(output);
    results = await runBlocks(runnable, { folder: checkout.folder, env: environment(database.url, env) });
  }, 240_000);

  afterAll(async () => {
    await service.kill('SIGTERM');
    await Promise.all([database.drop(), checkout.remove()]);
  });

  it.each(runnable.map(({ page, line }, index) => [`${page}:${line}`, index] as const))(
    'run as written at %s',
    (_place, index) => {
      const { failed, output } = results[index] ?? { failed: true, output: 'not reached' };
      expect({ failed, output: failed ? output : '' }).toEqual({ failed: false, output: '' });
      expect(output).not.toMatch(/"isError":true|"errors":\[/);
    },
  );
});

/** Problems with a declared command that can be found without running it. */
async function reasonsAgainst({ line, file }: DeclaredCommand): Promise<string[]> {
  const scripts = [...line.matchAll(/\bnpm (?:run )?([a-z:-]+)/g)].map(([, name = '']) => name);
  const options = [...line.matchAll(/ --([a-z][a-z-]*)/g)].map(([, name = '']) => name);
  const files = line.match(/\btest\/[\w/.-]+/g) ?? [];
  const source = file === undefined ? undefined : await readFile(path.join(root, file), 'utf8');
  const [tool = ''] = line.split(' ');
  const help =
    tool.startsWith('p') && hasTool(tool) ? spawnSync(tool, ['--help']).stdout.toString() : undefined;
  return [
    ...scripts.filter((name) => !['ci', 'install'].includes(name) && !(name in packageJson.scripts)),
    ...files.filter((name) => !existsSync(path.join(root, name))),
    ...(source === undefined ? [] : options.filter((name) => !new RegExp(`\\b${name}\\b`).test(source))),
    ...(help === undefined ? [] : options.filter((name) => !help.includes(`--${name}`))),
  ];
}

describe('Declared README commands', () => {
  it.each(declaredCommands.map((command) => [command.line, command] as const))(
    'name existing scripts, files and options: %s',
    async (_line, command) => {
      expect(await reasonsAgainst(command)).toEqual([]);
      expect(command.reason).not.toBe('');
    },
  );

  it('all appear in a README', () => {
    const text = pages.map((page) => page.text).join('\n');
    expect(declaredCommands.map(({ line }) => line).filter((line) => !text.includes(line))).toEqual([]);
  });
});

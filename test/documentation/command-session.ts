import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root, type CodeBlock } from './pages.js';

export interface BlockResult {
  readonly failed: boolean;
  readonly output: string;
}

/** A checkout of symbolic links, so that commands write their files elsewhere. */
export async function linkCheckout(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'headwater-commands-'));
  const linkAll = async (from: string, names: readonly string[]): Promise<void> => {
    for (const name of names) await symlink(path.join(root, from, name), path.join(folder, from, name));
  };
  const names = await readdir(root);
  await linkAll(
    '',
    names.filter((name) => name !== '.data' && name !== 'src'),
  );
  await mkdir(path.join(folder, 'src'));
  await linkAll('src', await readdir(path.join(root, 'src')));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

const mark = '@@block';

/** Makes every failed command and every error status fail the block. */
const prelude = `
set -uE -o pipefail
curl() { command curl --fail-with-body "$@"; }
failed=0
trap 'failed=1' ERR
`;

/** Runs blocks in sequence in one shell, so they share variables. */
export async function runBlocks(
  blocks: readonly CodeBlock[],
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<BlockResult[]> {
  const script = blocks.map(({ code }) => `${code}\nprintf '\\n${mark} %s\\n' "$failed"; failed=0\n`);
  const child = spawn('bash', ['-c', `exec 2>&1\n${prelude}${script.join('')}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  const parts = output.split(new RegExp(`^${mark} (\\d)$`, 'm'));
  return blocks.map((_block, index) => ({
    output: parts[index * 2] ?? '',
    failed: parts[index * 2 + 1] !== '0',
  }));
}

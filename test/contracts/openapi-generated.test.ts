import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildGeneratedFiles, staleFiles } from '../../src/cli/generate/generated-files.js';

const root = path.resolve(import.meta.dirname, '../..');
let folder: string;
/** Built once because building takes seconds. */
const files = await buildGeneratedFiles(root);
const steps = 'src/persistence/migrations/steps';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'generated-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs the built command in a temporary folder: compilation must not change names in a document. */
function generate(...options: string[]): { status: number | null; errors: string } {
  const command = [path.join(root, 'dist/generate.js'), ...options];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8', env });
  return { status, errors: stderr };
}

describe('Generated files', () => {
  test('in the repository are up to date', async () => {
    expect(await staleFiles(root, files)).toEqual([]);
  });

  test('are the same every time', async () => {
    expect([...(await buildGeneratedFiles(root))]).toEqual([...files]);
  });

  test('are stale when missing', async () => {
    expect(await staleFiles(folder, files)).toEqual([...files.keys()]);
  });

  test('are written by the command, whose --check names stale ones', async () => {
    await cp(path.join(root, steps), path.join(folder, steps), { recursive: true });
    expect(generate()).toEqual({ status: 0, errors: '' });
    expect(generate('--check')).toEqual({ status: 0, errors: '' });
    await appendFile(path.join(folder, 'openapi/mcp-tools.json'), ' ');
    const { status, errors } = generate('--check');
    expect(status).toBe(1);
    expect(errors).toBe('openapi/mcp-tools.json is stale. Run npm run generate\n');
    expect(generate().status).toBe(0);
    const written = await readFile(path.join(folder, 'openapi/mcp-tools.json'), 'utf8');
    expect(written).toBe(files.get('openapi/mcp-tools.json'));
  }, 120_000);
});

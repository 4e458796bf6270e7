import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadOrCreateSecret } from '../../src/infrastructure/secret-file.js';

describe('a secret read from a file', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'headwater-secret-'));
  });

  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('creates a secret file once, private to its user, even with concurrent callers', async () => {
    const file = path.join(directory, 'below', 'session-secret');
    const secrets = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateSecret(file)));
    expect(new Set([...secrets, await loadOrCreateSecret(file)]).size).toBe(1);
    expect(Buffer.byteLength(secrets[0] ?? '')).toBeGreaterThanOrEqual(32);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(path.dirname(file))).toEqual(['session-secret']);
  });

  it('rejects a secret file that is too short', async () => {
    const file = path.join(directory, 'empty');
    await writeFile(file, '');
    await expect(loadOrCreateSecret(file)).rejects.toThrow(/holds no secret: restore its content, or remove/);
  });
});

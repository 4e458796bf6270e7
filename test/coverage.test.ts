import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { requirements } from './requirements.js';

const root = path.resolve('test');

/** Ids that a test file cites. */
async function citedIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8');
  return [...text.matchAll(/\bverifies\(([^)]*)\)/g)].flatMap(([, ids = '']) =>
    [...ids.matchAll(/'([^']+)'/g)].map(([, id = '']) => id),
  );
}

async function cited(): Promise<Set<string>> {
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.test.ts'));
  return new Set((await Promise.all(files.map((file) => citedIn(path.join(root, file))))).flat());
}

const all: [string, { source: string; deferred?: string }][] = Object.entries(requirements);

describe('The list of requirements', () => {
  it('has a proof for every rule that is not deferred', async () => {
    const proven = await cited();
    expect(
      all.filter(([id, { deferred }]) => deferred === undefined && !proven.has(id)).map(([id]) => id),
    ).toEqual([]);
  });

  it('knows every rule that a test cites, and none of them is still deferred', async () => {
    const proven = await cited();
    expect([...proven].filter((id) => !(id in requirements))).toEqual([]);
    expect(
      all.filter(([id, { deferred }]) => deferred !== undefined && proven.has(id)).map(([id]) => id),
    ).toEqual([]);
  });
});

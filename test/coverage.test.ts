import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { requirements } from './requirements/index.js';

const root = path.resolve('test');

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

describe('Requirements', () => {
  it('are each proven by a test, or deferred with a reason', async () => {
    const proven = await cited();
    expect(
      all.filter(([id, { deferred }]) => deferred === undefined && !proven.has(id)).map(([id]) => id),
    ).toEqual([]);
  });

  it('include every id that a test cites, and none of those is deferred', async () => {
    const proven = await cited();
    expect([...proven].filter((id) => !(id in requirements))).toEqual([]);
    expect(
      all.filter(([id, { deferred }]) => deferred !== undefined && proven.has(id)).map(([id]) => id),
    ).toEqual([]);
  });
});

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

/** The topics of the headings in contracts/README.md, and two of rules that no operation has. */
async function readTopics(): Promise<Set<string>> {
  const page = await readFile('contracts/README.md', 'utf8');
  const topics = [...page.matchAll(/^### ([a-z-]+)\//gm)].map(([, topic = '']) => topic);
  return new Set([...topics, 'architecture', 'operation']);
}

/** The ids as they are written; the object of all requirements has one of two equal ones only. */
async function readWrittenIds(): Promise<string[]> {
  const folder = path.join(root, 'requirements');
  const texts = await Promise.all(
    (await readdir(folder)).map((file) => readFile(path.join(folder, file), 'utf8')),
  );
  return texts.flatMap((text) => [...text.matchAll(/^ {2}'([^']+)': \{/gm)].map(([, id = '']) => id));
}

describe('Requirements', () => {
  it('are named topic/name, by words with hyphens, each once', async () => {
    const topics = await readTopics();
    const ids = all.map(([id]) => id);
    expect(ids.filter((id) => !/^[a-z]+\/[a-z]+(?:-[a-z]+)*$/.test(id))).toEqual([]);
    expect(ids.filter((id) => !topics.has(id.split('/')[0] ?? ''))).toEqual([]);
    expect((await readWrittenIds()).toSorted()).toEqual(ids.toSorted());
  });

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

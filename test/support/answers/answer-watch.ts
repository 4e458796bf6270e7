import { hash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { keyTreeOf, placesOf, visitKeys, type KeyTree } from './key-tree.js';

/** By operation and key path: the hash of the only value, or true if there were several. */
export type SeenValues = Record<string, Record<string, string | true>>;

interface Watched {
  readonly tree: KeyTree;
  readonly seen: Map<string, string | true>;
  /** Keys of which fewer than two values were seen. */
  open: number;
}

const hashOf = (value: unknown): string =>
  hash('sha1', JSON.stringify(value) ?? 'undefined', 'base64url').slice(0, 10);

/** Notes which keys of the answers of one test file took at least two values; it keeps no answer. */
export class AnswerWatch {
  readonly #operations = new Map<string, Watched>();

  /** Whether another answer of the operation could add something. */
  wants(operation: string): boolean {
    return (this.#operations.get(operation)?.open ?? 1) > 0;
  }

  answer(operation: string, output: z.ZodType, value: unknown): void {
    const watched = this.#watched(operation, output);
    visitKeys(watched.tree, value, (at, found) => {
      const known = watched.seen.get(at);
      if (known === true) return;
      const hashed = hashOf(found);
      if (known === undefined) watched.seen.set(at, hashed);
      else if (known !== hashed) {
        watched.seen.set(at, true);
        watched.open -= 1;
      }
    });
  }

  get seen(): SeenValues {
    return Object.fromEntries(
      [...this.#operations].map(([operation, { seen }]) => [operation, Object.fromEntries(seen)]),
    );
  }

  #watched(operation: string, output: z.ZodType): Watched {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    const tree = keyTreeOf(output);
    const watched = { tree, seen: new Map<string, string | true>(), open: placesOf(tree).length };
    this.#operations.set(operation, watched);
    return watched;
  }
}

/** One per test file: jest reloads the module for each. */
export const answerWatch = new AnswerWatch();
const file = `${randomUUID()}.json`;

/** Writes what the test file has seen so far, for the reporter. */
export async function writeAnswers(): Promise<void> {
  const folder = process.env.HEADWATER_ANSWER_RECORDS;
  if (folder === undefined) return;
  const target = path.join(folder, file);
  // Several databases of one worker may be dropped at once.
  const draft = `${target}.${randomUUID()}.new`;
  await writeFile(draft, JSON.stringify(answerWatch.seen));
  await rename(draft, target);
}

/** What all test files of the run have seen. */
export function mergeSeen(records: readonly SeenValues[]): SeenValues {
  const merged: SeenValues = {};
  for (const record of records)
    for (const [operation, paths] of Object.entries(record)) {
      const into = (merged[operation] ??= {});
      for (const [at, value] of Object.entries(paths))
        into[at] = into[at] === undefined || into[at] === value ? value : true;
    }
  return merged;
}

export async function readAnswers(folder: string): Promise<SeenValues> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return mergeSeen(texts.map((text) => JSON.parse(text) as SeenValues));
}

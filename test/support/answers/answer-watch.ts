import { hash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { z } from 'zod';
import { runningSuite } from '../worker.js';
import { keyTreeOf, placesOf, visitKeys, type KeyTree } from './key-tree.js';

/** What the answers of one operation had. */
interface SeenAnswers {
  readonly answers: number;
  /** By key path: true if there were several values, else the hash of the only one and the number of answers with it. */
  readonly keys: Readonly<Record<string, SeenValue>>;
}

export type SeenValue = true | readonly [hash: string, answers: number];

/** By operation. */
export type SeenValues = Record<string, SeenAnswers>;

interface Watched {
  readonly tree: KeyTree;
  readonly seen: Map<string, true | [hash: string, answers: number]>;
  answers: number;
  /** Keys of which fewer than two values were seen. */
  open: number;
}

const hashOf = (value: unknown): string =>
  hash('sha1', JSON.stringify(value) ?? 'undefined', 'base64url').slice(0, 10);

/** What the answers of one test file had. */
export interface SuiteAnswers {
  readonly suite: string;
  readonly seen: SeenValues;
}

/** Notes which keys of the answers of the running test file took at least two values; it keeps no answer. */
export class AnswerWatch {
  readonly #operations = new Map<string, Watched>();
  #suite = runningSuite();

  /** Whether another answer of the operation could add something. */
  wants(operation: string): boolean {
    this.#enter();
    return (this.#operations.get(operation)?.open ?? 1) > 0;
  }

  answer(operation: string, output: z.ZodType, value: unknown): void {
    this.#enter();
    const watched = this.#watched(operation, output);
    watched.answers += 1;
    const counted = new Set<string>();
    visitKeys(watched.tree, value, (at, found) => {
      const known = watched.seen.get(at);
      if (known === true) return;
      const hashed = hashOf(found);
      if (known === undefined) watched.seen.set(at, [hashed, 1]);
      else if (known[0] !== hashed) {
        watched.seen.set(at, true);
        watched.open -= 1;
      } else if (!counted.has(at)) known[1] += 1;
      counted.add(at);
    });
  }

  /** Of the running test file: empty if it had no answer, whatever the file before it in the worker had. */
  get seen(): SeenValues {
    this.#enter();
    return Object.fromEntries(
      [...this.#operations].map(([operation, { answers, seen }]) => [
        operation,
        { answers, keys: Object.fromEntries(seen) },
      ]),
    );
  }

  #enter(): void {
    const suite = runningSuite();
    if (suite === this.#suite) return;
    this.#suite = suite;
    this.#operations.clear();
  }

  #watched(operation: string, output: z.ZodType): Watched {
    const known = this.#operations.get(operation);
    if (known !== undefined) return known;
    const tree = keyTreeOf(output);
    const watched: Watched = { tree, seen: new Map(), answers: 0, open: placesOf(tree).length };
    this.#operations.set(operation, watched);
    return watched;
  }
}

/** One per worker. */
export const answerWatch = new AnswerWatch();

/** Writes what the running test file has seen so far, for the reporter. */
export async function writeAnswers(): Promise<void> {
  const folder = process.env.HEADWATER_ANSWER_RECORDS;
  if (folder === undefined) return;
  const noted: SuiteAnswers = { suite: runningSuite(), seen: answerWatch.seen };
  const target = path.join(folder, `${hash('sha1', noted.suite)}.json`);
  // Several databases of one worker may be dropped at once.
  const draft = `${target}.${randomUUID()}.new`;
  await writeFile(draft, JSON.stringify(noted));
  await rename(draft, target);
}

/** What is known of a value after both. */
export function mergeValues(one: SeenValue | undefined, other: SeenValue | undefined): SeenValue | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one === true || other === true || one[0] !== other[0]) return true;
  return [one[0], one[1] + other[1]];
}

function mergeKeys(one: SeenAnswers['keys'], other: SeenAnswers['keys']): SeenAnswers['keys'] {
  const merged = Object.entries(other).map(([at, value]) => [at, mergeValues(one[at], value)]);
  return { ...one, ...Object.fromEntries(merged) };
}

/** What all test files of the run have seen. */
export function mergeSeen(records: readonly SeenValues[]): SeenValues {
  const merged: SeenValues = {};
  for (const record of records)
    for (const [operation, { answers, keys }] of Object.entries(record)) {
      const known = merged[operation] ?? { answers: 0, keys: {} };
      merged[operation] = { answers: known.answers + answers, keys: mergeKeys(known.keys, keys) };
    }
  return merged;
}

export async function readAnswers(folder: string): Promise<SuiteAnswers[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.map((text) => JSON.parse(text) as SuiteAnswers);
}

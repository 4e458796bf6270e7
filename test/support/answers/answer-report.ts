import { registry } from '../../../contracts/index.js';
import type { OperationMeta } from '../../../contracts/metadata.js';
import type { z } from 'zod';
import { readAnswers, type SeenValues } from './answer-watch.js';
import { constantKeys } from './constant-keys.js';
import { keyTreeOf, placesOf, type KeyPlace } from './key-tree.js';

export interface AnswerReport {
  readonly summary: string;
  /** Keys that no operation gave a second value: `Site.isActive: one value`. */
  readonly missing: readonly string[];
}

interface Contract {
  readonly _def: { readonly meta?: OperationMeta; readonly output?: z.ZodType };
}

type Expected = Readonly<Record<string, readonly KeyPlace[]>>;

/** The keys of every operation whose output is JSON. */
export function expectedKeys(): Expected {
  const contracts = Object.entries(registry).flatMap(([group, record]) =>
    Object.entries(record).map(
      ([verb, contract]) => [`${group}.${verb}`, contract as unknown as Contract] as const,
    ),
  );
  return Object.fromEntries(
    contracts.flatMap(
      ([
        name,
        {
          _def: { output, meta },
        },
      ]) =>
        output === undefined || meta?.openapi?.textResponse !== undefined
          ? []
          : [[name, placesOf(keyTreeOf(output))] as const],
    ),
  );
}

/** Keys without the id of a shape belong to their operation. */
const nameOf = (operation: string, { path, key }: KeyPlace): string =>
  key === path ? `${operation} ${path}` : key;

/** @param isWhole all test files ran, so operations without an answer are missing, too */
export function reportOf(expected: Expected, seen: SeenValues, isWhole: boolean): AnswerReport {
  const values = new Map<string, Set<string | true>>();
  for (const [operation, places] of Object.entries(expected)) {
    const found = seen[operation];
    if (found === undefined && !isWhole) continue;
    for (const place of places) {
      const name = nameOf(operation, place);
      const known = values.get(name) ?? new Set();
      const value = found?.[place.path];
      values.set(name, value === undefined ? known : known.add(value));
    }
  }
  const missing = [...values]
    .filter(([name, found]) => !found.has(true) && found.size < 2 && !(name in constantKeys))
    .map(([name, { size }]) => `${name}: ${size === 0 ? 'no value' : 'one value'}`);
  const summary = `${String(missing.length)} of ${String(values.size)} keys took fewer than two values`;
  return { summary, missing: missing.sort() };
}

export async function reportAnswers(folder: string, isWhole: boolean): Promise<AnswerReport> {
  return reportOf(expectedKeys(), await readAnswers(folder), isWhole);
}

import { registry } from '../../../contracts/index.js';
import type { OperationMeta } from '../../../contracts/metadata.js';
import type { z } from 'zod';
import { mergeValues, type SeenValue, type SeenValues } from './answer-watch.js';
import { constantKeys } from './constant-keys.js';
import { keyTreeOf, placesOf, type KeyPlace } from './key-tree.js';

export interface AnswerReport {
  readonly summary: string;
  /** Keys that no operation gave a second value: `Site.isActive: one value`. */
  readonly missing: readonly string[];
  /** Exceptions that took two values. */
  readonly needless: readonly string[];
}

/** What is known of a key in all operations that have it. */
interface KeyValues {
  readonly value: SeenValue | undefined;
  /** Answers of these operations. */
  readonly answers: number;
}

/** One answer proves nothing: a new operation may be called once. */
const JUDGED_ANSWERS = 2;

/** Why a key may be a placeholder; undefined if it took two values, or too few answers had it. */
function complaintOf({ value, answers }: KeyValues): string | undefined {
  if (value === true) return undefined;
  if (value === undefined) return answers >= JUDGED_ANSWERS ? 'no value' : undefined;
  return value[1] >= JUDGED_ANSWERS ? 'one value' : undefined;
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

/** What is not judged. */
export interface Excuses {
  readonly exceptions: Readonly<Record<string, string>>;
  /** Operations that skipped suites would have called: keys of their answers are not judged. */
  readonly skipped: ReadonlySet<string>;
}

/** Of the operations that tests called. */
export function reportOf(
  expected: Expected,
  seen: SeenValues,
  { exceptions, skipped }: Excuses,
): AnswerReport {
  const values = new Map<string, KeyValues>();
  for (const [operation, places] of Object.entries(expected)) {
    const found = seen[operation];
    if (found === undefined) continue;
    for (const place of places) {
      const name = nameOf(operation, place);
      const known = values.get(name);
      const value = mergeValues(known?.value, found.keys[place.path]);
      values.set(name, { value, answers: (known?.answers ?? 0) + found.answers });
    }
  }
  const unjudged = new Set(
    Object.entries(expected).flatMap(([operation, places]) =>
      skipped.has(operation) ? places.map((place) => nameOf(operation, place)) : [],
    ),
  );
  const complaints = [...values].flatMap(([name, known]) => {
    const complaint = complaintOf(known);
    return complaint === undefined ? [] : [{ name, complaint }];
  });
  const missing = complaints.filter(({ name }) => !Object.hasOwn(exceptions, name) && !unjudged.has(name));
  return {
    summary: `${String(missing.length)} of ${String(values.size)} keys took fewer than two values`,
    missing: missing.map(({ name, complaint }) => `${name}: ${complaint}`).sort(),
    needless: Object.keys(exceptions).filter((name) => values.get(name)?.value === true),
  };
}

export const reportAnswers = (seen: SeenValues, skipped: ReadonlySet<string>): AnswerReport =>
  reportOf(expectedKeys(), seen, { exceptions: constantKeys, skipped });

import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { secretKinds, type SecretKind } from './secret-places.js';
import type { LookedAt, SecretFinding, WatchedPlace } from './secret-watch.js';

/** What one look at the end of one database left behind; `looked` is absent while the database is in use. */
export interface WatchRecord {
  readonly suite: string;
  readonly looked?: LookedAt;
}

/** What the looks of a whole run come to. */
export interface Verdict {
  /** One line each; empty where all is well. */
  readonly complaints: readonly string[];
  /** One line of how much was looked at. */
  readonly summary: string;
}

/** Where the suites of a run leave their records; undefined outside of such a run. */
const directory = (): string | undefined => process.env.HEADWATER_SECRET_RECORDS;

async function thisSuite(): Promise<string> {
  const { expect } = await import('@jest/globals');
  return path.relative(process.cwd(), expect.getState().testPath ?? 'unknown');
}

/** Notes that a database is in use; what is answered notes what the look at its end came to. */
export async function openRecord(): Promise<((looked: LookedAt) => Promise<void>) | undefined> {
  const into = directory();
  if (into === undefined) return undefined;
  const suite = await thisSuite();
  const file = path.join(into, `${randomUUID()}.json`);
  const write = async (record: WatchRecord): Promise<void> => {
    await writeFile(`${file}.new`, JSON.stringify(record));
    await rename(`${file}.new`, file);
  };
  await write({ suite });
  return (looked) => write({ suite, looked });
}

/** All records of a run. */
export async function readRecords(from: string): Promise<WatchRecord[]> {
  const files = (await readdir(from)).filter((name) => name.endsWith('.json'));
  return Promise.all(
    files.map(async (name) => JSON.parse(await readFile(path.join(from, name), 'utf8')) as WatchRecord),
  );
}

const told = (suite: string, { kind, place, where }: SecretFinding): string =>
  `${suite}: ${kind} in ${place} (${where})`;

function sum<Key extends string>(counts: readonly Partial<Record<Key, number>>[], key: Key): number {
  return counts.reduce((total, count) => total + (count[key] ?? 0), 0);
}

/**
 * Judges a run: no secret where none may stand, no database that went without a look.
 * @param isWhole whether every suite ran: then each kind of secret and of place must have been met as well
 */
export function judge(records: readonly WatchRecord[], isWhole: boolean): Verdict {
  const looked = records.flatMap((record) => record.looked ?? []);
  const secrets = looked.map((look) => look.secrets);
  const looks = looked.map((look) => look.looks);
  const places = ['log line', 'answer', 'stored row'] as const satisfies readonly WatchedPlace[];
  const suites = new Set(records.map(({ suite }) => suite)).size;
  const never = (what: SecretKind | WatchedPlace): string =>
    `the whole run met no ${what}: the look is blind`;
  const blind = isWhole
    ? [
        ...secretKinds.filter((kind) => sum(secrets, kind) === 0),
        ...places.filter((place) => sum(looks, place) === 0),
      ]
    : [];
  const complaints = [
    ...records.flatMap(
      ({ suite, looked: look }) => look?.findings.map((finding) => told(suite, finding)) ?? [],
    ),
    ...records.flatMap((record) =>
      record.looked === undefined ? [`${record.suite}: a database was never looked at`] : [],
    ),
    ...blind.map(never),
  ];
  const count = secretKinds.reduce((total, kind) => total + sum(secrets, kind), 0);
  const seen = places.map((place) => `${sum(looks, place)} ${place}s`).join(', ');
  return { complaints: [...new Set(complaints)], summary: `${count} secrets of ${suites} suites, ${seen}` };
}

import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { secretKinds, type SecretKind } from './secret-places.js';
import type { LookedAt, SecretFinding, WatchedPlace } from './secret-watch.js';

/** The search result of one database; `looked` is absent while it is in use. */
export interface WatchRecord {
  readonly suite: string;
  readonly looked?: LookedAt;
}

export interface Verdict {
  /** One line per failure. */
  readonly complaints: readonly string[];
  /** One line of totals. */
  readonly summary: string;
}

/** Folder for records; undefined outside a test run. */
const directory = (): string | undefined => process.env.HEADWATER_SECRET_RECORDS;

async function thisSuite(): Promise<string> {
  const { expect } = await import('@jest/globals');
  return path.relative(process.cwd(), expect.getState().testPath ?? 'unknown');
}

/** Records that a database is in use; the returned function records its search result. */
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

export async function readRecords(from: string): Promise<WatchRecord[]> {
  const files = (await readdir(from)).filter((name) => name.endsWith('.json'));
  return Promise.all(
    files.map(async (name) => JSON.parse(await readFile(path.join(from, name), 'utf8')) as WatchRecord),
  );
}

const describeFinding = (suite: string, { kind, place, where }: SecretFinding): string =>
  `${suite}: ${kind} in ${place} (${where})`;

function sum<Key extends string>(counts: readonly Partial<Record<Key, number>>[], key: Key): number {
  return counts.reduce((total, count) => total + (count[key] ?? 0), 0);
}

/**
 * Fails for any secret found and any database never searched. @param isWhole all suites ran, so each kind of
 * secret and place must have occurred
 */
export function judge(records: readonly WatchRecord[], isWhole: boolean): Verdict {
  const looked = records.flatMap((record) => record.looked ?? []);
  const secrets = looked.map((look) => look.secrets);
  const looks = looked.map((look) => look.looks);
  const places = ['log line', 'answer', 'stored row'] as const satisfies readonly WatchedPlace[];
  const suites = new Set(records.map(({ suite }) => suite)).size;
  const never = (what: SecretKind | WatchedPlace): string =>
    `the whole run contained no ${what}, so the search proves nothing`;
  const blind = isWhole
    ? [
        ...secretKinds.filter((kind) => sum(secrets, kind) === 0),
        ...places.filter((place) => sum(looks, place) === 0),
      ]
    : [];
  const complaints = [
    ...records.flatMap(
      ({ suite, looked: look }) => look?.findings.map((finding) => describeFinding(suite, finding)) ?? [],
    ),
    ...records.flatMap((record) =>
      record.looked === undefined ? [`${record.suite}: a database was never searched`] : [],
    ),
    ...blind.map(never),
  ];
  const count = secretKinds.reduce((total, kind) => total + sum(secrets, kind), 0);
  const seen = places.map((place) => `${sum(looks, place)} ${place}s`).join(', ');
  return { complaints: [...new Set(complaints)], summary: `${count} secrets of ${suites} suites, ${seen}` };
}

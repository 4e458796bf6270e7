import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runningSuite } from '../worker.js';
import { secretKinds, secretPlaces, type SecretKind } from './secret-places.js';
import { SecretWatch, type LookedAt, type SecretFinding, type WatchedPlace } from './secret-watch.js';
import { lookAtRows } from './stored-rows.js';

/** What one test file left in a database. */
export interface WatchRecord {
  readonly suite: string;
  /** Absent while the database is in use. */
  readonly looked?: LookedAt;
  /** Rows that are searched after the run, because other test files use the database as well. */
  readonly rows?: SharedRows;
}

interface SharedRows {
  readonly databaseUrl: string;
  readonly secrets: readonly (readonly [secret: string, kind: SecretKind])[];
}

export interface Verdict {
  /** One line per failure. */
  readonly complaints: readonly string[];
  /** One line of totals. */
  readonly summary: string;
}

/** Folder for records; undefined outside a test run. */
const directory = (): string | undefined => process.env.HEADWATER_SECRET_RECORDS;

/** Records that the running test file uses a database; the returned function records its search result. */
export async function openRecord(): Promise<
  ((found: Omit<WatchRecord, 'suite'>) => Promise<void>) | undefined
> {
  const into = directory();
  if (into === undefined) return undefined;
  const suite = runningSuite();
  const file = path.join(into, `${randomUUID()}.json`);
  const write = async (record: WatchRecord): Promise<void> => {
    await writeFile(`${file}.new`, JSON.stringify(record));
    await rename(`${file}.new`, file);
  };
  await write({ suite });
  return (found) => write({ suite, ...found });
}

async function storedRecords(from: string): Promise<WatchRecord[]> {
  const files = (await readdir(from)).filter((name) => name.endsWith('.json'));
  return Promise.all(
    files.map(async (name) => JSON.parse(await readFile(path.join(from, name), 'utf8')) as WatchRecord),
  );
}

/** Searches the rows of a database that several test files used for the secrets of all of them. */
async function searchRows(databaseUrl: string, records: readonly WatchRecord[]): Promise<WatchRecord> {
  const suites = [...new Set(records.map(({ suite }) => suite))];
  const owners = new Map<string, string>();
  const watch = new SecretWatch((secret) => owners.get(secret));
  for (const { suite, rows } of records)
    for (const [secret, kind] of rows?.secrets ?? []) {
      watch.learn(secret, kind);
      owners.set(secret, suite);
    }
  const suite = `rows of ${String(suites.length)} test files`;
  try {
    await lookAtRows(databaseUrl, watch);
  } catch {
    return { suite };
  }
  // The secrets are counted by the records of their test files.
  const { looks, findings } = watch.settle();
  return { suite, looked: { secrets: {}, looks, findings } };
}

/** What the test files of the run left behind, without secrets. */
export async function readRecords(from: string): Promise<WatchRecord[]> {
  const records = await storedRecords(from);
  const shared = Map.groupBy(
    records.filter(({ rows }) => rows !== undefined),
    ({ rows }) => rows?.databaseUrl ?? '',
  );
  const searched: WatchRecord[] = [];
  for (const [databaseUrl, ofDatabase] of shared) searched.push(await searchRows(databaseUrl, ofDatabase));
  return [...records.map(({ suite, looked }) => ({ suite, ...(looked && { looked }) })), ...searched];
}

const describeFinding = (suite: string, { kind, place, where, owner }: SecretFinding): string =>
  `${owner ?? suite}: ${kind} in ${place} (${where})`;

function sum<Key extends string>(counts: readonly Partial<Record<Key, number>>[], key: Key): number {
  return counts.reduce((total, count) => total + (count[key] ?? 0), 0);
}

/** What a run should contain. */
export interface Judged {
  /** All suites ran or were skipped, so each kind of secret and place must have occurred. */
  readonly isWhole: boolean;
  /** Operations that skipped suites would have called: the secrets that these take and return may be missing. */
  readonly skipped: ReadonlySet<string>;
}

/** Kinds of secrets that these operations take or return. */
function kindsOf(operations: ReadonlySet<string>): ReadonlySet<SecretKind> {
  const places = [...operations].flatMap((name) => secretPlaces[name] ?? []);
  return new Set(places.flatMap(({ given, shown }) => Object.values({ ...given, ...shown })));
}

/** Fails for any secret found and any database never searched. */
export function judge(records: readonly WatchRecord[], { isWhole, skipped }: Judged): Verdict {
  const looked = records.flatMap((record) => record.looked ?? []);
  const secrets = looked.map((look) => look.secrets);
  const looks = looked.map((look) => look.looks);
  const places = ['log line', 'answer', 'stored row'] as const satisfies readonly WatchedPlace[];
  const suites = new Set(records.map(({ suite }) => suite)).size;
  const never = (what: SecretKind | WatchedPlace): string =>
    `the whole run contained no ${what}, so the search proves nothing`;
  const excused = kindsOf(skipped);
  const blind = isWhole
    ? [
        ...secretKinds.filter((kind) => sum(secrets, kind) === 0 && !excused.has(kind)),
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

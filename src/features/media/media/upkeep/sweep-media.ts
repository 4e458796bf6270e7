import { opendir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { hasErrorCode } from '../../../../infrastructure/errno.js';
import { limits } from '../../../../../contracts/limits.js';
import {
  EXPORTS,
  IMPORTS,
  UPLOADS,
  type MediaStorage,
  RENDITIONS,
  type StoredObject,
} from '../../../../infrastructure/storage/media-storage.js';
import { orUndefined } from '../../../../infrastructure/promises.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** An upload or download that still runs is younger. */
const isAbandoned = (modifiedAt: Date, now: Date, days = 1): boolean =>
  now.getTime() - modifiedAt.getTime() > days * DAY_MS;

/** Objects that are kept for some days only. Those of jobs outlive their jobs, so that no job lacks its archive. */
const temporary: readonly (readonly [prefix: string, days: number])[] = [
  [UPLOADS, 1],
  [EXPORTS, limits.translationJobDays + 1],
  [IMPORTS, limits.translationJobDays + 1],
];

async function sweepStaging(staging: string, now: Date): Promise<number> {
  let removed = 0;
  try {
    for await (const { name } of await opendir(staging)) {
      const file = path.join(staging, name);
      const found = await orUndefined(stat(file));
      if (found?.isFile() !== true || !isAbandoned(found.mtime, now)) continue;
      await rm(file, { force: true });
      removed += 1;
    }
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw error;
  }
  return removed;
}

/**
 * Removes temporary files and incomplete uploads that a process or a client has left behind for a day, and archives of
 * expired jobs.
 * @returns how many
 */
export async function sweepAbandoned(storage: MediaStorage, now: Date): Promise<number> {
  let removed = await sweepStaging(storage.staging, now);
  for (const [prefix, days] of temporary)
    for await (const { key, modifiedAt } of storage.list(prefix)) {
      if (!isAbandoned(modifiedAt, now, days)) continue;
      await storage.remove(key);
      removed += 1;
    }
  return removed;
}

/** What the rows of all tenants say. */
export interface NamedFiles {
  /** Those of the tenant's keys that a row names; none for an unknown tenant. */
  named(tenantId: string, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Every key that a row names. */
  all(): AsyncIterable<string>;
  tenantIds(): Promise<readonly string[]>;
}

interface SweepOptions {
  readonly storage: MediaStorage;
  readonly names: NamedFiles;
  readonly now: Date;
  /** Otherwise only reports. */
  readonly removes: boolean;
  report(line: string): void;
}

interface SweepResult {
  readonly objects: number;
  /** Objects that no row names. */
  readonly orphans: number;
  readonly orphanBytes: number;
  /** Rows without an object. */
  readonly missing: number;
}

const BATCH = 500;
/** Have times of their own; see `sweepAbandoned`. */
const TEMPORARY = [UPLOADS, EXPORTS, IMPORTS];
const isTemporary = (key: string): boolean => TEMPORARY.some((prefix) => key.startsWith(prefix));

async function* batchesOf<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const tenantOf = (key: string): string => key.split('/')[0] ?? '';

/** `renditions/{checksum}/…` belongs to the original of every tenant that has the content. */
const originalOf = (key: string, tenantId: string): string => {
  const checksum = key.split('/')[1] ?? '';
  return `${tenantId}/${checksum.slice(0, 2)}/${checksum}`;
};

async function orphansAmong(
  objects: readonly StoredObject[],
  { names }: SweepOptions,
): Promise<StoredObject[]> {
  const byTenant = Map.groupBy(objects, ({ key }) => tenantOf(key));
  const orphans: StoredObject[] = [];
  for (const [tenantId, own] of byTenant) {
    const named = await names.named(
      tenantId,
      own.map(({ key }) => key),
    );
    orphans.push(...own.filter(({ key }) => !named.has(key)));
  }
  return orphans;
}

async function orphanRenditions(
  objects: readonly StoredObject[],
  { names }: SweepOptions,
): Promise<StoredObject[]> {
  let left = objects;
  for (const tenantId of await names.tenantIds()) {
    if (left.length === 0) break;
    const named = await names.named(tenantId, [...new Set(left.map(({ key }) => originalOf(key, tenantId)))]);
    left = left.filter(({ key }) => !named.has(originalOf(key, tenantId)));
  }
  return [...left];
}

/** A new upload of the same content renews the time of an object just before it names it. */
async function remove({ key }: StoredObject, { storage, now }: SweepOptions): Promise<boolean> {
  const current = await storage.head(key);
  if (current === undefined || !isAbandoned(current.modifiedAt, now)) return false;
  await storage.remove(key);
  return true;
}

async function countMissing({ names, storage, report }: SweepOptions): Promise<number> {
  let missing = 0;
  for await (const key of names.all()) {
    if ((await storage.head(key)) !== undefined) continue;
    missing += 1;
    report(`missing ${key}`);
  }
  return missing;
}

/** Finds objects without rows, which it removes if it may, and rows without objects, which it only reports. */
export async function sweepMedia(options: SweepOptions): Promise<SweepResult> {
  const { storage, now, removes, report } = options;
  let [objects, orphanCount, orphanBytes] = [0, 0, 0];
  for await (const batch of batchesOf(storage.list(''))) {
    objects += batch.length;
    const old = batch.filter(({ key, modifiedAt }) => !isTemporary(key) && isAbandoned(modifiedAt, now));
    const [renditions, originals] = [true, false].map((wanted) =>
      old.filter(({ key }) => key.startsWith(RENDITIONS) === wanted),
    );
    const orphans = [
      ...(await orphansAmong(originals ?? [], options)),
      ...(await orphanRenditions(renditions ?? [], options)),
    ];
    for (const orphan of orphans) {
      if (removes && !(await remove(orphan, options))) continue;
      orphanCount += 1;
      orphanBytes += orphan.size;
      report(`${removes ? 'removed' : 'orphan'} ${orphan.key} (${String(orphan.size)} bytes)`);
    }
  }
  return { objects, orphans: orphanCount, orphanBytes, missing: await countMissing(options) };
}

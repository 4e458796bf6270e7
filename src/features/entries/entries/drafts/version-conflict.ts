import { AppError } from '../../../../../contracts/errors.js';
import { changesIn } from '../../../../content/blocks/changed-paths.js';
import { isObject } from '../../../../content/exact-json/is-object.js';

import { mergeChanges } from '../../../../content/blocks/block-changes.js';
import { normalizeSlug } from '../../../../content/slug-field.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { HistoryRepository, snapshotValues, type Snapshot } from '../history.repository.js';
import { localeOf, valuesOf, type StoredEntry } from '../stored-entry.js';

/** A change based on an outdated version, as the caller sent it. */
export interface StaleChange {
  readonly version: number;
  readonly locale: string;
  readonly fields: FieldValues;
  readonly slug: string | undefined;
}

/** What the caller saw. */
export interface StaleBase extends StaleChange {
  /** Undefined if there is no such version. */
  readonly base: Snapshot | undefined;
}

export const valuesSeen = ({ base, locale }: StaleBase): FieldValues =>
  base === undefined ? {} : snapshotValues(base, locale);

const slugSeen = ({ base, locale }: StaleBase): string | undefined =>
  base?.locales.find((known) => known.locale === locale)?.slug;

export async function readBase(work: UnitOfWork, entry: StoredEntry, stale: StaleChange): Promise<StaleBase> {
  const base = await work.use(HistoryRepository).snapshotAt(entry.id, stale.version, stale.locale);
  const slug = stale.slug === undefined ? undefined : normalizeSlug(stale.slug);
  return { ...stale, slug, base };
}

/** Undefined where the change does not reach. */
function givenAt(fields: FieldValues, path: string): unknown {
  const [, name = '', id, rest] = /^([^[]+)(?:\[([^\]]+)\]\.(.+))?$/.exec(path) ?? [];
  const value = fields[name];
  if (rest === undefined) return value;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const block = items.filter(isObject).find((item) => item._ref === id || item._id === id);
  return isObject(block?.fields) ? givenAt(block.fields, rest) : undefined;
}

/**
 * 409 with base, current and requested value of what changed since, by path; of the slug only if one was sent (rule
 * entries/write).
 */
export function versionConflict(entry: StoredEntry, stale: StaleBase): AppError {
  const { slug, locale, fields } = stale;
  const changes = changesIn(valuesSeen(stale), valuesOf(entry, locale)).map(({ path, from, to }) => ({
    field: path,
    base: from ?? null,
    current: to ?? null,
    yours: givenAt(fields, path) ?? from ?? null,
  }));
  const was = slugSeen(stale);
  const is = localeOf(entry, locale)?.slug;
  const ofSlug = { field: '_slug', base: was ?? null, current: is ?? null, yours: slug ?? was ?? null };
  return new AppError('version_conflict', {
    expectedVersion: stale.version,
    currentVersion: entry.version,
    updatedAt: entry.updatedAt.toISOString(),
    updatedBy: entry.updatedBy,
    changedFields: slug === undefined || was === is ? changes : [...changes, ofSlug],
  });
}

/**
 * The values with both changes.
 * @param wanted what the change makes of the values that the caller saw
 * @throws AppError 409 `version_conflict` if both changed the same, to different values
 */
export function mergeStale(entry: StoredEntry, stale: StaleBase, wanted: FieldValues): FieldValues {
  const current = localeOf(entry, stale.locale)?.slug;
  const isSlugTaken = stale.slug !== undefined && current !== slugSeen(stale) && current !== stale.slug;
  const base = valuesSeen(stale);
  const { values, conflicts } = mergeChanges({ base, mine: wanted, theirs: valuesOf(entry, stale.locale) });
  if (isSlugTaken || conflicts.length > 0) throw versionConflict(entry, stale);
  return values;
}

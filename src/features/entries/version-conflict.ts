import { AppError } from '../../../contracts/errors.js';
import { isEqualJson } from '../../content/canonical-json.js';
import type { FieldValues } from '../../content/validate-fields.js';
import type { EntryRepository } from './entry.repository.js';
import { localeOf, type StoredEntry } from './stored-entry.js';

/** What a caller with an old version wanted. */
export interface StaleChange {
  readonly version: number;
  readonly locale: string;
  readonly fields: FieldValues;
}

/**
 * The 409 of an update on an old version (decisions 2.9): for each field that changed since, its
 * value then, its value now, and the caller's.
 */
export async function versionConflict(
  entries: EntryRepository,
  entry: StoredEntry,
  stale: StaleChange,
): Promise<AppError> {
  const base = (await entries.valuesAt(entry.id, stale.version, stale.locale)) ?? {};
  const current = { ...entry.sharedFields, ...localeOf(entry, stale.locale)?.fields };
  const names = [...new Set([...Object.keys(base), ...Object.keys(current)])];
  const changedFields = names
    .filter((field) => !isEqualJson(base[field], current[field]))
    .map((field) => ({
      field,
      base: base[field] ?? null,
      current: current[field] ?? null,
      yours: (field in stale.fields ? stale.fields[field] : base[field]) ?? null,
    }));
  return new AppError('version_conflict', {
    expectedVersion: stale.version,
    currentVersion: entry.version,
    updatedAt: entry.updatedAt.toISOString(),
    updatedBy: entry.updatedBy,
    changedFields,
  });
}

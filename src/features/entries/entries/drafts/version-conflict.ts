import { AppError } from '../../../../../contracts/errors.js';
import { isEqualJson } from '../../../../content/exact-json/canonical-json.js';
import type { FieldValues } from '../../../../content/validate-fields.js';
import { snapshotValues, type Snapshot } from '../history.repository.js';
import { localeOf, valuesOf, type StoredEntry } from '../stored-entry.js';

/** A change based on an outdated version. */
export interface StaleChange {
  readonly version: number;
  readonly locale: string;
  readonly fields: FieldValues;
  readonly slug: string | undefined;
  /** Snapshot of that version, if it exists. */
  readonly base: Snapshot | undefined;
}

interface ChangedField {
  readonly field: string;
  readonly base: unknown;
  readonly current: unknown;
}

/** Fields changed since the caller's version; the slug as `_slug`. */
function changesSince(entry: StoredEntry, { locale, base }: StaleChange): ChangedField[] {
  const state = localeOf(entry, locale);
  const was: FieldValues =
    base === undefined
      ? {}
      : {
          ...snapshotValues(base, locale),
          _slug: base.locales.find((known) => known.locale === locale)?.slug,
        };
  const is: FieldValues = { ...valuesOf(entry, locale), _slug: state?.slug };
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((field) => !isEqualJson(was[field], is[field]))
    .map((field) => ({ field, base: was[field] ?? null, current: is[field] ?? null }));
}

/** True if no requested field has changed since, or its value is already the requested one. */
export function isDisjoint(entry: StoredEntry, stale: StaleChange): boolean {
  if (stale.base === undefined || stale.version > entry.version) return false;
  const wanted: FieldValues = { ...stale.fields, ...(stale.slug !== undefined && { _slug: stale.slug }) };
  return changesSince(entry, stale).every(
    ({ field, current }) => !(field in wanted) || isEqualJson(wanted[field], current),
  );
}

/** 409 with base, current and requested value of each changed field; of the slug only if one was sent (rule entries/write). */
export function versionConflict(entry: StoredEntry, stale: StaleChange): AppError {
  const changedFields = changesSince(entry, stale)
    .filter(({ field }) => field !== '_slug' || stale.slug !== undefined)
    .map(({ field, base, current }) => {
      const isWanted = field === '_slug' || field in stale.fields;
      const wanted = field === '_slug' ? stale.slug : stale.fields[field];
      return { field, base, current, yours: (isWanted ? wanted : base) ?? null };
    });
  return new AppError('version_conflict', {
    expectedVersion: stale.version,
    currentVersion: entry.version,
    updatedAt: entry.updatedAt.toISOString(),
    updatedBy: entry.updatedBy,
    changedFields,
  });
}

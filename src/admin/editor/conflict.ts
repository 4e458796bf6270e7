import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import type { Failure } from '../api/failure.js';
import { rebased, withField, withSlug, type Content, type Draft } from './draft.js';

/** In conflicts the slug is a field of this name. */
export const SLUG = '_slug';

export interface ConflictingField {
  readonly field: string;
  readonly base: unknown;
  readonly current: unknown;
  readonly yours: unknown;
}

/** What the service says of a save that is based on an outdated version. */
export interface Conflict {
  readonly currentVersion: number;
  readonly updatedBy: string;
  /** Changed by both. */
  readonly disputed: readonly ConflictingField[];
  /** Changed by the other one only. */
  readonly others: readonly string[];
}

interface ConflictDetails {
  readonly currentVersion: number;
  readonly updatedBy: { readonly name: string };
  readonly changedFields: readonly ConflictingField[];
}

/** A field of which this user changed nothing has the value of its base. */
export function conflictOf({ details }: Failure): Conflict {
  const { currentVersion, updatedBy, changedFields } = details as unknown as ConflictDetails;
  const isDisputed = ({ base, current, yours }: ConflictingField): boolean =>
    !isEqualJson(yours, base) && !isEqualJson(yours, current);
  return {
    currentVersion,
    updatedBy: updatedBy.name,
    disputed: changedFields.filter(isDisputed),
    others: changedFields.filter((field) => !isDisputed(field)).map(({ field }) => field),
  };
}

/** The draft on top of the other one's version, with the other one's values in the fields of `theirs`. */
export function settled(draft: Draft, saved: Content, theirs: readonly string[]): Draft {
  const next = rebased(draft, saved);
  return theirs.reduce(
    (settling, field) =>
      field === SLUG ? withSlug(settling, saved.slug) : withField(settling, field, saved.fields[field]),
    next,
  );
}

import type { Failure } from '../api/failure.js';
import { hasOrphan, isSame, outlineOf, ownBlocksOf } from './merge-typed.js';
import { valueAt } from './paths.js';
import { rebased, SLUG, withSlug, type Content, type Draft } from './draft.js';

interface ChangedField {
  /** Path, such as `sections[<id>].title`. */
  readonly field: string;
  readonly base: unknown;
  readonly current: unknown;
}

export interface ConflictingField extends ChangedField {
  readonly yours: unknown;
  /** This user has removed the block that has the field. */
  readonly isRemoved: boolean;
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
  readonly changedFields: readonly ChangedField[];
}

/** What this user has made of a field that someone else has changed. */
function typedIn({ now }: Draft, changed: ChangedField): ConflictingField {
  if (changed.field === SLUG) return { ...changed, yours: now.slug, isRemoved: false };
  const { isThere, value } = valueAt(now.fields, changed.field);
  return { ...changed, yours: value ?? null, isRemoved: !isThere };
}

/** Of lists with blocks, their order is compared: fields of blocks are changed fields themselves. */
function isDisputed({ base, current, yours, isRemoved }: ConflictingField): boolean {
  if (isRemoved) return true;
  const blocks = { base: ownBlocksOf(base), saved: ownBlocksOf(current), typed: ownBlocksOf(yours) };
  if (Object.values(blocks).every(({ size }) => size === 0))
    return !isSame(yours, base) && !isSame(yours, current);
  const [was, is, mine] = [base, current, yours].map(outlineOf);
  return hasOrphan(blocks) || (!isSame(mine, was) && !isSame(mine, is));
}

export function conflictOf({ details }: Failure, draft: Draft): Conflict {
  const { currentVersion, updatedBy, changedFields } = details as unknown as ConflictDetails;
  const fields = changedFields.map((field) => typedIn(draft, field));
  return {
    currentVersion,
    updatedBy: updatedBy.name,
    disputed: fields.filter(isDisputed),
    others: fields.filter((field) => !isDisputed(field)).map(({ field }) => field),
  };
}

/** The draft on top of the other one's version, with the other one's values at the paths of `theirs`. */
export function settled(draft: Draft, saved: Content, theirs: readonly string[]): Draft {
  const next = rebased(draft, saved, new Set(theirs));
  return theirs.includes(SLUG) ? withSlug(next, saved.slug) : next;
}

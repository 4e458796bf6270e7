import type { Action } from '../../../../contracts/rights.js';
import type { Target } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { assertAllowed, assertRowAllowed, assertSiteWritable, needsNodePaths } from '../../shared/index.js';
import { NodePathRepository } from '../../tree/index.js';
import type { StoredEntry } from '../stored-entry.js';

/** Nodes above entries, by the entry's id. */
export type EntryPaths = ReadonlyMap<string, readonly string[]>;

/** What is written of an entry. */
export interface Writing {
  readonly action: Action;
  /** Locales; null is what all of them share. */
  readonly locales?: readonly (string | null)[];
  /** Fields by name, and `_slug`; absent where the entry is changed as a whole. */
  readonly fields?: readonly string[];
}

/** What stands above entries; looked up only where somebody's rights depend on it. */
export async function entryPaths(
  work: UnitOfWork,
  action: Action,
  ids: readonly string[],
): Promise<EntryPaths> {
  if (!needsNodePaths(work.scope, { resource: 'entries', action })) return new Map();
  return work.use(NodePathRepository).ofEntries(ids);
}

function rowOf({ scope }: UnitOfWork, entry: StoredEntry, paths: EntryPaths): Target {
  const { contentTypeId, siteId, createdBy } = entry;
  const nodeIds = paths.get(entry.id) ?? [];
  return { contentTypeId, siteId, nodeIds, isOwn: createdBy.id !== null && createdBy.id === scope.actor.id };
}

/**
 * Whether the actor may do this to an entry that they may read; what they may not read, the repository
 * does not find.
 * @throws AppError 403 `permission_denied`
 */
export function assertMayWrite(
  work: UnitOfWork,
  entry: StoredEntry,
  { action, locales, fields, paths }: Writing & { readonly paths: EntryPaths },
): void {
  const verb = { resource: 'entries', action } as const;
  assertSiteWritable(work.scope, entry.siteId, verb);
  assertAllowed(work.scope, verb, {
    ...rowOf(work, entry, paths),
    ...(locales && { locales }),
    ...(fields && { fields }),
  });
}

/** As {@link assertMayWrite}, before it is known what is written. */
export async function assertMayTouch(work: UnitOfWork, entry: StoredEntry, action: Action): Promise<void> {
  const verb = { resource: 'entries', action } as const;
  assertSiteWritable(work.scope, entry.siteId, verb);
  const paths = await entryPaths(work, action, [entry.id]);
  assertRowAllowed(work.scope, verb, rowOf(work, entry, paths));
}

/** As {@link assertMayWrite} for one entry whose place is looked up. */
export async function assertMayChange(work: UnitOfWork, entry: StoredEntry, writing: Writing): Promise<void> {
  const paths = await entryPaths(work, writing.action, [entry.id]);
  assertMayWrite(work, entry, { ...writing, paths });
}

/** What is about to be made. */
export interface NewEntry {
  readonly contentTypeId: string;
  readonly siteId: string;
  /** The node that it is to stand below, if any. */
  readonly parentId: string | null;
  readonly locales: readonly string[];
  readonly fields: readonly string[];
}

/**
 * Whether the actor may make an entry of this type, there and with these values. Values of fields that
 * all locales share are judged by the locale that the entry begins with.
 * @throws AppError 403 `permission_denied`
 */
export async function assertMayCreate(work: UnitOfWork, made: NewEntry): Promise<void> {
  const verb = { resource: 'entries', action: 'create' } as const;
  assertSiteWritable(work.scope, made.siteId, verb);
  const { parentId, ...row } = made;
  const paths =
    parentId !== null && needsNodePaths(work.scope, verb)
      ? await work.use(NodePathRepository).ofNodes([parentId])
      : new Map<string, readonly string[]>();
  assertAllowed(work.scope, verb, { ...row, nodeIds: paths.get(parentId ?? '') ?? [], isOwn: true });
}

import type { Action } from '../../../../contracts/rights.js';
import { authorize } from '../../../access/authorize.js';
import { type anyValue, needsNodePaths, type Target } from '../../../access/grants.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { NodePathRepository } from '../../tree/index.js';
import type { StoredEntry } from '../stored-entry.js';

/** The tree nodes above entries, by the entry's id. */
export type EntryPaths = ReadonlyMap<string, readonly string[]>;

/** What is written of an entry. */
export interface Writing extends Pick<Target, 'isLive' | 'treeSiteId'> {
  readonly action: Action;
  /** Locales; null for values shared by all. */
  readonly locales?: readonly (string | null)[];
  /** Fields by name, and `_slug`; absent where the entry is changed as a whole. */
  readonly fields?: readonly string[];
}

/** The nodes above entries; read only where the caller's grants depend on them. */
export async function entryPaths(
  work: UnitOfWork,
  action: Action,
  ids: readonly string[],
): Promise<EntryPaths> {
  if (!needsNodePaths(work.scope, `entries.${action}`)) return new Map();
  return work.use(NodePathRepository).ofEntries(ids);
}

function rowOf({ scope }: UnitOfWork, entry: StoredEntry, paths: EntryPaths): Target {
  const { contentTypeId, siteId, createdBy } = entry;
  const nodeIds = paths.get(entry.id) ?? [];
  return { contentTypeId, siteId, nodeIds, isOwn: createdBy.id !== null && createdBy.id === scope.actor.id };
}

/**
 * Authorizes a write of an entry that the caller may read; the repository does not find others.
 * @throws AppError 403 `permission_denied`
 */
export function authorizeEntry(
  work: UnitOfWork,
  entry: StoredEntry,
  { action, paths, ...written }: Writing & { readonly paths: EntryPaths },
): void {
  authorize(work, `entries.${action}`, { ...rowOf(work, entry, paths), ...written });
}

/** As {@link authorizeEntry}, for one entry whose path is read. */
export async function authorizeChange(
  work: UnitOfWork,
  entry: StoredEntry,
  writing: Writing | (Pick<Writing, 'action' | 'isLive' | 'treeSiteId'> & typeof anyValue),
): Promise<void> {
  const { action, ...written } = writing;
  const paths = await entryPaths(work, action, [entry.id]);
  authorize(work, `entries.${action}`, { ...rowOf(work, entry, paths), ...written });
}

/** An entry to be created. */
export interface NewEntry extends Pick<Target, 'treeSiteId'> {
  readonly contentTypeId: string;
  readonly siteId: string;
  /** The node above it, if any. */
  readonly parentId: string | null;
  readonly locales: readonly string[];
  readonly fields: readonly string[];
}

/**
 * Authorizes the creation of an entry of this type, in this place and with these values. Shared values
 * are judged by the entry's first locale.
 * @returns the target, for questions about its place
 * @throws AppError 403 `permission_denied`
 */
export async function authorizeCreate(work: UnitOfWork, entry: NewEntry): Promise<Target> {
  const { parentId, ...row } = entry;
  const paths =
    parentId !== null && needsNodePaths(work.scope, 'entries.create')
      ? await work.use(NodePathRepository).ofNodes([parentId])
      : new Map<string, readonly string[]>();
  const target = { ...row, nodeIds: paths.get(parentId ?? '') ?? [], isOwn: true };
  authorize(work, 'entries.create', target);
  return target;
}

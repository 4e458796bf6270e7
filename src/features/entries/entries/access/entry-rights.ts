import type { Action } from '../../../../../contracts/rights.js';
import { authorize, isPermitted, refusal } from '../../../../access/authorize.js';
import { type anyValue, mayImport, needsNodePaths, type Target } from '../../../../access/grants.js';
import type { Catalog, FieldDefinition, SiteDefinition } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { assertEditable } from '../../../shared/editable.js';
import { NodePathRepository } from '../../../routing/tree/index.js';
import type { StoredEntry } from '../stored-entry.js';
import { AppError, invalidInput } from '../../../../../contracts/errors.js';

/** Ancestor node ids by entry id. */
export type EntryPaths = ReadonlyMap<string, readonly string[]>;

interface Writing extends Pick<Target, 'isLive' | 'treeSiteId'> {
  readonly catalog: Catalog;
  readonly action: Action;
  /** Null means shared values. */
  readonly locales?: readonly (string | null)[];
  /** Field names and `_slug`; absent if the whole entry changes. */
  readonly fields?: readonly string[];
}

/** Locales and fields may not be known yet. */
type AnyWriting = Writing | (Pick<Writing, 'catalog' | 'action' | 'isLive' | 'treeSiteId'> & typeof anyValue);

/** Actions that the state of an entry may reserve for some roles. */
const changing: ReadonlySet<Action> = new Set(['update', 'delete']);

/** Reads ancestor nodes only if the caller's grants depend on them. */
export async function entryPaths(
  work: UnitOfWork,
  action: Action,
  ids: readonly string[],
): Promise<EntryPaths> {
  if (!needsNodePaths(work.scope, `entries.${action}`)) return new Map();
  return work.use(NodePathRepository).ofEntries(ids);
}

/** The entry as the target of a permission, with its known paths. */
export function entryTargetAt({ scope }: UnitOfWork, entry: StoredEntry, paths: EntryPaths): Target {
  const { contentTypeId, siteId, createdBy } = entry;
  const nodeIds = paths.get(entry.id) ?? [];
  return { contentTypeId, siteId, nodeIds, isOwn: createdBy.id !== null && createdBy.id === scope.actor.id };
}

/**
 * Authorizes a write to an entry the caller may read.
 * @throws AppError 403 `permission_denied`
 */
export function authorizeEntry(
  work: UnitOfWork,
  entry: StoredEntry,
  { action, paths, catalog, ...written }: AnyWriting & { readonly paths: EntryPaths },
): void {
  authorize(work, `entries.${action}`, { ...entryTargetAt(work, entry, paths), ...written });
  if (changing.has(action)) assertEditable(work, entry, { catalog, action, locales: written.locales });
}

/** Of a transition. A drafts-only key makes none. */
export const isTransitionPermitted = (
  work: UnitOfWork,
  entry: StoredEntry,
  { paths, locales }: { readonly paths: EntryPaths; readonly locales: readonly string[] },
): boolean =>
  isPermitted(work, 'entries.transition', { ...entryTargetAt(work, entry, paths), locales, isLive: true });

/** The entry as the target of a permission. */
export async function entryTarget(work: UnitOfWork, action: Action, entry: StoredEntry): Promise<Target> {
  return entryTargetAt(work, entry, await entryPaths(work, action, [entry.id]));
}

/** As {@link authorizeEntry}, reading the entry's path. */
export async function authorizeChange(
  work: UnitOfWork,
  entry: StoredEntry,
  writing: AnyWriting,
): Promise<void> {
  const { action, catalog, ...written } = writing;
  const paths = await entryPaths(work, action, [entry.id]);
  authorize(work, `entries.${action}`, { ...entryTargetAt(work, entry, paths), ...written });
  if (changing.has(action)) assertEditable(work, entry, { catalog, action, locales: written.locales });
}

interface NewEntry extends Pick<Target, 'treeSiteId'> {
  readonly contentTypeId: string;
  readonly siteId: string;
  readonly parentId: string | null;
  readonly locales: readonly string[];
  readonly fields: readonly string[];
}

/**
 * Shared values are checked against the entry's first locale.
 * @returns the target, for further checks of the place
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

/** Facts of the source of an entry, as they were sent (rule entries/import). */
export interface GivenFacts {
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  readonly publishedAt?: string | undefined;
  readonly createdByName?: string | undefined;
}

const factKeys = ['createdAt', 'updatedAt', 'publishedAt', 'createdByName'] as const;

const SOURCE_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?))?$/;

/** As ISO 8601 allows it: seconds may be missing, or the time of day; NaN for others. */
export function sourceTime(text: string): number {
  const [, day = '', minutes = '00:00', seconds = ':00', offset = 'Z'] = SOURCE_TIME.exec(text) ?? [];
  const [, sign, hours = '00', rest = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? [];
  const zone = sign === undefined ? 'Z' : `${sign}${hours}:${rest}`;
  const midnight = Date.parse(day);
  // Days after the last one of a month are those of the next.
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  return isDay ? Date.parse(`${day}T${minutes}${seconds}${zone}`) : NaN;
}

/** Whether a change is part of an import: its version has the type `import`. */
export const hasFacts = (given: GivenFacts): boolean => factKeys.some((key) => given[key] !== undefined);

/** Undefined for a time that a source can have. */
export const factProblem = (
  work: UnitOfWork,
  text: string | undefined,
): { code: string; message: string } | undefined => {
  const time = text === undefined ? 0 : sourceTime(text);
  if (!(time >= 0))
    return {
      code: 'invalid_format',
      message: 'A time since 1970 in ISO 8601 with an offset or Z is required.',
    };
  return time > work.now.getTime() ? { code: 'too_late', message: 'The time is in the future.' } : undefined;
};

/** @throws AppError 403 `permission_denied`, 422 `validation_failed` for a time before 1970 or in the future */
export function authorizeFacts(work: UnitOfWork, target: Target, given: GivenFacts): void {
  const field = factKeys.find((key) => given[key] !== undefined);
  if (field === undefined) return;
  if (!mayImport(work.scope, target)) {
    const { code, details } = refusal(work, 'entries.import');
    throw new AppError(code, { ...(details as object), path: [field] });
  }
  const issues = (['createdAt', 'updatedAt', 'publishedAt'] as const).flatMap((key) => {
    const problem = factProblem(work, given[key]);
    return problem === undefined ? [] : [{ path: [key], ...problem }];
  });
  if (issues.length > 0) throw invalidInput(...issues);
}

export function siteOf(catalog: Catalog, entry: Pick<StoredEntry, 'siteId'>): SiteDefinition {
  const site = catalog.site(entry.siteId);
  if (site === undefined) throw new Error('Entry has no site');
  return site;
}

/** @throws AppError 409 `version_conflict` if a version is given and outdated */
export function assertVersion(entry: StoredEntry, version: number | undefined): void {
  if (version === undefined || version === entry.version) return;
  throw new AppError('version_conflict', {
    expectedVersion: version,
    currentVersion: entry.version,
    updatedAt: entry.updatedAt.toISOString(),
    updatedBy: entry.updatedBy,
  });
}

/** Whether a live link in this field keeps its target published. */
export const isRestricting = (field: FieldDefinition): boolean =>
  (field.settings as { onTargetUnpublish?: string }).onTargetUnpublish === 'restrict';

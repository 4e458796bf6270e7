import { AppError } from '../../../../contracts/errors.js';
import { listEnvelope, type Deleted, type PageMeta } from '../../../../contracts/envelopes.js';
import type { Release, ReleaseDetail, ReleaseItem } from '../../../../contracts/entries/releases/release.js';
import type { releases } from '../../../../contracts/entries/releases/releases.contract.js';
import { limits } from '../../../../contracts/limits.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { refusal } from '../../../access/authorize.js';
import type { Catalog } from '../../../content/catalog.js';
import { publicPath } from '../../../content/route-path.js';
import type { OutboxEvent, UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { RoleRepository } from '../../access/roles/index.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { hasOneRole } from '../../shared/editable.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';
import { ReleaseItemRepository, type ShownItem } from './release-item.repository.js';
import { ReleaseRepository, type ReadRelease, type StoredRelease } from './release.repository.js';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export function presentRelease(release: ReadRelease): Release {
  const { approvals, error, ...shown } = release;
  return {
    ...shown,
    scheduledAt: iso(release.scheduledAt),
    publishedAt: iso(release.publishedAt),
    rolledBackAt: iso(release.rolledBackAt),
    createdAt: release.createdAt.toISOString(),
    updatedAt: release.updatedAt.toISOString(),
    error: error && { code: error.code, message: error.message, details: error.details },
    approvals: approvals.map(({ by, at, comment, lapsed }) => ({
      by,
      at: new Date(at).toISOString(),
      comment,
      lapsed,
    })),
  };
}

function presentItem(catalog: Catalog, { id, title, siteId, path, given, ...item }: ShownItem): ReleaseItem {
  const site = siteId === null ? undefined : catalog.site(siteId);
  const shown = site && path !== null && given.kind === 'entry' ? publicPath(site, given.locale, path) : path;
  const { createdAt, createdBy } = item;
  const common = { id, title, siteId, path: shown, createdAt: createdAt.toISOString(), createdBy };
  switch (given.kind) {
    case 'entry':
      return { ...common, ...given, pinnedVersion: given.pinnedVersion ?? null };
    case 'redirect':
      return { ...common, ...given, redirectId: given.redirectId ?? null, redirect: given.redirect ?? null };
    case 'treeMove':
      return { ...common, ...given, position: given.position ?? null };
    case 'media':
      return { ...common, ...given };
  }
}

export async function presentDetail(work: UnitOfWork, release: ReadRelease): Promise<ReleaseDetail> {
  const catalog = await work.use(CatalogRepository).current();
  const items = await work.use(ReleaseItemRepository).list(release.id);
  return { ...presentRelease(release), items: items.map((item) => presentItem(catalog, item)) };
}

/** Event about a release (rule events/webhooks). */
export function releaseEvent(
  verb: 'created' | 'published' | 'scheduled' | 'failed' | 'rolled_back',
  release: StoredRelease & { readonly itemCount?: number },
): OutboxEvent {
  const { id: releaseId, name, status, itemCount = 0, timezone, error } = release;
  const scheduledAt = iso(release.scheduledAt);
  const failure = error && { code: error.code, message: error.message };
  return {
    type: `release.${verb}`,
    data: { releaseId, name, status, itemCount, scheduledAt, timezone, error: failure },
  };
}

/** The change of a release by the caller. */
export const changed = <R extends StoredRelease>(
  { now, scope }: Pick<UnitOfWork, 'now' | 'scope'>,
  release: R,
  change: Partial<StoredRelease>,
): R => ({ ...release, ...change, updatedAt: now, updatedBy: scope.actor });

/**
 * Whether items can be changed.
 * @throws AppError 409 `release_scheduled`, `release_closed`
 */
export function assertOpen({ status }: Pick<StoredRelease, 'status'>): void {
  if (status === 'scheduled') throw new AppError('release_scheduled');
  if (status !== 'open') throw new AppError('release_closed', { status });
}

/** @throws AppError 404 `role_not_found` */
async function approvalOf(
  work: UnitOfWork,
  given: InputOf<typeof releases.create>['requiresApproval'],
): Promise<StoredRelease['requiresApproval']> {
  if (!given) return null;
  const roleIds = [...new Set(given.roleIds.map((id) => id.toLowerCase()))];
  const known = new Set((await work.use(RoleRepository).findAll(roleIds)).map(({ id }) => id));
  const missing = roleIds.findIndex((id) => !known.has(id));
  if (missing >= 0) throw new AppError('role_not_found', { path: ['requiresApproval', 'roleIds', missing] });
  return { ...given, roleIds };
}

export async function createRelease(
  work: UnitOfWork,
  { name, description, requiresApproval }: InputOf<typeof releases.create>,
): Promise<{ data: ReleaseDetail }> {
  const repository = work.use(ReleaseRepository);
  const limit = limits.releasesPerEnvironment;
  if ((await repository.count()) >= limit) throw new AppError('limit_reached', { limit });
  const by = {
    createdAt: work.now,
    createdBy: work.scope.actor,
    updatedAt: work.now,
    updatedBy: work.scope.actor,
  };
  const never = {
    jobId: null,
    scheduledAt: null,
    timezone: null,
    error: null,
    publishedAt: null,
    publishedBy: null,
  };
  const release: StoredRelease = {
    id: work.newId(),
    name,
    description: description ?? null,
    status: 'open',
    requiresApproval: await approvalOf(work, requiresApproval),
    ...never,
    rolledBackAt: null,
    ...by,
  };
  await repository.insert(release);
  work.emit(releaseEvent('created', release));
  return { data: { ...presentRelease({ ...release, itemCount: 0, approvals: [] }), items: [] } };
}

export async function listReleases(
  work: UnitOfWork,
  { status, ...query }: InputOf<typeof releases.list>,
): Promise<{ data: Release[]; meta: PageMeta }> {
  const { items, total } = await work.use(ReleaseRepository).list({ ...query, statuses: status ?? null });
  return listEnvelope({ items: items.map(presentRelease), total }, query);
}

export async function getRelease(
  work: UnitOfWork,
  { id }: InputOf<typeof releases.get>,
): Promise<{ data: ReleaseDetail }> {
  return { data: await presentDetail(work, await work.use(ReleaseRepository).find(id)) };
}

/** Equal values change nothing. */
export async function updateRelease(
  work: UnitOfWork,
  { projectSlug: _project, id, ...change }: InputOf<typeof releases.update>,
): Promise<{ data: ReleaseDetail }> {
  const given = definedKeys(change);
  const repository = work.use(ReleaseRepository);
  const before = await repository.lock(id);
  if (!hasChanges(before, given)) return { data: await presentDetail(work, before) };
  const after = changed(work, before, given);
  await repository.save(before, after, 'update');
  return { data: await presentDetail(work, after) };
}

export async function deleteRelease(
  work: UnitOfWork,
  { id }: InputOf<typeof releases.delete>,
): Promise<{ data: Deleted }> {
  const repository = work.use(ReleaseRepository);
  const release = await repository.lock(id);
  if (release.status === 'scheduled') throw new AppError('release_scheduled');
  await repository.remove(release);
  return { data: { id: release.id, deleted: true } };
}

/** Opens what failed or was rolled back. A no-op if it is open. */
export async function reopenRelease(
  work: UnitOfWork,
  { id }: InputOf<typeof releases.reopen>,
): Promise<{ data: Release }> {
  const repository = work.use(ReleaseRepository);
  const before = await repository.lock(id);
  if (before.status === 'open') return { data: presentRelease(before) };
  if (before.status !== 'failed' && before.status !== 'rolled_back') assertOpen(before);
  const never = {
    scheduledAt: null,
    timezone: null,
    publishedAt: null,
    publishedBy: null,
    rolledBackAt: null,
  };
  const after = changed(work, before, { status: 'open', error: null, ...never });
  await repository.save(before, after, 'reopen');
  return { data: presentRelease(after) };
}

/**
 * Whether enough users have approved the items and drafts as they are now.
 * @throws AppError 409 `release_not_approved`
 */
export function assertApproved({ requiresApproval, approvals }: ReadRelease): void {
  if (requiresApproval === null) return;
  const given = approvals.filter(({ lapsed }) => !lapsed).length;
  const { quorum } = requiresApproval;
  if (given < quorum) throw new AppError('release_not_approved', { quorum, approvals: given });
}

/** Repeated approvals of a user renew the first. */
export async function approveRelease(
  work: UnitOfWork,
  { id, comment }: InputOf<typeof releases.approve>,
): Promise<{ data: Release }> {
  const repository = work.use(ReleaseRepository);
  const before = await repository.lock(id);
  if (before.status !== 'scheduled') assertOpen(before);
  const { distinctFromAuthor = false, roleIds = [] } = before.requiresApproval ?? {};
  const { actor } = work.scope;
  const refuse = (reason: string) => {
    const { code, details } = refusal(work, 'releases.transition');
    return new AppError(code, { ...(details as object), reason });
  };
  if (!hasOneRole(work, roleIds)) throw refuse('role_required');
  if (distinctFromAuthor && (await repository.authorsOf(before.id)).has(actor.id ?? ''))
    throw refuse('own_work');
  await repository.approve(before.id, comment || null);
  const after = await repository.find(before.id);
  repository.note('approve', { before, after }, { after: { approvedBy: actor, comment: comment || null } });
  return { data: presentRelease(after) };
}

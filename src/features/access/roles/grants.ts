import { AppError, invalidInput } from '../../../../contracts/errors.js';
import type { GrantScope, PermissionGrant } from '../../../../contracts/access/roles/role.js';
import { type Scope, coversVerb, namedVerbs, verbOf, type Grant } from '../../../access/grants.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork, KeyBounds } from '../../../persistence/work/unit-of-work.js';
import { NodePathRepository } from '../../routing/tree/index.js';
import { GrantRepository, type StoredGrant, type RoleRow, RoleRepository } from './role.repository.js';
import { grantsOfKey, mayGive } from '../../../access/key-grants.js';
import { systemGrants, systemGrantId } from '../../../access/system-roles.js';
import { limits } from '../../../../contracts/limits.js';
import type { roles } from '../../../../contracts/access/roles/roles.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { CatalogRepository } from '../../environments/catalog/index.js';
import { assertCustom, presentGrant } from './roles.js';
import { type Deleted, listEnvelope, type Page, type PageMeta } from '../../../../contracts/envelopes.js';
import { isUuid } from '../../../infrastructure/ids.js';

type NotFound =
  | 'content_type_not_found'
  | 'site_not_found'
  | 'locale_not_found'
  | 'environment_not_found'
  | 'tree_node_not_found';

/** Sorted without duplicates, so that equal lists compare equal; undefined if empty. */
function normalize(values: readonly string[] | undefined): readonly string[] | undefined {
  return values === undefined || values.length === 0 ? undefined : [...new Set(values)].sort();
}

function assertKnown(
  key: keyof GrantScope,
  values: readonly string[] | undefined,
  { code, isKnown }: { code: NotFound; isKnown: (value: string) => boolean },
): void {
  const unknown = values?.findIndex((value) => !isKnown(value)) ?? -1;
  if (unknown >= 0) throw new AppError(code, { path: ['scope', key, unknown] });
}

/** References in a body must exist (rule http/status-codes). */
async function assertExist(work: UnitOfWork, catalog: Catalog, scope: GrantScope): Promise<void> {
  const { contentTypes, siteIds, locales, environments, treeNodeIds } = scope;
  assertKnown('contentTypes', contentTypes, {
    code: 'content_type_not_found',
    isKnown: (name) => catalog.contentType(name) !== undefined,
  });
  assertKnown('siteIds', siteIds, {
    code: 'site_not_found',
    isKnown: (id) => catalog.site(id.toLowerCase()) !== undefined,
  });
  assertKnown('locales', locales, {
    code: 'locale_not_found',
    isKnown: (code) => catalog.locale(code) !== undefined,
  });
  const slugs = await work.use(GrantRepository).environmentSlugs(environments ?? []);
  assertKnown('environments', environments, {
    code: 'environment_not_found',
    isKnown: (slug) => slugs.has(slug),
  });
  const ids = treeNodeIds?.map((id) => id.toLowerCase()) ?? [];
  const nodes = await work.use(NodePathRepository).ofNodes(ids);
  assertKnown('treeNodeIds', ids, { code: 'tree_node_not_found', isKnown: (id) => nodes.has(id) });
}

/**
 * The scope in its stored form.
 * @throws AppError 404 for the first unknown reference, 422 for a scope that cannot limit reading
 */
async function scopeOf(
  work: UnitOfWork,
  catalog: Catalog,
  { action, scope }: { action: string; scope: GrantScope },
): Promise<Scope> {
  const limiting = (['locales', 'fields'] as const).find((key) => normalize(scope[key]) !== undefined);
  if (action === 'read' && limiting !== undefined) {
    const message = `The action read cannot be limited by ${limiting}. Remove this key from the scope.`;
    throw invalidInput({ path: ['scope', limiting], code: 'not_applicable', message });
  }
  await assertExist(work, catalog, scope);
  const lower = (ids: readonly string[] | undefined) => normalize(ids?.map((id) => id.toLowerCase()));
  const lists = {
    contentTypes: normalize(scope.contentTypes?.map((name) => catalog.contentType(name)?.id ?? name)),
    siteIds: lower(scope.siteIds),
    locales: normalize(scope.locales),
    fields: normalize(scope.fields),
    environments: normalize(scope.environments),
    treeNodeIds: lower(scope.treeNodeIds),
  };
  const limited = Object.entries(lists).filter(([, values]) => values !== undefined);
  return { ...(Object.fromEntries(limited) as Scope), ...(scope.ownOnly === true && { ownOnly: true }) };
}

/** Limits that no role can have: a key with one of them gives no permissions (rule access/key-limits). */
const hasKeyOnlyLimit = (key: KeyBounds): boolean =>
  key.expiresAt !== null || key.ipAllowlist.length > 0 || key.isDraftOnly || key.requiresConfirmation;

/** Grants the caller can pass on; null for all. */
function heldGrants({ scope }: UnitOfWork): readonly Grant[] | null {
  const { grants, keyBounds: key, environmentSlug } = scope;
  if (key === undefined) return grants;
  if (hasKeyOnlyLimit(key)) return [];
  const { permissions, siteIds } = key;
  // A key bound to an environment works in no other.
  const environment = key.environmentId === null ? null : environmentSlug;
  if (permissions === null && siteIds.length === 0 && environment === null) return null;
  return grantsOfKey({ type: 'management', permissions: permissions ?? [], siteIds, environment });
}

export const mayGiveEverything = (work: UnitOfWork): boolean => heldGrants(work) === null;

/** Keys do not hold what a grant must name, even without limits (rules workflows/strict, entries/import). */
function assertNothingNamedByKey({ scope }: UnitOfWork, wanted: readonly Grant[]): void {
  if (scope.keyBounds === undefined) return;
  const verb = namedVerbs.map(verbOf).find((one) => wanted.some((grant) => coversVerb(grant, one)));
  if (verb !== undefined) throw new AppError('privilege_escalation', { ...verb });
}

/**
 * Callers cannot grant permissions they do not have, in a grant, with a role or with a key.
 * @throws AppError 403 `privilege_escalation` with the first excessive grant
 */
export async function assertMayGiveGrants(work: UnitOfWork, wanted: readonly Grant[]): Promise<void> {
  assertNothingNamedByKey(work, wanted);
  const held = heldGrants(work);
  if (held === null) return;
  const nodeIds = held.some(({ scope }) => scope.treeNodeIds !== undefined)
    ? wanted.flatMap(({ scope }) => scope.treeNodeIds ?? [])
    : [];
  const paths = await work.use(NodePathRepository).ofNodes([...new Set(nodeIds)]);
  const denied = wanted.find((grant) => !mayGive(held, grant, paths));
  if (denied === undefined) return;
  const { resource, action } = denied;
  throw new AppError('privilege_escalation', { resource, action });
}

export async function grantsOfRoles(work: UnitOfWork, roles: readonly RoleRow[]): Promise<Grant[]> {
  const custom = roles.filter(({ isSystem }) => !isSystem).map(({ id }) => id);
  const own = custom.length === 0 ? [] : await work.use(GrantRepository).ofRoles(custom);
  return [...roles.flatMap(({ isSystem, slug }) => (isSystem ? systemGrants(slug) : [])), ...own];
}

/** Idempotent: an equal grant is returned as a duplicate. */
export async function createGrant(
  work: UnitOfWork,
  input: InputOf<typeof roles.createGrant>,
): Promise<{ data: PermissionGrant; meta?: { duplicate: true } }> {
  const { resource, action } = input;
  const { memberCount: _count, ...role } = await work.use(RoleRepository).find(input.roleId);
  assertCustom(role);
  const catalog = await work.use(CatalogRepository).current();
  const grant = { resource, action, scope: await scopeOf(work, catalog, input) };
  await assertMayGiveGrants(work, [grant]);
  const grants = work.use(GrantRepository);
  const same = await grants.findSame(role.id, grant);
  if (same !== undefined) return { data: presentGrant(same, catalog), meta: { duplicate: true } };
  if ((await grants.count(role.id)) >= limits.grantsPerRole)
    throw new AppError('limit_reached', { limit: limits.grantsPerRole });
  const made: StoredGrant = { ...grant, id: work.newId(), createdAt: work.now };
  await grants.insert(role, made);
  return { data: presentGrant(made, catalog) };
}

export async function deleteGrant(
  work: UnitOfWork,
  input: InputOf<typeof roles.deleteGrant>,
): Promise<{ data: Deleted }> {
  const { memberCount: _count, ...role } = await work.use(RoleRepository).find(input.roleId);
  assertCustom(role);
  const grants = work.use(GrantRepository);
  const grant = isUuid(input.grantId) ? await grants.find(role.id, input.grantId) : undefined;
  if (grant === undefined) throw new AppError('grant_not_found');
  await grants.remove(role, grant);
  return { data: { id: grant.id, deleted: true } };
}

/** Grants of a system role, which are not stored. */
function systemPage({ id, slug, createdAt }: RoleRow, offset: number, limit: number): Page<StoredGrant> {
  const grants = systemGrants(slug).map((grant) => ({ ...grant, id: systemGrantId(id, grant), createdAt }));
  return { items: grants.slice(offset, offset + limit), total: grants.length };
}

export async function listGrants(
  work: UnitOfWork,
  input: InputOf<typeof roles.listGrants>,
): Promise<{ data: PermissionGrant[]; meta: PageMeta }> {
  const role = await work.use(RoleRepository).find(input.roleId);
  const catalog = await work.use(CatalogRepository).current();
  const { limit, page, orderBy } = input;
  const offset = (page - 1) * limit;
  const { items, total } = role.isSystem
    ? systemPage(role, offset, limit)
    : await work
        .use(GrantRepository)
        .list(role.id, { isAscending: orderBy === 'createdAt:asc', limit, offset });
  return listEnvelope({ items: items.map((grant) => presentGrant(grant, catalog)), total }, input);
}

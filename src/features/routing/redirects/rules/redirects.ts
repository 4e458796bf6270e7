import { AppError } from '../../../../../contracts/errors.js';
import type { Action } from '../../../../../contracts/rights.js';
import { authorize, isPermitted } from '../../../../access/authorize.js';
import { readableValues } from '../../../../access/grants.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import {
  withWarnings,
  type Warned,
  type Deleted,
  type ListMeta,
} from '../../../../../contracts/envelopes.js';
import type { redirects } from '../../../../../contracts/routing/redirects/redirects.contract.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import type { Redirect, RedirectOrigin } from '../../../../../contracts/routing/redirects/redirect.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import {
  redirectEvent,
  assertAllowedTarget,
  assertNoLoop,
  assertRoomForPattern,
  assertSiteLocale,
  findSite,
  withParsedPaths,
  presentRedirect,
  redirectWarnings,
} from './redirect.policy.js';
import {
  RedirectRepository,
  type RedirectRow,
  type RedirectFilter,
  editable,
} from '../redirect.repository.js';
import type { Catalog } from '../../../../content/catalog.js';
import { openPage } from '../../../shared/cursor/list-page.js';
import { definedKeys, hasChanges } from '../../../shared/lists.js';

/** Site, and locales before and after the change. */
interface RedirectPlace {
  readonly siteId: string;
  readonly locales: readonly (string | null)[];
}

/** Null for all. */
export const readableSiteIds = ({ scope }: UnitOfWork): readonly string[] | null =>
  readableValues(scope, 'redirects', 'siteIds');

/** @throws AppError 404 `redirect_not_found` if not readable, else 403 `permission_denied` */
function authorizeRedirect(
  work: UnitOfWork,
  place: RedirectPlace,
  action: 'create' | 'update' | 'delete',
): void {
  if (action !== 'create' && !isPermitted(work, 'redirects.read', place))
    throw new AppError('redirect_not_found');
  authorize(work, `redirects.${action}`, place);
}

/** @param actions required by the import mode */
export function mayImport(work: UnitOfWork, place: RedirectPlace, actions: readonly Action[]): boolean {
  // A replacement may delete redirects of any locale.
  const target = actions.includes('delete') ? { ...place, locales: [null] } : place;
  return actions.every((action) => isPermitted(work, `redirects.${action}`, target));
}

type Input = InputOf<typeof redirects.create>;

function draftOf(work: UnitOfWork, input: Input, siteId: string): RedirectRow {
  return withParsedPaths({
    id: work.newId(),
    siteId,
    source: input.source,
    target: input.target ?? null,
    status: input.status ?? 301,
    matchType: input.matchType ?? 'exact',
    queryMatch: input.queryMatch ?? 'ignore',
    locale: input.locale ?? null,
    isActive: input.isActive ?? true,
    origin: 'manual',
    note: input.note || null,
    hitCount: 0,
    lastHitAt: null,
    createdAt: work.now,
    updatedAt: work.now,
  });
}

export async function createRedirect(work: UnitOfWork, input: Input): Promise<Warned<Redirect>> {
  const catalog = await work.use(CatalogRepository).current();
  const site = findSite(catalog, input.siteId);
  authorizeRedirect(work, { siteId: site.id, locales: [input.locale ?? null] }, 'create');
  const row = draftOf(work, input, site.id);
  assertSiteLocale(site, row.locale);
  assertAllowedTarget(site, row.target);
  const redirects = work.use(RedirectRepository);
  await redirects.lockAll();
  if (row.matchType === 'regex') await assertRoomForPattern(work, row);
  await redirects.insert(row);
  await assertNoLoop(work, site, row);
  work.emit(redirectEvent('created', row));
  return withWarnings(presentRedirect(row), redirectWarnings(row));
}

/** Puts back a redirect that was deleted, under its id. */
export async function restoreRedirect(work: UnitOfWork, row: RedirectRow): Promise<void> {
  authorizeRedirect(work, { siteId: row.siteId, locales: [row.locale] }, 'create');
  const site = (await work.use(CatalogRepository).current()).site(row.siteId);
  const redirects = work.use(RedirectRepository);
  await redirects.lockAll();
  await redirects.insert(row);
  await assertNoLoop(work, site, row);
  work.emit(redirectEvent('created', row));
}

export async function deleteRedirect(
  work: UnitOfWork,
  input: InputOf<typeof redirects.delete>,
): Promise<{ data: Deleted }> {
  const redirects = work.use(RedirectRepository);
  await redirects.lockAll();
  const row = await redirects.find(input.id);
  authorizeRedirect(work, { siteId: row.siteId, locales: [row.locale] }, 'delete');
  await redirects.remove(row);
  work.emit(redirectEvent('deleted', row));
  return { data: { id: row.id, deleted: true } };
}

export async function getRedirect(
  work: UnitOfWork,
  { id }: InputOf<typeof redirects.get>,
): Promise<{ data: Redirect }> {
  const redirect = await work.use(RedirectRepository).find(id);
  const siteIds = readableSiteIds(work);
  if (siteIds !== null && !siteIds.includes(redirect.siteId)) throw new AppError('redirect_not_found');
  return { data: presentRedirect(redirect) };
}

interface FilterInput {
  readonly siteId?: readonly string[] | undefined;
  readonly locale?: readonly string[] | undefined;
  readonly origin?: readonly RedirectOrigin[] | undefined;
  readonly isActive?: boolean | undefined;
  readonly q?: string | undefined;
}

/**
 * @param readable ids of readable sites; null for all
 * @throws AppError 404 `site_not_found`, `locale_not_found`
 */
export function filterOf(
  catalog: Catalog,
  input: FilterInput,
  readable: readonly string[] | null,
): RedirectFilter {
  const unknown = input.locale?.find((code) => catalog.locale(code) === undefined);
  if (unknown !== undefined) throw new AppError('locale_not_found', { path: ['locale'], locale: unknown });
  const wanted = input.siteId?.map((id) => findSite(catalog, id).id);
  return {
    siteIds: wanted === undefined ? readable : wanted.filter((id) => readable?.includes(id) !== false),
    locales: input.locale ?? null,
    origins: input.origin ?? null,
    isActive: input.isActive ?? null,
    contains: input.q ?? null,
  };
}

export async function listRedirects(
  work: UnitOfWork,
  input: InputOf<typeof redirects.list>,
): Promise<{ data: Redirect[]; meta: ListMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const page = openPage(input, { name: 'redirects', scope: work.scope });
  const filter = filterOf(catalog, input, readableSiteIds(work));
  const found = await work.use(RedirectRepository).list(filter, { orderBy: input.orderBy, ...page.window });
  return page.envelope({ ...found, items: found.items.map(presentRedirect) });
}

/** Equal values change nothing. */
export async function updateRedirect(
  work: UnitOfWork,
  input: InputOf<typeof redirects.update>,
): Promise<Warned<Redirect>> {
  const { projectSlug: _project, id, ...change } = input;
  const given = definedKeys(change);
  const redirects = work.use(RedirectRepository);
  await redirects.lockAll();
  const before = await redirects.find(id);
  const locales = [before.locale, ...(given.locale === undefined ? [] : [given.locale])];
  authorizeRedirect(work, { siteId: before.siteId, locales }, 'update');
  const note = given.note === undefined ? before.note : given.note || null;
  const target = given.status === 410 && given.target === undefined ? null : before.target;
  const after: RedirectRow = withParsedPaths({ ...before, target, ...given, note });
  if (!hasChanges(before, editable(after)))
    return withWarnings(presentRedirect(before), redirectWarnings(before));
  const site = (await work.use(CatalogRepository).current()).site(before.siteId);
  if (after.target !== before.target) assertAllowedTarget(site, after.target);
  if (after.locale !== before.locale) assertSiteLocale(site, after.locale);
  if (after.matchType === 'regex' && before.matchType !== 'regex') await assertRoomForPattern(work, after);
  const saved = { ...after, updatedAt: work.now };
  await redirects.save(before, saved);
  await assertNoLoop(work, site, saved);
  work.emit(redirectEvent('updated', saved));
  return withWarnings(presentRedirect(saved), redirectWarnings(saved));
}

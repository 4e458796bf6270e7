import { AppError, invalidInput } from '../../../contracts/errors.js';
import type { GrantScope } from '../../../contracts/resources/role.js';
import type { Scope } from '../../access/grants.js';
import type { Catalog } from '../../content/catalog.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { NodePathRepository } from '../tree/index.js';
import { GrantRepository } from './grant.repository.js';

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

/** References in a body must exist (decisions 2.29). */
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
export async function scopeOf(
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

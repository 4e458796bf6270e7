import type {
  Me,
  EnterableProject,
  CallerRights,
  RightLimit,
} from '../../../../contracts/access/me/caller.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { MeRepository } from './me.repository.js';
import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { me } from '../../../../contracts/access/me/me.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { registry, type OperationName } from '../../../../contracts/index.js';
import type { OperationMeta } from '../../../../contracts/metadata.js';
import { grantsOf, mayCall, permittingScopes } from '../../../access/authorize.js';
import type { Rights, Scope } from '../../../access/grants.js';
import type { Principal, Surface } from '../../../access/principal.js';
import type { Catalog } from '../../../content/catalog.js';

export async function getMe(work: UnitOfWork): Promise<{ data: Me }> {
  return { data: await work.use(MeRepository).user() };
}

export async function listMyProjects(
  work: UnitOfWork,
  input: InputOf<typeof me.projects>,
): Promise<{ data: EnterableProject[]; meta: PageMeta }> {
  const { page, limit, orderBy, q } = input;
  const query = { orderBy, contains: q ?? null, limit, offset: (page - 1) * limit };
  return listEnvelope(await work.use(MeRepository).projects(query), input);
}

export interface IdentifiedCall {
  readonly principal: Principal;
  readonly catalog: Catalog;
  readonly surface: Surface;
}

interface Operation {
  readonly name: OperationName;
  readonly meta: OperationMeta;
}

type Contracts = Readonly<Record<string, { readonly _def: { readonly meta?: OperationMeta } }>>;

/** Read on the first call: the contract of this operation is in the registry. */
let known: readonly Operation[] | undefined;

const operations = (): readonly Operation[] =>
  (known ??= Object.entries<Contracts>(registry).flatMap(([group, contracts]) =>
    Object.entries(contracts).map(([verb, { _def }]): Operation => {
      if (_def.meta === undefined) throw new Error(`${group}.${verb} has no metadata`);
      return { name: `${group}.${verb}` as OperationName, meta: _def.meta };
    }),
  ));

/** Environments are left out: the answer is for one. Content types have their current names, deleted ones their ids. */
function presentScope(scope: Scope, catalog: Catalog): RightLimit {
  const { contentTypes, siteIds, locales, fields, treeNodeIds, ownOnly = false, draftsOnly = false } = scope;
  const lists = {
    contentTypes: contentTypes?.map((id) => catalog.contentTypeById(id)?.apiName ?? id),
    siteIds: siteIds && [...siteIds],
    locales: locales && [...locales],
    fields: fields && [...fields],
    treeNodeIds: treeNodeIds && [...treeNodeIds],
  };
  const limits = Object.fromEntries(Object.entries(lists).filter(([, values]) => values !== undefined));
  return { ...limits, ownOnly, draftsOnly };
}

const isUnlimited = ({ ownOnly, draftsOnly, ...lists }: RightLimit): boolean =>
  !ownOnly && !draftsOnly && Object.keys(lists).length === 0;

function limitsOf(rights: Rights, meta: OperationMeta, catalog: Catalog): RightLimit[] {
  const limits = permittingScopes(rights, meta).map((scope) => presentScope(scope, catalog));
  if (limits.some(isUnlimited)) return [];
  return [...new Map(limits.map((limit) => [JSON.stringify(limit), limit])).values()];
}

/** What the gate would answer to each operation (rule access/me). */
export function myRights({ principal, catalog, surface }: IdentifiedCall): Promise<{ data: CallerRights }> {
  if (principal.kind === 'anonymous') throw new Error('an anonymous caller has no rights');
  const { project, environment } = catalog.data;
  const environmentSlug = environment.slug;
  const rights = { grants: grantsOf(principal, environmentSlug), environmentSlug };
  const permitted = operations().filter(({ meta }) => mayCall(principal, meta, { surface, environmentSlug }));
  return Promise.resolve({
    data: {
      caller: { type: principal.kind, id: principal.id, name: principal.name },
      project,
      environment: { slug: environmentSlug, isProtected: environment.isProtected },
      operations: permitted.map(({ name, meta }) => ({ name, limits: limitsOf(rights, meta, catalog) })),
    },
  });
}

import type {
  Avatar,
  Me,
  EnterableProject,
  OwnSession,
  CallerRights,
  RightLimit,
} from '../../../../contracts/access/me/caller.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { MeRepository } from './me.repository.js';
import { listEnvelope, type Deleted, type PageMeta } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import type { me } from '../../../../contracts/access/me/me.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { registry, type OperationName } from '../../../../contracts/index.js';
import type { OperationMeta } from '../../../../contracts/metadata.js';
import { grantsOf, mayCall, permittingScopes } from '../../../access/authorize.js';
import type { Rights, Scope } from '../../../access/grants.js';
import type { Principal, Surface } from '../../../access/principal.js';
import { isUuid } from '../../../infrastructure/ids.js';
import type { Catalog } from '../../../content/catalog.js';
import { SessionRepository, UserRepository } from '../sessions/index.js';
import { definedKeys, hasChanges } from '../../shared/lists.js';

export async function getMe(work: UnitOfWork): Promise<{ data: Me }> {
  return { data: await work.use(MeRepository).user() };
}

/** Name, language, time zone and theme. */
export async function updateMe(work: UnitOfWork, input: InputOf<typeof me.update>): Promise<{ data: Me }> {
  const changes = definedKeys(input);
  const users = work.use(UserRepository);
  const before = await users.lock(work.scope.actor.id ?? '');
  if (hasChanges(before, changes)) await users.save(before, { ...before, ...changes, updatedAt: work.now });
  return getMe(work);
}

/** Makes a small square of a picture, outside of units of work. */
export interface AvatarServices {
  /** @throws AppError 422 `unsupported_file_type`, `file_damaged`; 503 `service_unavailable` */
  square(picture: Buffer, options: { readonly side: number; readonly share: string }): Promise<Buffer>;
}

export const prepareAvatar = (
  _inPart: unknown,
  { content }: InputOf<typeof me.setAvatar>,
  { square, userId }: AvatarServices & { readonly userId: string },
): Promise<Buffer> => square(Buffer.from(content, 'base64'), { side: limits.avatarPixels, share: userId });

const presentAvatar = (userId: string, image: Buffer): Avatar => ({
  userId,
  image: `data:image/webp;base64,${image.toString('base64')}`,
});

export async function setMyAvatar(
  work: UnitOfWork,
  _input: InputOf<typeof me.setAvatar>,
  image: Buffer,
): Promise<{ data: Avatar }> {
  await work.use(MeRepository).saveAvatar(image);
  return { data: presentAvatar(work.scope.actor.id ?? '', image) };
}

export async function removeMyAvatar(work: UnitOfWork): Promise<{ data: Deleted }> {
  await work.use(MeRepository).saveAvatar(null);
  return { data: { id: work.scope.actor.id ?? '', deleted: true } };
}

/** @returns those of the caller's tenant that have one, in the order of their ids */
export async function listAvatars(
  work: UnitOfWork,
  { userIds }: InputOf<typeof me.avatars>,
): Promise<{ data: Avatar[] }> {
  const found = await work.use(MeRepository).avatars(userIds);
  return { data: found.map(({ id, avatar }) => presentAvatar(id, avatar)) };
}

export async function listMySessions(
  work: UnitOfWork,
  input: InputOf<typeof me.sessions>,
): Promise<{ data: OwnSession[]; meta: PageMeta }> {
  const { page, limit, orderBy } = input;
  const query = { orderBy, limit, offset: (page - 1) * limit };
  const { items, total } = await work.use(SessionRepository).listOpen(query);
  const present = ({ createdAt, lastUsedAt, expiresAt, ...rest }: (typeof items)[number]): OwnSession => ({
    ...rest,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    isCurrent: rest.id === work.scope.sessionId,
  });
  return listEnvelope({ items: items.map(present), total }, input);
}

/** Ends sessions of the caller, with a record for each. */
async function endSessions(
  work: UnitOfWork,
  which: Parameters<SessionRepository['endOwn']>[0],
): Promise<string[]> {
  const sessions = work.use(SessionRepository);
  const ended = await sessions.endOwn(which);
  for (const id of ended) sessions.note('session.end', { id, userId: work.scope.actor.id ?? '' });
  return ended;
}

/** @throws AppError 404 `session_not_found`, also for those of others and those that have ended */
export async function endMySession(
  work: UnitOfWork,
  { id }: InputOf<typeof me.endSession>,
): Promise<{ data: Deleted }> {
  const ended = isUuid(id) ? await endSessions(work, { id }) : [];
  const [one] = ended;
  if (one === undefined) throw new AppError('session_not_found');
  return { data: { id: one, deleted: true } };
}

export async function endMyOtherSessions(work: UnitOfWork): Promise<{ data: { ended: number } }> {
  const ended = await endSessions(work, { except: work.scope.sessionId });
  return { data: { ended: ended.length } };
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
  if (principal.kind === 'anonymous' || principal.kind === 'preview')
    throw new Error('only users and keys have rights');
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

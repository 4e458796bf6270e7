import { actions, projectResources, type Action, type ProjectResource } from '../../contracts/rights.js';

/**
 * Where a grant applies: content types by id, so that a rename changes nothing. An absent key limits
 * nothing; lists are never empty. Roles store the keys down to `ownOnly`; the rest come from API keys.
 */
export interface Scope {
  readonly contentTypes?: readonly string[];
  readonly siteIds?: readonly string[];
  readonly locales?: readonly string[];
  readonly fields?: readonly string[];
  /** Slugs. */
  readonly environments?: readonly string[];
  readonly treeNodeIds?: readonly string[];
  readonly ownOnly?: true;
  /** Nothing that the public can read. */
  readonly draftsOnly?: true;
  /** No place in the global tree, which belongs to all sites. */
  readonly siteTreesOnly?: true;
  /** Finds the rows that a write is about; permits no read operation. */
  readonly duringWrites?: true;
}

/** One permission, and where it applies. Grants add up; none forbids. */
export interface Grant {
  /** A resource of {@link projectResources}, or `*`. */
  readonly resource: string;
  /** An action of {@link actions}, or `*`. */
  readonly action: string;
  readonly scope: Scope;
}

/** A permission by name, such as `entries.publish`. */
export type VerbName = `${ProjectResource}.${Action}`;

export interface Verb {
  readonly resource: ProjectResource;
  readonly action: Action;
}

/**
 * What a verb is applied to. An absent key means that the thing has no such property: a grant limited by
 * it does not reach the thing.
 */
export interface Target {
  readonly contentTypeId?: string;
  readonly siteId?: string | null;
  /** Locales that are written; null stands for values shared by all. `any`: not known yet, one suffices. */
  readonly locales?: readonly (string | null)[] | 'any';
  /** Fields that are written, and `_slug`. `any`: not known yet, one suffices. */
  readonly fields?: readonly string[] | 'any';
  /** The tree node and all above it; an entry's are those of its place. */
  readonly nodeIds?: readonly string[];
  readonly isOwn?: boolean;
  /** Whether the public sees the change. */
  readonly isLive?: boolean;
  /** The site of the tree it is placed in; null for the global tree. */
  readonly treeSiteId?: string | null | undefined;
}

/** For a question that comes before the written locales and fields are known. */
export const anyValue = { locales: 'any', fields: 'any' } as const satisfies Target;

/** Grants of a principal in one environment; null permits everything. */
export interface Rights {
  readonly grants: readonly Grant[] | null;
  readonly environmentSlug: string | null;
}

const managed: ReadonlySet<Action> = new Set(['read', 'create', 'update', 'delete', 'manage']);

const coversAction = (granted: string, action: Action): boolean =>
  granted === '*' || granted === action || (granted === 'manage' && managed.has(action));

/** Whether a grant names the verb, wherever it applies. */
export const coversVerb = (grant: Grant, { resource, action }: Verb): boolean =>
  (grant.resource === '*' || grant.resource === resource) && coversAction(grant.action, action);

const allVerbs: readonly Verb[] = projectResources.flatMap((resource) =>
  actions.map((action): Verb => ({ resource, action })),
);

const verbsByName: ReadonlyMap<string, Verb> = new Map(
  allVerbs.map((verb) => [`${verb.resource}.${verb.action}`, verb]),
);

export function verbOf(name: VerbName): Verb {
  const verb = verbsByName.get(name);
  if (verb === undefined) throw new Error(`unknown permission ${name}`);
  return verb;
}

/** Every verb that a grant names. */
export const verbsOf = (grant: Grant): Verb[] => allVerbs.filter((verb) => coversVerb(grant, verb));

/** The grants that name a verb in this environment, wherever else they apply. */
export function grantsFor({ grants, environmentSlug }: Rights, name: VerbName): readonly Grant[] {
  if (grants === null) return [];
  const verb = verbOf(name);
  return grants.filter(
    (grant) =>
      coversVerb(grant, verb) &&
      (grant.scope.environments === undefined || grant.scope.environments.includes(environmentSlug ?? '')),
  );
}

/** Whether the verb is permitted on some target. */
export function isPermittedSomewhere(rights: Rights, name: VerbName): boolean {
  return (
    rights.grants === null || grantsFor(rights, name).some(({ scope }) => scope.duringWrites === undefined)
  );
}

/** Whether the verb is permitted on every target. */
export function isPermittedEverywhere(rights: Rights, name: VerbName): boolean {
  if (rights.grants === null) return true;
  return grantsFor(rights, name).some(
    ({ scope: { environments: _environments, ...rest } }) => Object.keys(rest).length === 0,
  );
}

/** Whether a list of a scope includes a value of the target. */
export const includesValue = <T>(list: readonly T[] | undefined, value: T | undefined): boolean =>
  list === undefined || (value !== undefined && list.includes(value));

/** Whether a grant reaches a row, whatever is written of it. */
function reachesRow({ scope }: Grant, target: Target): boolean {
  return (
    includesValue(scope.contentTypes, target.contentTypeId) &&
    includesValue(scope.siteIds, target.siteId ?? undefined) &&
    (scope.treeNodeIds === undefined ||
      target.nodeIds?.some((id) => scope.treeNodeIds?.includes(id)) === true) &&
    (scope.ownOnly === undefined || target.isOwn === true) &&
    (scope.draftsOnly === undefined || target.isLive !== true) &&
    (scope.siteTreesOnly === undefined || target.treeSiteId !== null)
  );
}

/** Stands for a value that is not known yet; no locale or field can be named so. */
const ANY = Symbol('any');

/** The values of a target to check one by one; undefined where the verb writes none. */
function valuesOf<T>(values: readonly T[] | 'any' | undefined): readonly (T | typeof ANY | undefined)[] {
  if (values === 'any') return [ANY];
  return values === undefined || values.length === 0 ? [undefined] : values;
}

const reachesValue = (
  list: readonly string[] | undefined,
  value: string | null | typeof ANY | undefined,
): boolean => value === ANY || includesValue(list, value ?? undefined);

/**
 * Whether a verb is permitted on a target. Reading is by row: who may read an entry reads every locale
 * and field of it. Writing needs, for each locale and field, a grant that reaches it.
 */
export function isAllowed(rights: Rights, name: VerbName, target: Target): boolean {
  if (rights.grants === null) return true;
  const reaching = grantsFor(rights, name).filter((grant) => reachesRow(grant, target));
  if (verbOf(name).action === 'read') return reaching.length > 0;
  return valuesOf(target.locales).every((locale) =>
    valuesOf(target.fields).every((field) =>
      reaching.some(({ scope }) => reachesValue(scope.locales, locale) && reachesValue(scope.fields, field)),
    ),
  );
}

/** Whether the answer to a verb depends on the nodes above a target, so that they must be looked up. */
export const needsNodePaths = (rights: Rights, name: VerbName): boolean =>
  grantsFor(rights, name).some(({ scope }) => scope.treeNodeIds !== undefined);

/**
 * Readable values of one limit, for things that no other limit reaches, such as sites by their id.
 * @returns null where everything may be read
 */
export function readableValues(
  rights: Rights,
  resource: ProjectResource,
  key: 'siteIds' | 'contentTypes',
): readonly string[] | null {
  if (rights.grants === null) return null;
  const others = (['contentTypes', 'siteIds', 'treeNodeIds', 'ownOnly'] as const).filter(
    (one) => one !== key,
  );
  const scopes = grantsFor(rights, `${resource}.read`)
    .map(({ scope }) => scope)
    .filter((scope) => others.every((other) => scope[other] === undefined));
  if (scopes.some((scope) => scope[key] === undefined)) return null;
  return [...new Set(scopes.flatMap((scope) => scope[key] ?? []))];
}

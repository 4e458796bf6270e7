import { actions, projectResources, type Action, type ProjectResource } from '../../contracts/rights.js';

/**
 * Where a grant applies, as it is stored: content types by id, so that a rename changes nothing.
 * A key that is absent limits nothing; lists are never empty.
 */
export interface Scope {
  readonly contentTypes?: readonly string[];
  readonly siteIds?: readonly string[];
  readonly locales?: readonly string[];
  readonly fields?: readonly string[];
  readonly environments?: readonly string[];
  readonly treeNodeIds?: readonly string[];
  readonly ownOnly?: true;
}

/** One thing that a principal may do, and where. Grants add up; none forbids. */
export interface Grant {
  /** A resource of {@link projectResources}, or `*`. */
  readonly resource: string;
  /** An action of {@link actions}, or `*`. */
  readonly action: string;
  readonly scope: Scope;
}

/** What is asked for. */
export interface Verb {
  readonly resource: ProjectResource;
  readonly action: Action;
}

/**
 * What a verb is done to. A key that is absent says that the thing has nothing of the kind: a grant
 * that is limited by it does not reach the thing.
 */
export interface Target {
  readonly contentTypeId?: string;
  readonly siteId?: string | null;
  /** Locales that are written; null stands for what all of them share. */
  readonly locales?: readonly (string | null)[];
  /** Fields that are written, and `_slug`. */
  readonly fields?: readonly string[];
  /** The tree node and all above it; an entry's are those of its place. */
  readonly nodeIds?: readonly string[];
  readonly isOwn?: boolean;
}

/** Grants of a principal in one environment; null permits everything. */
export interface Rights {
  readonly grants: readonly Grant[] | null;
  readonly environmentSlug: string | null;
}

const managed: ReadonlySet<Action> = new Set(['read', 'create', 'update', 'delete', 'manage']);

const coversAction = (granted: string, action: Action): boolean =>
  granted === '*' || granted === action || (granted === 'manage' && managed.has(action));

/** Whether a grant is about the verb, wherever it applies. */
export const speaksOf = (grant: Grant, { resource, action }: Verb): boolean =>
  (grant.resource === '*' || grant.resource === resource) && coversAction(grant.action, action);

/** Every verb that a grant is about. */
export const verbsOf = (grant: Grant): Verb[] =>
  projectResources
    .flatMap((resource) => actions.map((action): Verb => ({ resource, action })))
    .filter((verb) => speaksOf(grant, verb));

/** The grants that speak of a verb in this environment, wherever else they apply. */
export function grantsFor({ grants, environmentSlug }: Rights, verb: Verb): readonly Grant[] {
  return (grants ?? []).filter(
    (grant) =>
      speaksOf(grant, verb) &&
      (grant.scope.environments === undefined || grant.scope.environments.includes(environmentSlug ?? '')),
  );
}

/** Whether the verb is permitted anywhere: what the gate asks. */
export function isPermittedSomewhere(rights: Rights, verb: Verb): boolean {
  return rights.grants === null || grantsFor(rights, verb).length > 0;
}

/** Whether the verb is permitted whatever it is done to. */
export function isPermittedEverywhere(rights: Rights, verb: Verb): boolean {
  if (rights.grants === null) return true;
  return grantsFor(rights, verb).some(
    ({ scope: { environments: _environments, ...rest } }) => Object.keys(rest).length === 0,
  );
}

const holds = <T>(list: readonly T[] | undefined, value: T | undefined): boolean =>
  list === undefined || (value !== undefined && list.includes(value));

/** Whether a grant reaches a row, what is written of it aside. */
function reachesRow({ scope }: Grant, target: Target): boolean {
  return (
    holds(scope.contentTypes, target.contentTypeId) &&
    holds(scope.siteIds, target.siteId ?? undefined) &&
    (scope.treeNodeIds === undefined ||
      target.nodeIds?.some((id) => scope.treeNodeIds?.includes(id)) === true) &&
    (scope.ownOnly === undefined || target.isOwn === true)
  );
}

/** Every pair of what is written and where; one of nothing where the verb writes no values. */
function written({
  locales,
  fields,
}: Target): { locale: string | null | undefined; field: string | undefined }[] {
  const places = locales === undefined || locales.length === 0 ? [undefined] : locales;
  const names = fields === undefined || fields.length === 0 ? [undefined] : fields;
  return places.flatMap((locale) => names.map((field) => ({ locale, field })));
}

/**
 * Whether a verb may be done to a target. Reading is by row: who may read an entry reads every locale
 * and field of it. Writing needs, for each locale and field, a grant that reaches it.
 */
export function isAllowed(rights: Rights, verb: Verb, target: Target): boolean {
  if (rights.grants === null) return true;
  const reaching = grantsFor(rights, verb).filter((grant) => reachesRow(grant, target));
  if (verb.action === 'read') return reaching.length > 0;
  return written(target).every(({ locale, field }) =>
    reaching.some(({ scope }) => holds(scope.locales, locale ?? undefined) && holds(scope.fields, field)),
  );
}

/** Whether a verb may be done to a row at all: in some locale, to some field. */
export function isRowAllowed(rights: Rights, verb: Verb, target: Target): boolean {
  return rights.grants === null || grantsFor(rights, verb).some((grant) => reachesRow(grant, target));
}

/**
 * What may be read of things that only one kind of limit reaches, such as sites by their id.
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
  const scopes = grantsFor(rights, { resource, action: 'read' })
    .map(({ scope }) => scope)
    .filter((scope) => others.every((other) => scope[other] === undefined));
  if (scopes.some((scope) => scope[key] === undefined)) return null;
  return [...new Set(scopes.flatMap((scope) => scope[key] ?? []))];
}

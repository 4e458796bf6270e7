import { actions, projectResources, type Action, type ProjectResource } from '../../contracts/rights.js';

/**
 * Content types are listed by id, so that renames change nothing. An absent key limits nothing; lists are never
 * empty. Roles store the keys down to `ownOnly`; API keys have the rest.
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
  /** Nothing public. */
  readonly draftsOnly?: true;
  /** Excludes the global tree, which belongs to all sites. */
  readonly siteTreesOnly?: true;
  /** Finds the rows of a write; permits no read operation. */
  readonly duringWrites?: true;
}

/** Grants add up; none denies. */
export interface Grant {
  /** A resource of {@link projectResources}, or `*`. */
  readonly resource: string;
  /** An action of {@link actions}, or `*`. */
  readonly action: string;
  readonly scope: Scope;
}

/** Such as `entries.publish`. */
export type VerbName = `${ProjectResource}.${Action}`;

export interface Verb {
  readonly resource: ProjectResource;
  readonly action: Action;
}

/** What a verb applies to. A grant limited by an absent key does not cover the target. */
export interface Target {
  readonly contentTypeId?: string;
  readonly siteId?: string | null;
  /** Written locales; null is for shared values. `any`: not known yet, one suffices. */
  readonly locales?: readonly (string | null)[] | 'any';
  /** Written fields, and `_slug`. `any`: not known yet, one suffices. */
  readonly fields?: readonly string[] | 'any';
  /** The tree node and its ancestors; for an entry, those of its position. */
  readonly nodeIds?: readonly string[];
  readonly isOwn?: boolean;
  /** Whether the change is public. */
  readonly isLive?: boolean;
  /** The site of its tree; null for the global tree. */
  readonly treeSiteId?: string | null | undefined;
}

/** For checks before the written locales and fields are known. */
export const anyValue = { locales: 'any', fields: 'any' } as const satisfies Target;

/** In one environment; null grants permit everything. */
export interface Rights {
  readonly grants: readonly Grant[] | null;
  readonly environmentSlug: string | null;
}

const managed: ReadonlySet<Action> = new Set(['read', 'create', 'update', 'delete', 'manage']);

/** Actions that a grant must name (rules workflows/strict, entries/import). Keys hold none: they cannot name them. */
export const namedVerbs = ['workflows.override', 'entries.import'] as const satisfies readonly VerbName[];
const named: ReadonlySet<Action> = new Set(['override', 'import']);

/** Who may update may also make transitions (rule workflows/transitions). */
const coversAction = (granted: string, action: Action): boolean =>
  granted === action ||
  (granted === '*' && !named.has(action)) ||
  (granted === 'update' && action === 'transition') ||
  (granted === 'manage' && managed.has(action));

/** Ignores the scope of the grant. */
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

export const verbsOf = (grant: Grant): Verb[] => allVerbs.filter((verb) => coversVerb(grant, verb));

/** Resources that belong to an environment; the others belong to the project or the tenant. */
const environmentResources: ReadonlySet<ProjectResource> = new Set([
  'entries',
  'releases',
  'contentTypes',
  'customFieldTypes',
  'tree',
  'media',
  'redirects',
  'workflows',
  'translations',
  'search',
  'calendar',
]);

/** A grant limited to environments reads everything, and writes what belongs to them (rule access/key-limits). */
const reachesEnvironment = (
  { scope: { environments } }: Grant,
  { resource, action }: Verb,
  environmentSlug: string | null,
): boolean =>
  environments === undefined ||
  (environments.includes(environmentSlug ?? '') && (action === 'read' || environmentResources.has(resource)));

/** In this environment, whatever their other limits. */
export function grantsFor({ grants, environmentSlug }: Rights, name: VerbName): readonly Grant[] {
  if (grants === null) return [];
  const verb = verbOf(name);
  return grants.filter(
    (grant) => coversVerb(grant, verb) && reachesEnvironment(grant, verb, environmentSlug),
  );
}

export function isPermittedSomewhere(rights: Rights, name: VerbName): boolean {
  return (
    rights.grants === null || grantsFor(rights, name).some(({ scope }) => scope.duringWrites === undefined)
  );
}

export function isPermittedEverywhere(rights: Rights, name: VerbName): boolean {
  if (rights.grants === null) return true;
  return grantsFor(rights, name).some(
    ({ scope: { environments: _environments, ...rest } }) => Object.keys(rest).length === 0,
  );
}

export const includesValue = <T>(list: readonly T[] | undefined, value: T | undefined): boolean =>
  list === undefined || (value !== undefined && list.includes(value));

/** Ignores the written locales and fields. */
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

/** Represents a value not known yet; no locale or field has this name. */
const ANY = Symbol('any');

/** Undefined for verbs that write none. */
function valuesOf<T>(values: readonly T[] | 'any' | undefined): readonly (T | typeof ANY | undefined)[] {
  if (values === 'any') return [ANY];
  return values === undefined || values.length === 0 ? [undefined] : values;
}

const reachesValue = (
  list: readonly string[] | undefined,
  value: string | null | typeof ANY | undefined,
): boolean => value === ANY || includesValue(list, value ?? undefined);

/** Reads are checked by row: a readable entry is readable in full. Each written locale and field needs a grant. */
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

type Holder = Pick<Rights, 'grants'> & { readonly actor: { readonly type: string } };

function namingGrants({ grants, actor }: Holder, name: (typeof namedVerbs)[number]): readonly Grant[] {
  if (actor.type !== 'user') return [];
  const verb = verbOf(name);
  return grants === null ? [{ ...verb, scope: {} }] : grants.filter((grant) => coversVerb(grant, verb));
}

/** Grants to publish what a strict workflow has not approved. */
export const overridingGrants = (holder: Holder): readonly Grant[] =>
  namingGrants(holder, 'workflows.override');

/** Whether times and authors of another system may be kept in any locale or field of the target. */
export const mayImport = (holder: Holder & Rights, target: Target): boolean =>
  isAllowed(
    { grants: namingGrants(holder, 'entries.import'), environmentSlug: holder.environmentSlug },
    'entries.import',
    { ...target, ...anyValue },
  );

/** Whether every entry of a site is readable. */
export const readsSite = (rights: Rights, siteId: string): boolean =>
  rights.grants === null ||
  grantsFor(rights, 'entries.read').some(
    ({ scope: { contentTypes, siteIds, treeNodeIds, ownOnly, duringWrites } }) =>
      [contentTypes, treeNodeIds, ownOnly, duringWrites].every((limit) => limit === undefined) &&
      includesValue(siteIds, siteId),
  );

/** Whether the check depends on a target's ancestors, so that they must be read. */
export const needsNodePaths = (rights: Rights, name: VerbName): boolean =>
  grantsFor(rights, name).some(({ scope }) => scope.treeNodeIds !== undefined);

/**
 * Readable values of one limit, where no other limit applies, such as ids of sites.
 * @returns null if everything may be read
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

/** What of it reads; null permits everything. */
export const readingOnly = (grants: readonly Grant[] | null): readonly Grant[] =>
  grants === null
    ? [{ resource: '*', action: 'read', scope: {} }]
    : grants.flatMap((grant) =>
        readActions.has(grant.action) ? [{ ...grant, action: 'read' as const }] : [],
      );

const readActions: ReadonlySet<string> = new Set(['read', '*', 'manage']);

const bothLimits = ['contentTypes', 'siteIds', 'locales', 'fields', 'environments', 'treeNodeIds'] as const;

/** What both scopes permit; undefined if that is nothing. */
function sharedScope(one: Scope, other: Scope): Scope | undefined {
  const lists = bothLimits.flatMap((key): [string, readonly string[]][] => {
    const [own, given] = [one[key], other[key]];
    if (own === undefined || given === undefined) return [[key, own ?? given ?? []]];
    return [[key, own.filter((value) => given.includes(value))]];
  });
  const limited = lists.filter(([key]) => key in one || key in other);
  if (limited.some(([, values]) => values.length === 0)) return undefined;
  return { ...one, ...other, ...Object.fromEntries(limited) };
}

/**
 * What both lists of grants permit.
 * @param held undefined permits nothing, null everything
 */
export function sharedGrants(
  own: readonly Grant[] | null,
  held: readonly Grant[] | null | undefined,
): readonly Grant[] | null {
  if (held === undefined) return [];
  if (own === null || held === null) return own ?? held;
  return own.flatMap((grant) =>
    held.flatMap((other) => {
      const scope = sharedScope(grant.scope, other.scope);
      if (scope === undefined) return [];
      const shared = verbsOf(grant).filter((verb) => coversVerb(other, verb));
      const whole = [grant, other].find((one) => verbsOf(one).length === shared.length);
      return whole === undefined ? shared.map((verb) => ({ ...verb, scope })) : [{ ...whole, scope }];
    }),
  );
}

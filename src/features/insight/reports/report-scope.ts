import { grantsFor, type Grant, type VerbName } from '../../../access/grants.js';
import type { Catalog } from '../../../content/catalog.js';
import type { WorkScope } from '../../../persistence/work/unit-of-work.js';
import { resolveLocale, resolveSiteIds, resolveTypeIds } from '../../entries/entries/index.js';

export interface ScopeInput {
  readonly siteId?: readonly string[] | undefined;
  readonly locale?: readonly string[] | undefined;
  readonly contentTypeApiName?: readonly string[] | undefined;
}

/** Null filters match all. */
export interface ReportFilter {
  readonly siteIds: readonly string[] | null;
  readonly locales: readonly string[] | null;
  readonly contentTypeIds: readonly string[] | null;
}

/** @throws AppError 404 for what does not exist */
export function resolveFilter(catalog: Catalog, input: ScopeInput): ReportFilter {
  return {
    siteIds: resolveSiteIds(catalog, input.siteId),
    locales: input.locale?.map((locale) => resolveLocale(catalog, locale) ?? locale) ?? null,
    contentTypeIds: resolveTypeIds(catalog, input.contentTypeApiName),
  };
}

export type Bind = (value: unknown) => string;

/** Columns of what a report counts; without actor, grants for own entries reach nothing. */
export interface ReportColumns {
  readonly site: string;
  readonly locale: string;
  readonly type: string;
  readonly actor?: string;
  /** Reads to be granted; by default, reports and entries. */
  readonly verbs?: readonly VerbName[];
}

/** A grant for parts of a tree reaches nothing: counts do not know positions. */
function reached(
  { scope }: Grant,
  place: ReportColumns,
  { bind, actorId }: { bind: Bind; actorId: string },
): string {
  if (scope.treeNodeIds !== undefined) return 'false';
  const conditions = [
    scope.siteIds && `${place.site} = ANY(${bind(scope.siteIds)}::uuid[])`,
    scope.contentTypes && `${place.type} = ANY(${bind(scope.contentTypes)}::uuid[])`,
    scope.locales && `${place.locale} = ANY(${bind(scope.locales)}::text[])`,
    scope.ownOnly && (place.actor === undefined ? 'false' : `${place.actor} = ${bind(actorId)}`),
  ];
  const limits = conditions.filter((condition) => condition !== undefined);
  return limits.length === 0 ? 'true' : `(${limits.join(' AND ')})`;
}

const reportVerbs = ['reports.read', 'entries.read'] as const;

/** SQL condition for what the caller may read: all verbs must be granted. */
function readable(scope: WorkScope, place: ReportColumns, bind: Bind): string {
  if (scope.grants === null) return 'true';
  const context = { bind, actorId: scope.actor.id ?? '' };
  const conditions = (place.verbs ?? reportVerbs).map((verb) => {
    const grants = grantsFor(scope, verb);
    return grants.length === 0
      ? 'false'
      : `(${grants.map((one) => reached(one, place, context)).join(' OR ')})`;
  });
  return conditions.join(' AND ');
}

/** Whether what the caller asks for and may read depends on locales. */
export const isLimitedToLocales = ({ grants }: WorkScope, { locales }: ReportFilter): boolean =>
  locales !== null || (grants?.some(({ scope }) => scope.locales !== undefined) ?? false);

/** Whether what the caller may read depends on who acted. */
export const isLimitedToOwn = ({ grants }: WorkScope): boolean =>
  grants?.some(({ scope }) => scope.ownOnly !== undefined) ?? false;

/** SQL condition for the filter and {@link readable}. */
export function inScope(
  scope: WorkScope,
  filter: ReportFilter,
  { place, bind }: { place: ReportColumns; bind: Bind },
): string {
  const { siteIds, locales, contentTypeIds } = filter;
  const conditions = [
    siteIds && `${place.site} = ANY(${bind(siteIds)}::uuid[])`,
    locales && `${place.locale} = ANY(${bind(locales)}::text[])`,
    contentTypeIds && `${place.type} = ANY(${bind(contentTypeIds)}::uuid[])`,
    readable(scope, place, bind),
  ];
  return conditions.filter((condition) => condition !== null).join(' AND ');
}

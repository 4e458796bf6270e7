import { z } from 'zod';
import type { ErrorCode } from '../../error-codes.js';
import { limits } from '../../limits.js';
import type { RootFieldMeta } from '../../metadata.js';
import { cursor, inPath } from '../../primitives.js';
import { delivery } from '../../procedure.js';
import { EntryContent, ReadOrigin } from './content-entry.js';
import { DeliveryMedia } from '../../media/media/media-asset.js';
import { RouteResolution, SiteRedirect, SiteTreeNode, treeView } from './route.js';
import {
  completionParameters,
  FoundContent,
  highlight,
  SearchCompletion,
  searchCounts,
  searchText,
  siteFacets,
  siteSort,
} from './search-hit.js';
import { inProject } from '../../routes.js';
import { contentFilter, redirectLocale, where } from './parameters.js';

const rootField = (graphql: RootFieldMeta, errors: readonly ErrorCode[]) =>
  delivery({ graphql, resource: 'entries', action: 'read', errors });

const siteSlug = z.string().meta({ description: 'Site slug.' });
const locale = z.string().meta({ description: 'Locale. Its fallbacks apply.' });
const preview = z.boolean().optional().meta({
  description:
    'Read drafts. Defaults to true for preview and management keys; not allowed for delivery keys.',
});

const page = {
  limit: z
    .int()
    .min(1)
    .max(limits.pageLimitMaximum)
    .default(limits.pageLimitDefault)
    .meta({ description: `Maximum number of items, 1 to ${limits.pageLimitMaximum}.` }),
  skip: z.int().min(0).default(0).meta({ description: 'Number of items to skip.' }),
};
const pageMeta = { total: z.int(), skip: z.int(), limit: z.int() };

/** Null if no entry matches. */
const entryOrNull = z.object({ data: EntryContent.nullable(), meta: ReadOrigin });

/**
 * Root fields of GraphQL (rule graphql/endpoint); no other surface serves them. Slugs, ids, locales and paths accept every
 * string: the use case returns null or fails.
 */
export const graphqlReads = {
  entry: rootField(
    {
      field: 'entry',
      description:
        'Read an entry by id, in a locale or else in the default locale of its site. Preview and management keys read the draft.',
      complexity: 5,
    },
    ['locale_not_found'],
  )
    .input(
      inProject({
        id: z.string().meta({ description: 'Entry id.' }),
        locale: z.string().optional().meta({
          description:
            'Locale. Its fallbacks apply. Defaults to the default locale of the site of the entry.',
        }),
      }),
    )
    .output(entryOrNull),

  entryBySlug: rootField(
    {
      field: 'entryBySlug',
      description:
        'Read an entry by slug. If several entries have the slug, returns the one published first.',
      complexity: 5,
      argumentAliases: { siteSlug: 'site' },
    },
    ['site_not_found', 'locale_not_found', 'preview_not_allowed'],
  )
    .input(
      inProject({
        slug: z.string().meta({ description: 'Slug in the locale.' }),
        siteSlug,
        locale,
        preview,
      }),
    )
    .output(entryOrNull),

  collection: rootField(
    {
      field: '{contentTypeApiName}Collection',
      description: 'List entries of type {contentTypeApiName}, newest _updatedAt first.',
      complexity: 10,
      argumentAliases: { siteSlug: 'site' },
      ignored: { where: 'where_not_applied', orderBy: 'order_by_not_applied' },
    },
    [
      'site_not_found',
      'locale_not_found',
      'content_type_not_found',
      'preview_not_allowed',
      'validation_failed',
    ],
  )
    .input(
      inProject({
        contentTypeApiName: inPath('apiName of the content type.', 'article'),
        siteSlug: siteSlug.optional().meta({ description: 'Site slug. Defaults to all sites.' }),
        locale: locale.optional().meta({
          description: "Locale. Its fallbacks apply. Defaults to the default locale of each entry's site.",
        }),
        preview,
        ...page,
        cursor: cursor.meta({
          description:
            'Read a page by cursor instead of `skip`: `*` for the first page, then `nextCursor` with the same arguments. An entry that is republished during the walk can be missed; REST `content/{apiName}?orderBy=createdAt:asc` misses none.',
        }),
        where: z
          .unknown()
          .optional()
          .meta({ description: 'Not applied. The response has a warning in `extensions`.' }),
        orderBy: z.string().optional().meta({
          description:
            'Not applied. Collections are sorted by _updatedAt, newest first. To sort by a field, use `search(type, sort)`, which needs no `q`.',
        }),
      }),
    )
    .output(
      z.object({
        data: z.array(EntryContent),
        meta: ReadOrigin.extend({ ...pageMeta, nextCursor: z.string().nullable().optional() }),
      }),
    ),

  asset: rootField(
    {
      field: 'asset',
      description: 'Read an asset. Null if it does not exist.',
      complexity: 5,
    },
    ['locale_not_found'],
  )
    .input(
      inProject({
        id: z.string().meta({ description: 'Asset id.' }),
        locale: locale.optional().meta({
          description: "Locale. Its fallbacks apply. Defaults to the tenant's default locale.",
        }),
      }),
    )
    .output(z.object({ data: DeliveryMedia.nullable() })),

  resolveRoute: rootField(
    {
      field: 'resolveRoute',
      description:
        'Resolve a path to an entry or a redirect. Null if neither matches. A path that a redirect declares gone is the error `route_gone`.',
      complexity: 1,
      argumentAliases: { siteSlug: 'site' },
    },
    ['site_not_found', 'locale_not_found', 'validation_failed'],
  )
    .input(
      inProject({
        siteSlug,
        locale,
        path: z.string().meta({
          description:
            'Path on the site. Fragment and trailing slash are ignored, as is the query except by redirects.',
        }),
      }),
    )
    .output(
      z.object({
        data: RouteResolution.extend({ entry: EntryContent.nullable() }).nullable(),
        meta: ReadOrigin,
      }),
    ),

  tree: rootField(
    {
      field: 'tree',
      description: 'Read the published tree of a site. Null if `root` names no published node.',
      complexity: 10,
      argumentAliases: { siteSlug: 'site' },
    },
    ['site_not_found', 'locale_not_found', 'limit_reached', 'validation_failed'],
  )
    .input(inProject({ siteSlug, ...treeView }))
    .output(z.object({ data: z.array(SiteTreeNode).nullable() })),

  search: rootField(
    {
      field: 'search',
      description:
        'Search the entries of a site, as delivery search over REST does. `filter`, `sort` and `facets` by field require `type` or `where`.',
      complexity: 100,
      argumentAliases: { siteSlug: 'site', contentTypeApiName: 'type' },
    },
    [
      'site_not_found',
      'locale_not_found',
      'content_type_not_found',
      'preview_not_allowed',
      'search_unavailable',
      'validation_failed',
    ],
  )
    .input(
      inProject({
        siteSlug,
        locale: locale.optional().meta({
          description: 'Locale. Its fallbacks apply. Defaults to the default locale of the site.',
        }),
        contentTypeApiName: z.string().optional().meta({ description: 'Filter by content type.' }),
        preview,
        q: searchText,
        filter: contentFilter.meta({
          description:
            'Filter by field values and by `_slug`, `_id` and `_publishedAt`: `{field: {operator: "value"}}` with the operators of REST. Values are strings; those of in and nin may be lists of strings.',
        }),
        where: where.meta({
          description:
            'Filter by the fields of one content type, under its name: `{Article: {title: {contains: "lock"}}}`. The operators are those of `where` over REST. `type` can be left out.',
        }),
        sort: siteSort,
        facets: siteFacets,
        highlight,
        ...page,
      }),
    )
    .output(
      z.object({
        data: z.array(FoundContent),
        meta: ReadOrigin.extend({ ...pageMeta, ...searchCounts }),
      }),
    ),

  suggest: rootField(
    {
      field: 'suggest',
      description: 'Suggest queries and entries of a site, as delivery search over REST does.',
      complexity: 50,
      argumentAliases: { siteSlug: 'site' },
    },
    ['site_not_found', 'locale_not_found', 'preview_not_allowed', 'search_unavailable', 'validation_failed'],
  )
    .input(
      inProject({
        siteSlug,
        ...completionParameters,
        locale: locale.optional().meta({
          description: 'Locale. Its fallbacks apply. Defaults to the default locale of the site.',
        }),
        preview,
      }),
    )
    .output(z.object({ data: z.array(SearchCompletion) })),

  redirects: rootField(
    {
      field: 'redirects',
      description: 'List the active redirects of a site. The first one that matches a path applies.',
      complexity: 10,
      argumentAliases: { siteSlug: 'site' },
    },
    ['site_not_found', 'locale_not_found'],
  )
    .input(inProject({ siteSlug, locale: redirectLocale, ...page }))
    .output(z.object({ data: z.array(SiteRedirect), meta: z.object(pageMeta) })),
};

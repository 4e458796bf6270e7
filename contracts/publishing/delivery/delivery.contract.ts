import { z } from 'zod';
import { dataOf, listOf, PageMeta } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { anyOf, cursorPaging, inPath, orderBy, paging } from '../../primitives.js';
import { delivery } from '../../procedure.js';
import { DeliveryEntry } from './content-entry.js';
import { DeliveryMedia } from '../../media/media/media-asset.js';
import { RoutePath, RouteResult, SiteRedirect, SitemapUrl, SiteTreeNode, treeView } from './route.js';
import {
  completionParameters,
  highlight,
  SearchCompletion,
  SearchHit,
  searchText,
  siteFacets,
  SiteSearchMeta,
  siteSort,
} from './search-hit.js';
import { ContentListMeta, contentSourceMaps, dataWithSources } from './source-map.js';
import { SyncItem, SyncMeta, syncParameters } from './sync.js';
import { deliveryRoute, inSite } from '../../routes.js';
import {
  contentFilter,
  where,
  fieldSelection,
  blocks,
  deliveryLocale,
  include,
  links,
  paths,
  previewSession,
  future,
  futureFailures,
  previewToken,
  redirectLocale,
} from './parameters.js';

const previewFailures = ['invalid_preview_token', ...futureFailures] as const;

export const deliveryReads = {
  getEntry: delivery({
    openapi: deliveryRoute('/entries/{id}', {
      summary: 'Get an entry',
      description:
        'Returns one published entry with its values resolved for the locale. With a preview or management key, returns the draft.',
      tags: ['Delivery'],
    }),
    resource: 'entries',
    action: 'read',
    cacheable: true,
    errors: [...(['site_not_found', 'locale_not_found', 'entry_not_found'] as const), ...previewFailures],
  })
    .input(
      inSite({
        id: inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
        locale: deliveryLocale,
        include,
        blocks,
        paths,
        links,
        previewToken,
        contentSourceMaps,
        ...future,
      }),
    )
    .output(dataWithSources(DeliveryEntry)),

  listContent: delivery({
    openapi: deliveryRoute('/content/{contentTypeApiName}', {
      summary: 'List entries of a type',
      description:
        'Returns published entries of one content type with full field values, most recently published first by default.',
      tags: ['Delivery'],
      passesUnknownParameters: true,
    }),
    resource: 'entries',
    action: 'read',
    cacheable: true,
    errors: [
      ...(['site_not_found', 'locale_not_found', 'content_type_not_found'] as const),
      ...previewFailures,
    ],
  })
    .input(
      inSite({
        contentTypeApiName: inPath('apiName of the content type.', 'article'),
        ...cursorPaging,
        orderBy: orderBy(
          ['createdAt', 'updatedAt'],
          'updatedAt:desc',
          'To sort by a field, use `search?contentTypeApiName={type}&sort=fields.{apiName}:asc`, which needs no `q`.',
        ),
        locale: deliveryLocale,
        include,
        blocks,
        paths,
        links,
        filter: contentFilter,
        where,
        fields: fieldSelection,
        previewToken: previewSession,
        contentSourceMaps,
        ...future,
      }),
    )
    .output(z.object({ data: z.array(DeliveryEntry), meta: ContentListMeta })),

  searchContent: delivery({
    openapi: deliveryRoute('/search', {
      summary: 'Search published entries',
      description:
        'Finds the published entries of a site by words in all their fields, and filters, sorts and counts them. An entry is found in the locale in which the site serves it. Without `q`, lists what the filters match. Filters, sorting and facets by field require one `contentTypeApiName`; `fields` does not. A publication is found within seconds. With a preview or management key, searches drafts.',
      tags: ['Delivery'],
      passesUnknownParameters: true,
    }),
    resource: 'entries',
    action: 'read',
    cacheable: true,
    errors: [
      ...(['site_not_found', 'locale_not_found', 'content_type_not_found', 'search_unavailable'] as const),
      ...previewFailures,
    ],
  })
    .input(
      inSite({
        q: searchText,
        ...paging,
        contentTypeApiName: anyOf(z.string(), 'Filter by content type.', 'article'),
        locale: deliveryLocale,
        filter: contentFilter,
        where,
        sort: siteSort,
        facets: siteFacets,
        highlight,
        include,
        blocks,
        paths,
        links,
        fields: fieldSelection,
        previewToken: previewSession,
        contentSourceMaps,
        ...future,
      }),
    )
    .output(z.object({ data: z.array(SearchHit), meta: SiteSearchMeta })),

  suggestSearch: delivery({
    openapi: deliveryRoute('/search/suggest', {
      summary: 'Suggest queries and published entries',
      description:
        'Completes the last word of a query while it is typed, and names published entries by title, with their paths. With a preview or management key, suggests drafts.',
      tags: ['Delivery'],
    }),
    resource: 'entries',
    action: 'read',
    cacheable: true,
    errors: [...(['site_not_found', 'locale_not_found', 'search_unavailable'] as const), ...previewFailures],
  })
    .input(
      inSite({ ...completionParameters, locale: deliveryLocale, previewToken: previewSession, ...future }),
    )
    .output(dataOf(z.array(SearchCompletion))),

  getMedia: delivery({
    openapi: deliveryRoute('/media/{assetId}', {
      summary: 'Get an asset',
      description:
        'Returns the metadata of one asset in a locale. Missing values come from the fallbacks of the locale. The URL of a private asset requires a signature.',
      tags: ['Delivery'],
    }),
    resource: 'media',
    action: 'read',
    cacheable: true,
    errors: [...(['site_not_found', 'locale_not_found', 'media_not_found'] as const), ...previewFailures],
  })
    .input(
      inSite({
        assetId: inPath('Id of the asset.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
        locale: deliveryLocale,
        ...future,
      }),
    )
    .output(dataOf(DeliveryMedia)),

  resolveRoute: delivery({
    openapi: deliveryRoute('/routes', {
      summary: 'Resolve a path',
      description:
        'Returns the published page at a path, or the redirect for it. If the site uses locale prefixes, the prefix selects the locale. A path that a redirect declares gone is 410.',
      tags: ['Delivery'],
    }),
    resource: 'entries',
    action: 'read',
    cacheable: true,
    errors: [
      ...(['site_not_found', 'locale_not_found', 'route_not_found', 'route_gone'] as const),
      ...previewFailures,
    ],
  })
    .input(
      inSite({
        path: RoutePath,
        locale: z.string().max(100).optional().meta({
          description:
            'Locale. Defaults to the locale of the path prefix, then to the site default. Fallbacks apply.',
          example: 'en',
        }),
        include,
        blocks,
        paths,
        links,
        previewToken,
        contentSourceMaps,
        ...future,
      }),
    )
    .output(dataWithSources(RouteResult)),

  getTree: delivery({
    openapi: deliveryRoute('/tree', {
      summary: 'Get the published tree',
      description: `Returns the published nodes of a site as a tree, for menus and breadcrumbs. What is below an unpublished page is left out, as are folders without anything published. Trees of more than ${limits.siteTreeNodes} nodes are rejected; use \`depth\` or \`root\` to return fewer. With a preview or management key, drafts are included.`,
      tags: ['Delivery'],
    }),
    resource: 'entries',
    action: 'read',
    cacheable: true,
    errors: [...(['site_not_found', 'locale_not_found', 'tree_node_not_found'] as const), ...previewFailures],
  })
    .input(inSite({ ...treeView, previewToken: previewSession, ...future }))
    .output(z.object({ data: z.array(SiteTreeNode) })),

  listRedirects: delivery({
    openapi: deliveryRoute('/redirects', {
      summary: 'List redirects',
      description:
        'Returns the active redirects of a site, those of moved pages included, for static sites and hosts. The first one that matches a path applies, unless the path has a page. A target may itself be redirected.',
      tags: ['Delivery'],
    }),
    resource: 'redirects',
    action: 'read',
    cacheable: true,
    errors: [...(['site_not_found', 'locale_not_found'] as const), ...previewFailures],
  })
    .input(inSite({ ...paging, locale: redirectLocale, ...future }))
    .output(listOf(SiteRedirect)),

  getSitemap: delivery({
    openapi: deliveryRoute('/sitemap', {
      summary: 'Get the sitemap',
      description: `Returns every published page of a site as an XML sitemap or as JSON, ${limits.sitemapUrls} URLs per page. The \`Link\` header points to the next page. A page whose boolean field \`noindex\` is true is omitted. URLs start with the \`baseUrl\` or \`domain\` of the site, otherwise with the public URL of the service.`,
      tags: ['Delivery'],
      streaming: {
        mediaType: 'application/xml',
        example:
          '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.example.com/locks</loc></url></urlset>',
      },
    }),
    resource: 'entries',
    action: 'read',
    cacheable: true,
    errors: [...(['site_not_found', 'locale_not_found'] as const), ...previewFailures],
  })
    .input(
      inSite({
        locale: z
          .string()
          .max(100)
          .optional()
          .meta({ description: 'Filter by locale. Defaults to all locales.', example: 'en' }),
        format: z
          .enum(['xml', 'json'])
          .default('xml')
          .meta({ description: 'Response format.', example: 'json' }),
        fallbacks: z.boolean().default(false).meta({
          description:
            'Also list pages that a locale shows by fallback, at the paths that they have there, so that a static build has the target of every link. Not for search engines.',
          example: true,
        }),
        page: paging.page,
        ...future,
      }),
    )
    .output(z.object({ data: z.array(SitemapUrl), meta: PageMeta })),

  sync: delivery({
    openapi: deliveryRoute('/sync', {
      summary: 'Follow the content of a site',
      description:
        'Returns all published content of a site in pages, then what has changed since: entries with their blocks and with references as links, assets in every locale, paths of pages, and redirects. A document can be returned more than once, and always as it is now. Apply the items of a page in their order, then store `meta.nextCursor`. Preview keys receive published content, too.',
      tags: ['Delivery'],
    }),
    resource: 'entries',
    action: 'read',
    errors: ['site_not_found', 'sync_cursor_expired', 'invalid_preview_token'],
  })
    .input(inSite(syncParameters))
    .output(z.object({ data: z.array(SyncItem), meta: SyncMeta })),
};

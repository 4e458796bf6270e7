import { z } from 'zod';
import { contentFilter, where } from '../../publishing/delivery/parameters.js';
import {
  completionParameters,
  highlight,
  SearchCompletion,
  searchFacets,
  searchSort,
  searchText,
} from '../../publishing/delivery/search-hit.js';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { anyOf, Id, InstantInput, LocaleCode, paging } from '../../primitives.js';
import { management } from '../../procedure.js';
import { EntryStatus } from '../../entries/entries/entry.js';
import { toolLimit, untrusted } from '../../entries/entries/tools.contract.js';
import {
  Reindex,
  searchModes,
  SearchMeta,
  SearchResult,
  SearchSettings,
  searchSettingsChange,
} from './search.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Search'];

const searchMode = z
  .enum(searchModes)
  .default('keyword')
  .meta({
    description: `What of \`q\` is searched for: its words, its meaning, or both. \`semantic\` and \`hybrid\` require an embedding server; they return the ${String(limits.searchNearest)} nearest results, and with \`hybrid\` also as many that have the words. Without \`q\`, no effect.`,
    example: 'hybrid',
  });
const group = z.enum(['entry']).optional().meta({
  description:
    'Return one result per entry, in the locale that comes first, with all `locales` found and the `path`. Total and facets count entries.',
  example: 'entry',
});
const resource = 'search';
const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';

export const search = {
  find: management({
    openapi: managementRoute('GET', '/search', {
      summary: 'Search entries',
      description:
        'Finds drafts by words in all their fields, in every language, and filters, sorts and counts them. Each result is one locale of an entry, or with `group=entry` one entry. Without `q`, lists what the filters match. Filters, sorting and facets by field require one `contentTypeApiName`; `fields` does not. Changes are found within seconds.',
      tags,
    }),
    resource,
    action: 'read',
    errors: [
      'content_type_not_found',
      'site_not_found',
      'locale_not_found',
      'semantic_search_unavailable',
      'search_unavailable',
      'embedding_unavailable',
    ],
  })
    .input(
      inProject({
        q: searchText,
        mode: searchMode,
        ...paging,
        contentTypeApiName: anyOf(z.string(), 'Filter by content type.', 'article'),
        siteId: anyOf(z.uuid(), 'Filter by site.', sampleId),
        locale: anyOf(LocaleCode, 'Filter by locale.', 'de'),
        status: anyOf(EntryStatus, 'Filter by status.', 'draft'),
        workflowState: anyOf(z.string().max(63), 'Filter by workflow state.', 'in_review'),
        assigneeId: anyOf(z.uuid(), 'Filter by assignee.', sampleId),
        createdBy: anyOf(z.string().max(200), 'Filter by the id of the creator.', sampleId),
        updatedBy: anyOf(z.string().max(200), 'Filter by the id of who changed it last.', sampleId),
        updatedAfter: InstantInput.optional().meta({
          description: 'Filter by entries updated after this time.',
          example: '2026-01-01T00:00:00Z',
        }),
        updatedBefore: InstantInput.optional().meta({
          description: 'Filter by entries updated before this time.',
          example: '2027-01-01T00:00:00Z',
        }),
        filter: contentFilter,
        where,
        sort: searchSort('title, createdAt, updatedAt, publishedAt'),
        facets: searchFacets('contentType, site, locale, status, workflowState, assignee'),
        highlight,
        group,
        fields: z
          .array(z.string())
          .min(1)
          .max(limits.fieldsPerContentType)
          .optional()
          .meta({
            description:
              'Return the values of these fields, separated by commas, of every type that has them.',
            example: ['title'],
          }),
      }),
    )
    .output(z.object({ data: z.array(SearchResult), meta: SearchMeta })),

  suggest: management({
    openapi: managementRoute('GET', '/search/suggest', {
      summary: 'Suggest queries and entries',
      description:
        'Completes the last word of a query that is being typed, and lists drafts whose title begins with it or has its words. Words and titles come from entries that the caller can read.',
      tags,
    }),
    resource,
    action: 'read',
    errors: ['site_not_found', 'locale_not_found', 'search_unavailable'],
  })
    .input(
      inProject({
        ...completionParameters,
        locale: LocaleCode.optional().meta({ description: 'Filter by locale.', example: 'de' }),
        siteId: z.uuid().optional().meta({ description: 'Filter by site.', example: sampleId }),
      }),
    )
    .output(dataOf(z.array(SearchCompletion))),

  /** Served over MCP only. */
  tool: management({
    mcp: {
      tool: 'search',
      toolset: 'content',
      title: 'Search',
      description: `Finds drafts by words, also misspelt ones, with the parts found; filters, sorts and counts them. Each result is one locale of an entry. ${untrusted}`,
      readOnly: true,
    },
    resource,
    action: 'read',
    errors: ['content_type_not_found', 'site_not_found', 'locale_not_found', 'search_unavailable'],
  })
    .input(
      inProject({
        query: z
          .string()
          .max(limits.searchQueryLength)
          .optional()
          .meta({ description: 'Words; the last may be unfinished.', example: 'river lock' }),
        contentTypeApiName: anyOf(z.string(), 'Filter by content type.', 'article'),
        siteId: anyOf(z.uuid(), 'Filter by site.', sampleId),
        locale: anyOf(LocaleCode, 'Filter by locale.', 'de'),
        status: anyOf(EntryStatus, 'Filter by status.', 'draft'),
        filter: contentFilter.meta({
          description:
            'Conditions on fields of one content type, such as {"size":{"gt":"5"}}: eq, ne, in, nin, gt, gte, lt, lte, contains, exists.',
          example: { title: { contains: 'lock' } },
        }),
        sort: searchSort('title, createdAt, updatedAt, publishedAt').meta({
          description:
            'Such as updatedAt:desc; by title, createdAt, updatedAt, publishedAt or `fields.{apiName}`. Defaults to the best first.',
          example: 'updatedAt:desc',
        }),
        facets: searchFacets('').meta({
          description:
            'Count results by contentType, site, locale, status, workflowState, assignee or `fields.{apiName}`.',
          example: ['locale'],
        }),
        group: group.meta({
          description: 'One result per entry, with `locales` and `path`; total and facets count entries.',
          example: 'entry',
        }),
        page: paging.page,
        limit: toolLimit,
      }),
    )
    .output(z.object({ data: z.array(SearchResult), meta: SearchMeta })),

  reindex: management({
    openapi: managementRoute('POST', '/search/reindex', {
      summary: 'Rebuild the search index',
      description:
        'Has no effect with the provider `database`, whose index is kept with every write. With `opensearch`, begins a new index of all entries, which replaces the former once it is complete; a rebuild that is running continues. With content types or sites, writes their entries into the index again.',
      tags,
      mayDefer: true,
    }),
    resource,
    action: 'update',
    changesNothing: true,
    errors: ['content_type_not_found', 'site_not_found', 'search_unavailable'],
  })
    .input(
      inProject({
        contentTypes: z
          .array(z.string().max(limits.apiNameLength))
          .max(100)
          .optional()
          .meta({ description: 'Rebuild entries of these content types.', example: ['article'] }),
        siteIds: z
          .array(Id)
          .max(100)
          .optional()
          .meta({ description: 'Rebuild entries of these sites.', example: [sampleId] }),
      }),
    )
    .output(dataOf(Reindex)),

  settings: management({
    openapi: managementRoute('GET', '/search/settings', {
      summary: 'Get the search settings',
      description: 'Returns the synonyms and boosts of the environment.',
      tags,
    }),
    resource,
    action: 'read',
  })
    .input(inProject({}))
    .output(dataOf(SearchSettings)),

  setSettings: management({
    openapi: managementRoute('PUT', '/search/settings', {
      summary: 'Set the search settings',
      description:
        'Replaces `synonyms`, `boosts`, or both, as a whole. Searches use them at once; only words of a field that had no boost before are indexed first.',
      tags,
    }),
    resource,
    action: 'update',
    errors: ['no_update_fields'],
    events: ['search_settings.updated'],
  })
    .input(inProject(searchSettingsChange))
    .output(dataOf(SearchSettings)),
};

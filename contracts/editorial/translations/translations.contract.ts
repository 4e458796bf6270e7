import { z } from 'zod';
import { dataOf, ListMeta } from '../../envelopes.js';
import { limits } from '../../limits.js';
import {
  anyOf,
  cursorPaging,
  inPath,
  InstantInput,
  LocaleCode,
  orderByOrView,
  viewId,
} from '../../primitives.js';
import { management } from '../../procedure.js';
import {
  Translation,
  translationChange,
  TranslationCounts,
  TranslationDetail,
  TranslationLocale,
  TranslationPriority,
  TranslationStats,
  TranslationStatus,
} from './translation.js';
import { inProject, managementRoute } from '../../routes.js';
import { translationExchange } from './translation-exchange.contract.js';
import { translationJobs } from './translation-jobs.contract.js';

const tags = ['Translations'];
const resource = 'translations';
const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
const entryId = inPath('Id of the entry.', sampleId);
const locale = inPath('Locale of the translation.', 'de');

const scope = {
  contentTypeApiName: anyOf(z.string(), 'Filter by content type.', 'article'),
  siteId: anyOf(z.uuid(), 'Filter by site.', sampleId),
};

/** A saved view may set them. */
export const translationFilters = {
  ...scope,
  locale: LocaleCode.optional().meta({
    description: 'Locale that the other filters apply to.',
    example: 'de',
  }),
  status: anyOf(TranslationStatus, 'Filter by status, in the locale or in any.', 'stale'),
  assigneeId: anyOf(z.uuid(), 'Filter by assignee.', sampleId),
  priority: anyOf(TranslationPriority, 'Filter by priority.', 'high'),
  dueBefore: InstantInput.optional().meta({
    description: 'Filter by translations due before this time.',
    example: '2027-01-01T00:00:00Z',
  }),
};
export const translationOrder = orderByOrView(['createdAt'], 'createdAt:desc');

export const translations = {
  ...translationExchange,

  list: management({
    openapi: managementRoute('GET', '/translations', {
      summary: 'List translations',
      description:
        'Returns entries with the status of their translations, newest entries first by default. `meta.counts` counts translations by status under the other filters.',
      tags,
    }),
    mcp: {
      tool: 'list_translation_gaps',
      toolset: 'editorial',
      title: 'List translation gaps',
      description: 'Lists entries whose translation into a locale is missing or stale, newest first.',
      readOnly: true,
      takes: ['locale', 'contentTypeApiName', 'siteId', 'page', 'limit'],
      requires: ['locale'],
      fixed: { status: ['missing', 'stale'] },
    },
    resource,
    action: 'read',
    errors: ['site_not_found', 'content_type_not_found', 'locale_not_found', 'view_not_found'],
  })
    .input(inProject({ ...cursorPaging, orderBy: translationOrder, ...translationFilters, viewId }))
    .output(
      z.object({
        data: z.array(Translation),
        meta: z.object({ ...ListMeta.shape, counts: TranslationCounts }),
      }),
    ),

  stats: management({
    openapi: managementRoute('GET', '/translations/stats', {
      summary: 'Get translation coverage',
      description: 'Returns the number of translations in each status, by locale and by content type.',
      tags,
    }),
    resource,
    action: 'read',
    errors: ['site_not_found', 'content_type_not_found'],
  })
    .input(inProject(scope))
    .output(dataOf(TranslationStats)),

  get: management({
    openapi: managementRoute('GET', '/translations/{entryId}', {
      summary: 'Get the translations of an entry',
      description:
        'Returns the status of an entry in every locale but the source. `outdated` shows the source of outdated fields then and now.',
      tags,
    }),
    mcp: {
      tool: 'get_translation_status',
      toolset: 'editorial',
      title: 'Get translation status',
      description: 'Reads the translation status of an entry per locale, with the source of outdated fields.',
      readOnly: true,
    },
    resource,
    action: 'read',
    errors: ['entry_not_found'],
  })
    .input(inProject({ entryId }))
    .output(dataOf(TranslationDetail)),

  update: management({
    openapi: managementRoute('PUT', '/translations/{entryId}/{locale}', {
      summary: 'Update a translation',
      description:
        'Sets status, assignee, priority, due time or note. The status of a translation that is not written cannot be set: 409 `translation_missing`.',
      tags,
    }),
    mcp: {
      tool: 'update_translation',
      toolset: 'editorial',
      title: 'Update translation',
      description:
        'Sets status, assignee, priority, due time or note of a translation. Write its values with update_entry.',
      idempotent: true,
    },
    resource,
    action: 'update',
    events: ['translation.updated', 'translation.stale'],
    errors: [
      'entry_not_found',
      'locale_not_found',
      'type_not_localized',
      'user_not_found',
      'source_locale',
      'translation_missing',
      'no_update_fields',
    ],
  })
    .input(inProject({ entryId, locale, ...translationChange }))
    .output(dataOf(TranslationLocale)),

  markStale: management({
    openapi: managementRoute('POST', '/translations/{entryId}/{locale}/mark-stale', {
      summary: 'Mark a translation stale',
      description: 'Marks the translation stale until it is written, published or set to another status.',
      tags,
    }),
    resource,
    action: 'update',
    events: ['translation.stale'],
    errors: [
      'entry_not_found',
      'locale_not_found',
      'type_not_localized',
      'source_locale',
      'translation_missing',
    ],
  })
    .input(
      inProject({
        entryId,
        locale,
        reason: z
          .string()
          .min(1)
          .max(limits.commentLength)
          .optional()
          .meta({ description: 'Why it is stale.', example: 'The prices are from last year.' }),
      }),
    )
    .output(dataOf(TranslationLocale)),

  ...translationJobs,
};

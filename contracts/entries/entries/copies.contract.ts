import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { EntrySlug, expectedVersion, Id, inPath, LocaleCode } from '../../primitives.js';
import { management } from '../../procedure.js';
import { Entry } from './entry.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Entries'];
const id = inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');
const version = expectedVersion("the entry's");

export const entryCopies = {
  duplicate: management({
    openapi: managementRoute('POST', '/entries/{id}/duplicate', {
      summary: 'Duplicate an entry',
      description:
        'Creates a new draft with the content of an entry. Slug conflicts are resolved by appending -2, -3, …; a \`slug\` in the request fails with 409 if it is in use.',
      tags,
      success: { status: 201, location: '/entries/{id}' },
    }),
    mcp: {
      tool: 'duplicate_entry',
      toolset: 'content',
      title: 'Duplicate entry',
      description:
        'Creates a draft with the content of an entry, with `deep` also of the entries that it refers to.',
      sameResultAs: 'get_entry',
    },
    resource: 'entries',
    action: 'create',
    events: ['entry.created'],
    errors: [
      'entry_not_found',
      'site_not_found',
      'locale_not_found',
      'tree_node_not_found',
      'slug_conflict',
      'slug_reserved',
      'limit_reached',
    ],
  })
    .input(
      inProject({
        id,
        siteId: Id.optional().meta({ description: 'Site of the copy. Defaults to the site of the entry.' }),
        treeParentId: Id.nullish().meta({ description: 'Tree node to place the copy under.' }),
        slug: EntrySlug.optional().meta({
          description: 'Slug of the copy in its default locale.',
          example: 'copy',
        }),
        locales: z
          .array(LocaleCode)
          .max(limits.localesPerTenant)
          .optional()
          .meta({ description: 'Locales to copy. Defaults to all locales of the site.' }),
        titleSuffix: z
          .string()
          .max(limits.titleSuffixLength)
          .default(' (copy)')
          .meta({ description: 'Appended to the title in every locale.' }),
        deep: z
          .boolean()
          .default(false)
          .meta({
            description: `Also copy entries of the site that it refers to, up to three levels deep and at most ${String(limits.entriesPerCopy)} in all.`,
          }),
      }),
    )
    .output(dataOf(Entry)),

  copyLocale: management({
    openapi: managementRoute('POST', '/entries/{id}/copy-locale', {
      summary: 'Copy a locale',
      description:
        'Copies the localized values of one locale to another. Existing values are kept unless `overwrite` is set.',
      tags,
      versioned: true,
    }),
    mcp: {
      tool: 'copy_locale',
      toolset: 'content',
      title: 'Copy locale',
      description:
        'Copies localized values of one locale to another, as a start for a translation. Existing values stay unless `overwrite` is set.',
      destructive: true,
      sameResultAs: 'get_entry',
    },
    resource: 'entries',
    action: 'update',
    events: ['entry.updated', 'entry.workflow_changed'],
    errors: [
      'entry_not_found',
      'locale_not_found',
      'type_not_localized',
      'field_not_found',
      'version_conflict',
      'precondition_failed',
      'slug_conflict',
      'slug_reserved',
    ],
  })
    .input(
      inProject({
        id,
        fromLocale: LocaleCode.meta({ description: 'Locale to copy from.', example: 'en' }),
        toLocale: LocaleCode.meta({ description: 'Locale to copy to.', example: 'de' }),
        fields: z
          .array(z.string().max(limits.apiNameLength))
          .max(limits.fieldsPerContentType)
          .optional()
          .meta({ description: 'Fields to copy. Absent or empty copies all fields.', example: ['title'] }),
        overwrite: z.boolean().default(false).meta({ description: 'Overwrite existing values.' }),
        version,
      }),
    )
    .output(dataOf(Entry)),

  undelete: management({
    openapi: managementRoute('POST', '/entries/{id}/undelete', {
      summary: 'Undelete an entry',
      description:
        'Restores a deleted entry with every locale as a draft. If its slug has been used since, the entry gets a new slug and a new version.',
      tags,
      versioned: true,
    }),
    mcp: {
      tool: 'undelete_entry',
      toolset: 'content',
      title: 'Undelete entry',
      description: 'Restores a deleted entry with every locale as a draft.',
      sameResultAs: 'get_entry',
    },
    resource: 'entries',
    action: 'delete',
    events: ['entry.restored', 'entry.workflow_changed'],
    errors: [
      'entry_not_found',
      'version_conflict',
      'precondition_failed',
      'slug_conflict',
      'slug_reserved',
      'limit_reached',
    ],
  })
    .input(inProject({ id, version }))
    .output(dataOf(Entry)),
};

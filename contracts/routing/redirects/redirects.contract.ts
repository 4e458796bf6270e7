import { crudOf } from '../../crud.js';
import { z } from 'zod';
import { dataOf, dataWithWarnings, Deleted, pagedListOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { anyOf, cursorPaging, inPath, LocaleCode, orderBy } from '../../primitives.js';
import { management } from '../../procedure.js';
import {
  Redirect,
  redirectChange,
  RedirectExport,
  RedirectImportReport,
  redirectInput,
  RedirectOrigin,
} from './redirect.js';
import { inProject, managementRoute, siteBySlug } from '../../routes.js';

const tags = ['Redirects'];
const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
const id = inPath('Id of the redirect.', sampleId);
const csvType = 'text/csv';
const columns = '`source,target,status,site,locale,matchType,queryMatch,isActive,note`';

const filters = {
  siteId: anyOf(z.uuid(), 'Filter by site.', sampleId),
  locale: anyOf(LocaleCode, 'Filter by locale.', 'en-US'),
  origin: anyOf(RedirectOrigin, 'Filter by origin.', 'manual'),
  isActive: z
    .boolean()
    .optional()
    .meta({ description: 'Filter by whether the redirect is active.', example: true }),
  q: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Filter by a string in the source or target.', example: 'locks' }),
};

const crud = crudOf({
  path: '/redirects',
  key: 'id',
  resource: 'redirects',
  tags,
  notFound: 'redirect_not_found',
});

export const redirects = {
  list: crud
    .list({
      summary: 'List redirects',
      description: 'Returns redirects of all sites, most recently updated first by default.',
      mcp: {
        tool: 'list_redirects',
        toolset: 'structure',
        title: 'List redirects',
        description: 'Lists redirects, most recently updated first.',
        readOnly: true,
        takes: ['siteId', 'locale', 'isActive', 'q', 'page', 'limit'],
        argumentAliases: { q: 'query' },
      },
      errors: ['site_not_found', 'locale_not_found'],
    })
    .input(
      inProject({
        ...cursorPaging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'source'], 'updatedAt:desc'),
        ...filters,
      }),
    )
    .output(pagedListOf(Redirect)),

  create: crud
    .create({
      summary: 'Create a redirect',
      description:
        'Redirects a path of a site to another path or an https URL, or declares it gone with status 410. A path can have one redirect per locale and one for all locales. Loops and chains of more than 10 redirects are rejected.',
      mcp: {
        tool: 'create_redirect',
        toolset: 'structure',
        title: 'Create redirect',
        description:
          'Redirects a path of a site, from `/`, to another path or an https URL; with status 410 it declares the path gone.',
        takes: ['source', 'target', 'status', 'matchType', 'queryMatch', 'locale', 'note'],
        finds: {
          siteSlug: siteBySlug,
        },
      },
      events: ['redirect.created'],
      errors: [
        'site_not_found',
        'locale_not_found',
        'redirect_conflict',
        'redirect_loop',
        'target_not_allowed',
        'limit_reached',
      ],
    })
    .input(inProject(redirectInput))
    .output(dataWithWarnings(Redirect)),

  get: crud
    .get({
      summary: 'Get a redirect',
      description: 'Returns one redirect.',
    })
    .input(inProject({ id }))
    .output(dataOf(Redirect)),

  update: crud
    .update({
      summary: 'Update a redirect',
      description: 'Updates the given properties; null clears one.',
      confirmation: { given: ['source', 'target', 'status', 'queryMatch', 'isActive'] },
      events: ['redirect.updated'],
      errors: [
        'locale_not_found',
        'redirect_conflict',
        'redirect_loop',
        'target_not_allowed',
        'limit_reached',
      ],
    })
    .input(inProject({ id, ...redirectChange }))
    .output(dataWithWarnings(Redirect)),

  delete: crud
    .delete({
      summary: 'Delete a redirect',
      description: 'Deletes a redirect. Its path no longer resolves.',
      mcp: {
        tool: 'delete_redirect',
        toolset: 'structure',
        title: 'Delete redirect',
        description: 'Deletes a redirect. Its path no longer resolves.',
        destructive: true,
        idempotent: true,
      },
      events: ['redirect.deleted'],
    })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),

  import: management({
    openapi: managementRoute('POST', '/redirects/import', {
      summary: 'Import redirects',
      description: [
        `Reads a CSV file (RFC 4180, at most ${limits.redirectImportRows} rows) with the columns ${columns}, in any order; only \`source\` and \`target\` are required, the target is empty with status 410, and \`site\` is a slug.`,
        'Invalid rows are reported with their line numbers and do not affect other rows. A row identifies a redirect by site, locale and source.',
        'Cells are separated by commas, semicolons or tabs, or as a first line `sep=` says. The file is UTF-8, or UTF-16 with a byte order mark.',
        'An apostrophe that the export added before a formula character is removed.',
      ].join(' '),
      tags,
      textBody: {
        mediaType: csvType,
        otherMediaTypes: ['application/vnd.ms-excel'],
        key: 'csv',
        part: 'file',
        maximumBytes: limits.redirectImportBytes,
      },
    }),
    resource: 'redirects',
    action: 'create',
    confirmation: { key: 'mode', values: ['replace'] },
    events: ['redirect.imported'],
    errors: ['site_not_found'],
  })
    .input(
      inProject({
        csv: z.string().max(limits.redirectImportBytes).meta({
          description: 'The CSV file.',
          example: 'source,target,status\r\n/old-locks,/locks,301\r\n',
        }),
        mode: z.enum(['upsert', 'create', 'replace']).default('upsert').meta({
          description:
            '`upsert` creates and updates, `create` skips existing redirects, `replace` also deletes redirects of the affected sites that are not in the file.',
          example: 'upsert',
        }),
        dryRun: z
          .boolean()
          .default(false)
          .meta({ description: 'Report what would change without changing anything.', example: true }),
        siteId: z.uuid().optional().meta({
          description: 'Site for rows without a site. Defaults to the only site of the project.',
          example: sampleId,
        }),
      }),
    )
    .output(dataWithWarnings(RedirectImportReport)),

  export: management({
    openapi: managementRoute('GET', '/redirects/export', {
      summary: 'Export redirects',
      description: `Returns a CSV file with the columns ${columns} that can be imported unchanged. Cells that a spreadsheet would run as a formula start with an apostrophe.`,
      tags,
      textResponse: { mediaType: csvType, key: 'csv', fileName: 'fileName' },
    }),
    resource: 'redirects',
    action: 'read',
    errors: ['site_not_found', 'locale_not_found', 'limit_reached'],
  })
    .input(inProject(filters))
    .output(dataOf(RedirectExport)),
};

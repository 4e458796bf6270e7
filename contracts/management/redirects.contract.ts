import { z } from 'zod';
import { dataOf, dataWithWarnings, Deleted, listOf } from '../envelopes.js';
import { limits } from '../limits.js';
import { anyOf, inPath, LocaleCode, orderBy, paging } from '../primitives.js';
import { management } from '../procedure.js';
import {
  Redirect,
  redirectChange,
  RedirectExport,
  RedirectImportReport,
  redirectInput,
  RedirectOrigin,
} from '../resources/redirect.js';
import { inProject, managementRoute } from '../routes.js';

const tags = ['Redirects'];
const sampleId = '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69';
const id = inPath('Id of the redirect.', sampleId);
const csvType = 'text/csv';
const columns = '`source,target,status,site,locale,matchType,isActive,note`';

const filters = {
  siteId: anyOf(z.uuid(), 'Keeps redirects of these sites.', sampleId),
  locale: anyOf(LocaleCode, 'Keeps redirects that are for these locales alone.', 'en-US'),
  origin: anyOf(RedirectOrigin, 'Keeps redirects that came to be like this.', 'manual'),
  isActive: z
    .boolean()
    .optional()
    .meta({ description: 'Keeps redirects that are switched on, or off.', example: true }),
  q: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Keeps redirects whose source or target contains this text.', example: 'locks' }),
};

export const redirects = {
  list: management({
    openapi: managementRoute('GET', '/redirects', {
      summary: 'List redirects',
      description: 'Redirects of all sites, by default the last changed first.',
      tags,
    }),
    resource: 'redirects',
    action: 'read',
    errors: ['site_not_found', 'locale_not_found'],
  })
    .input(
      inProject({
        ...paging,
        orderBy: orderBy(['createdAt', 'updatedAt', 'source'], 'updatedAt:desc'),
        ...filters,
      }),
    )
    .output(listOf(Redirect)),

  create: management({
    openapi: managementRoute('POST', '/redirects', {
      summary: 'Create a redirect',
      description:
        'Leads a path of a site to another one. A path has one redirect for each locale and one for all of them; redirects that would lead in a circle, or on for more than 10 steps, are refused.',
      tags,
      success: { status: 201, location: '/redirects/{id}' },
    }),
    resource: 'redirects',
    action: 'create',
    errors: ['site_not_found', 'locale_not_found', 'redirect_conflict', 'redirect_loop', 'limit_reached'],
  })
    .input(inProject(redirectInput))
    .output(dataOf(Redirect)),

  get: management({
    openapi: managementRoute('GET', '/redirects/{id}', {
      summary: 'Get a redirect',
      description: 'Returns one redirect.',
      tags,
    }),
    resource: 'redirects',
    action: 'read',
    errors: ['redirect_not_found'],
  })
    .input(inProject({ id }))
    .output(dataOf(Redirect)),

  update: management({
    openapi: managementRoute('PUT', '/redirects/{id}', {
      summary: 'Update a redirect',
      description: 'Changes the keys that are given; an explicit null clears one.',
      tags,
    }),
    resource: 'redirects',
    action: 'update',
    errors: [
      'redirect_not_found',
      'locale_not_found',
      'redirect_conflict',
      'redirect_loop',
      'limit_reached',
      'no_update_fields',
    ],
  })
    .input(inProject({ id, ...redirectChange }))
    .output(dataOf(Redirect)),

  delete: management({
    openapi: managementRoute('DELETE', '/redirects/{id}', {
      summary: 'Delete a redirect',
      description: 'Deletes a redirect; its path leads nowhere any more.',
      tags,
    }),
    resource: 'redirects',
    action: 'delete',
    errors: ['redirect_not_found'],
  })
    .input(inProject({ id }))
    .output(dataOf(Deleted)),

  import: management({
    openapi: managementRoute('POST', '/redirects/import', {
      summary: 'Import redirects',
      description: [
        `Reads a CSV file (UTF-8, RFC 4180, at most ${limits.redirectImportRows} rows) with the columns ${columns}, in any order; only \`source\` and \`target\` are required and \`site\` is a slug.`,
        'Rows that cannot be taken are listed with their lines and leave the others alone. A row names the redirect with its site, locale and source.',
        'An apostrophe before a character that spreadsheets take for a formula is what the export put there and is taken away.',
      ].join(' '),
      tags,
      textBody: { mediaType: csvType, key: 'csv', part: 'file', maximumBytes: limits.redirectImportBytes },
    }),
    resource: 'redirects',
    action: 'create',
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
            '`upsert` creates and updates, `create` skips what exists, `replace` also deletes redirects of the sites in question that the file does not name.',
          example: 'upsert',
        }),
        dryRun: z
          .boolean()
          .default(false)
          .meta({ description: 'Reports and changes nothing.', example: true }),
        siteId: z.uuid().optional().meta({
          description: 'Site of rows that name none; the only site when absent.',
          example: sampleId,
        }),
      }),
    )
    .output(dataWithWarnings(RedirectImportReport)),

  export: management({
    openapi: managementRoute('GET', '/redirects/export', {
      summary: 'Export redirects',
      description: `A CSV file with the columns ${columns} that an import takes as it is. Cells that a spreadsheet would run as a formula begin with an apostrophe.`,
      tags,
      textAnswer: { mediaType: csvType, key: 'csv', fileName: 'fileName' },
    }),
    resource: 'redirects',
    action: 'read',
    errors: ['site_not_found', 'locale_not_found', 'limit_reached'],
  })
    .input(inProject(filters))
    .output(dataOf(RedirectExport)),
};

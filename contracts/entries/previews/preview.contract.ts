import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { CONTROL_CHARACTERS, Id, inPath, LocaleCode, Version } from '../../primitives.js';
import { management } from '../../procedure.js';
import { PreviewLink } from './preview-link.js';
import { inProject, managementRoute } from '../../routes.js';

export const entryPreview = {
  preview: management({
    openapi: managementRoute('POST', '/entries/{id}/preview', {
      summary: 'Create a preview link',
      description:
        "Creates a signed link to the draft of one locale, or to one version of it. The URL is built from the site's `previewUrlTemplate`, or points to delivery if the site has none.",
      tags: ['Entries'],
    }),
    mcp: {
      tool: 'get_preview_link',
      title: 'Get preview link',
      description:
        'Creates a signed link to the draft of one locale, or to one version of it. Anyone with the link can read it until it expires.',
      readOnly: true,
    },
    resource: 'entries',
    action: 'read',
    // `data.url` contains the token.
    secrets: { output: { 'data.token': 'preview token' } },
    errors: ['entry_not_found', 'locale_not_found', 'version_not_found', 'site_not_found'],
  })
    .input(
      inProject({
        id: inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69'),
        locale: LocaleCode.optional().meta({
          description: 'Locale. Defaults to the default locale of the site.',
        }),
        versionNum: Version.optional().meta({ description: 'Show this version instead of the draft.' }),
        expiresIn: z
          .int()
          .min(limits.previewSecondsMinimum)
          .max(limits.previewSecondsMaximum)
          .default(limits.previewSecondsDefault)
          .meta({
            description:
              'Seconds until the link expires. A link never outlives the API key that makes it; callers who may only read get at most an hour.',
            example: 3600,
          }),
        siteId: Id.optional().meta({
          description: 'Site whose template is used. Defaults to the site of the entry.',
        }),
        path: z
          .string()
          .max(limits.urlLength)
          .regex(
            new RegExp(String.raw`^/(?:[^/${CONTROL_CHARACTERS}][^${CONTROL_CHARACTERS}]*)?$`),
            'must start with one slash',
          )
          .optional()
          .meta({
            description:
              'Value of `{path}` in the template. Defaults to the route that the entry will have in the locale, else to the `previewPath` of its type, else to its slug.',
            example: '/news/the-upper-lock',
          }),
      }),
    )
    .output(dataOf(PreviewLink)),
};

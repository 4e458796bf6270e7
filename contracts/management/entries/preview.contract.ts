import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { Id, inPath, LocaleCode, Version } from '../../primitives.js';
import { management } from '../../procedure.js';
import { PreviewLink } from '../../resources/preview-link.js';
import { inProject, managementRoute } from '../../routes.js';

export const entryPreview = {
  preview: management({
    openapi: managementRoute('POST', '/entries/{id}/preview', {
      summary: 'Make a preview link',
      description:
        "Signs a link to the draft of one locale, or to one version of it. The address follows the site's `previewUrlTemplate`; without one it is that of delivery.",
      tags: ['Entries'],
    }),
    mcp: {
      tool: 'get_preview_link',
      title: 'Get preview link',
      description:
        'Signs a link that shows the draft of one locale, or one version of it, to whoever has the link, until it expires.',
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
        locale: LocaleCode.optional().meta({ description: 'Locale; the default of the site when absent.' }),
        versionNum: Version.optional().meta({ description: 'Shows this version instead of the draft.' }),
        expiresIn: z
          .int()
          .min(limits.previewSecondsMinimum)
          .max(limits.previewSecondsMaximum)
          .default(limits.previewSecondsDefault)
          .meta({ description: 'Seconds that the link works.', example: 3600 }),
        siteId: Id.optional().meta({
          description: 'Site whose template is used; that of the entry when absent.',
        }),
        path: z
          .string()
          .max(limits.urlLength)
          .regex(/^\/(?!\/)[^\p{Cc}]*$/u, 'must begin with one slash')
          .optional()
          .meta({
            description: '`{path}` of the template; the slug when absent.',
            example: '/news/the-upper-lock',
          }),
      }),
    )
    .output(dataOf(PreviewLink)),
};

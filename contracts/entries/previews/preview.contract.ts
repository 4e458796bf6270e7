import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { limits } from '../../limits.js';
import {
  CONTROL_CHARACTERS,
  Id,
  inPath,
  InstantInput,
  LocaleCode,
  Version,
  Timestamp,
} from '../../primitives.js';
import { management } from '../../procedure.js';
import { inProject, managementRoute } from '../../routes.js';

/** Lets anyone with it see the draft of one entry, or those of one site, until it expires. */
export const PreviewLink = z
  .object({
    url: z.string().meta({ description: 'URL of the preview, including the token.' }),
    token: z.string().meta({ description: 'Value of `previewToken` in delivery.' }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'PreviewLink', description: 'A signed link to a preview.' });

export type PreviewLink = z.infer<typeof PreviewLink>;

const expiresIn = z
  .int()
  .min(limits.previewSecondsMinimum)
  .max(limits.previewSecondsMaximum)
  .default(limits.previewSecondsDefault)
  .meta({
    description:
      'Seconds until it expires. It never outlives the API key that makes it; callers who may only read get at most an hour.',
    example: 3600,
  });

export const entryPreview = {
  preview: management({
    openapi: managementRoute('POST', '/entries/{id}/preview', {
      summary: 'Create a preview link',
      description:
        "Creates a signed link to the draft of one locale, or to one version of it. The URL is built from the site's `previewUrlTemplate`, or points to delivery if the site has none, which leads browsers to a page that the service renders.",
      tags: ['Entries'],
    }),
    mcp: {
      tool: 'get_preview_link',
      toolset: 'content',
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
        expiresIn,
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
  previewSite: management({
    openapi: managementRoute('POST', '/preview-sessions', {
      summary: 'Create a preview session',
      description: `Creates a token with which a site shows its drafts on every page. Send it to delivery and GraphQL as \`previewToken\`, as \`X-Preview-Token\` or in the cookie \`headwater_preview\`; it replaces the key. Entries of other sites are shown as published. The session ends when it expires, when the key that made it expires or is revoked, and when the user who made it logs out, is suspended, or can no longer read every entry of the site. The URL is that of the \`previewUrlTemplate\` of the site, else a page that the service renders.`,
      tags: ['Entries'],
    }),
    resource: 'entries',
    action: 'read',
    // `data.url` contains the token.
    secrets: { output: { 'data.token': 'preview token' } },
    errors: ['site_not_found', 'locale_not_found', 'entry_not_found', 'release_not_found'],
  })
    .input(
      inProject({
        siteId: Id.meta({ description: 'Site that is previewed. Delivery of another site is refused.' }),
        locales: z
          .array(LocaleCode)
          .min(1)
          .max(limits.localesPerTenant)
          .optional()
          .meta({ description: 'Locales that are shown. Defaults to all of the site.', example: ['en'] }),
        entryId: Id.optional().meta({
          description: 'Entry of the site whose page the URL is of. Defaults to the start of the site.',
        }),
        locale: LocaleCode.optional().meta({
          description:
            'Locale of the URL. Defaults to the default locale of the site, else to the first that is shown.',
        }),
        releaseId: Id.optional().meta({
          description:
            'Release that is shown as published, instead of drafts. Once it is deleted, reads are 404.',
        }),
        at: InstantInput.optional().meta({
          description:
            'Time in the future, ISO 8601 with an offset or Z. Shows what schedules will have published by then, instead of drafts; with `releaseId`, before the release. Once it has passed, the present.',
          example: '2099-01-01T00:00:00Z',
        }),
        expiresIn,
      }),
    )
    .output(dataOf(PreviewLink)),
};

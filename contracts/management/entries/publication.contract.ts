import { z } from 'zod';
import { dataOrJob } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { inPath } from '../../primitives.js';
import { management } from '../../procedure.js';
import { Entry, publication } from '../../resources/entry.js';
import { ScheduledJob } from '../../resources/schedule.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Entries'];
const id = inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

export const entryPublication = {
  publish: management({
    openapi: managementRoute('POST', '/entries/{id}/publish', {
      summary: 'Publish a locale',
      description:
        'Checks the draft of one locale in full and makes it the published document. Publishing what is live already changes nothing. `withDependencies` publishes what it refers to along, all or nothing. With a `scheduledAt` in the future it is checked now, and checked again and published then: 202 with the job.',
      tags,
      versioned: true,
      mayDefer: true,
    }),
    mcp: {
      tool: 'publish_entry',
      title: 'Publish entry',
      description:
        'Publishes one locale. When the entry is not complete, the reply lists every issue with the field it concerns.',
      destructive: true,
      idempotent: true,
      needsConfirmation: true,
    },
    resource: 'entries',
    action: 'publish',
    errors: [
      'slug_conflict',
      'entry_not_found',
      'locale_not_found',
      'version_conflict',
      'precondition_failed',
      'entry_invalid',
      'limit_reached',
    ],
  })
    .input(
      inProject({
        id,
        ...publication,
        withDependencies: z
          .boolean()
          .default(false)
          .meta({
            description: `Publishes unpublished entries that it refers to along, at most ${String(limits.dependenciesPerPublish)}.`,
          }),
      }),
    )
    .output(dataOrJob(Entry, ScheduledJob)),

  unpublish: management({
    openapi: managementRoute('POST', '/entries/{id}/unpublish', {
      summary: 'Unpublish a locale',
      description:
        'Takes one locale offline; its draft stays. `redirectTo` leads visitors of its path elsewhere. With a `scheduledAt` in the future it happens then: 202 with the job.',
      tags,
      versioned: true,
      mayDefer: true,
    }),
    mcp: {
      tool: 'unpublish_entry',
      title: 'Unpublish entry',
      description: 'Takes one locale offline; its draft stays.',
      destructive: true,
      idempotent: true,
      needsConfirmation: true,
    },
    resource: 'entries',
    action: 'unpublish',
    errors: [
      'slug_conflict',
      'entry_not_found',
      'locale_not_found',
      'version_conflict',
      'precondition_failed',
      'entry_in_use',
      'redirect_conflict',
      'redirect_loop',
      'limit_reached',
    ],
  })
    .input(
      inProject({
        id,
        ...publication,
        redirectTo: z.string().min(1).max(limits.redirectPathBytes).optional().meta({
          description:
            'Path of the same site that visitors of the page’s path in this locale are led to from then on.',
          example: '/locks',
        }),
      }),
    )
    .output(dataOrJob(Entry, ScheduledJob)),
};

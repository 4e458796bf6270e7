import { z } from 'zod';
import { dataOrJob, warningShape } from '../../envelopes.js';
import { limits } from '../../limits.js';
import { inPath } from '../../primitives.js';
import { management } from '../../procedure.js';
import { Entry, publication } from './entry.js';
import { PlannedPublication, withdrawalPlan } from './entry-reference.js';
import { PendingSchedule, ScheduledJob } from '../schedules/schedule.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Entries'];
const id = inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');

const replaced = z
  .array(PendingSchedule)
  .optional()
  .meta({ description: 'Waiting jobs of the same kind and locale that the new one replaces.' });
const entryOrJob = dataOrJob(Entry, ScheduledJob);

const dryRun = (returned: string) =>
  z
    .boolean()
    .default(false)
    .meta({
      description: `Change nothing and return ${returned}. As if now, also with \`scheduledAt\`.`,
      example: true,
    });

export const entryPublication = {
  publish: management({
    openapi: managementRoute('POST', '/entries/{id}/publish', {
      summary: 'Publish a locale',
      description:
        'Validates the draft of one locale and publishes it. Publishing an unchanged entry has no effect. `withDependencies` also publishes the unpublished entries it refers to, from its blocks too; all are published or none. With a future `scheduledAt`, the draft is validated now and again at that time; the response is 202 with the job, which replaces a waiting one of the same locale. Publishing now cancels a waiting publish of the locale.',
      tags,
      versioned: true,
      mayDefer: true,
    }),
    mcp: {
      tool: 'publish_entry',
      toolset: 'content',
      isDefault: true,
      title: 'Publish entry',
      description:
        'Publishes one locale, or with `scheduledAt` returns the job that will. If the entry is incomplete, the response lists every issue with its field.',
      destructive: true,
      idempotent: true,
      sameResultAs: 'get_entry',
    },
    confirmation: 'always',
    resource: 'entries',
    action: 'publish',
    events: [
      'entry.published',
      'translation.stale',
      'entry.scheduled',
      'entry.schedule_canceled',
      'entry.schedule_failed',
    ],
    errors: [
      'workflow_not_approved',
      'slug_conflict',
      'slug_reserved',
      'entry_not_found',
      'locale_not_found',
      'type_not_localized',
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
            description: `Also publish unpublished entries that it refers to, at most ${String(limits.dependenciesPerPublish)}.`,
          }),
        dryRun: dryRun('what would be published, in `meta.publishes`'),
      }),
    )
    .output(
      entryOrJob.extend({
        meta: z
          .object({
            replaced,
            publishes: z.array(PlannedPublication).optional().meta({
              description: 'With `dryRun`: what would be published, the entry itself first.',
            }),
          })
          .optional(),
      }),
    ),

  unpublish: management({
    openapi: managementRoute('POST', '/entries/{id}/unpublish', {
      summary: 'Unpublish a locale',
      description:
        'Unpublishes one locale and keeps its draft. 409 `entry_in_use` names published entries that keep it published; `meta.warnings` counts others whose links break. `redirectTo` redirects its path. With a future `scheduledAt`, the response is 202 with the job, which replaces a waiting one of the same locale. Unpublishing now cancels a waiting unpublish of the locale.',
      tags,
      versioned: true,
      mayDefer: true,
    }),
    mcp: {
      tool: 'unpublish_entry',
      toolset: 'content',
      isDefault: true,
      title: 'Unpublish entry',
      description: 'Unpublishes one locale and keeps its draft.',
      destructive: true,
      idempotent: true,
      sameResultAs: 'get_entry',
    },
    confirmation: 'always',
    resource: 'entries',
    action: 'unpublish',
    events: ['entry.unpublished', 'entry.scheduled', 'entry.schedule_canceled', 'entry.schedule_failed'],
    errors: [
      'slug_conflict',
      'slug_reserved',
      'entry_not_found',
      'locale_not_found',
      'type_not_localized',
      'version_conflict',
      'precondition_failed',
      'entry_in_use',
      'redirect_conflict',
      'redirect_loop',
      'target_not_allowed',
      'limit_reached',
    ],
  })
    .input(
      inProject({
        id,
        ...publication,
        redirectTo: z.string().min(1).max(limits.redirectPathBytes).optional().meta({
          description:
            'Path on the same site, with optional query and fragment, or https URL to redirect the path of this locale to.',
          example: '/locks',
        }),
        dryRun: dryRun('what would break, in `meta.broken`, even where it is refused'),
      }),
    )
    .output(
      entryOrJob.extend({
        meta: z
          .object({ replaced, warnings: z.array(warningShape).optional(), ...withdrawalPlan })
          .optional(),
      }),
    ),
};

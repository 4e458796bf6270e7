import { z } from 'zod';
import type { JobKind } from '../../../../../contracts/entries/schedules/schedule.js';
import { jobHandler, type JobHandler } from '../../../operations/jobs/index.js';
import { publishNow } from './publish-entry.js';
import { unpublishNow } from './unpublish-entry.js';

const comment = z.string().optional();
const PublishOptions = z.object({
  withDependencies: z.boolean().default(false),
  comment,
});
const UnpublishOptions = z.object({ redirectTo: z.string().optional(), comment });

/** Jobs run the same checks as direct calls. */
export const entryJobs = {
  publish: jobHandler(PublishOptions, (work, { entryId, locale, version }, options) =>
    publishNow(work, { id: entryId, locale, version: version ?? undefined, isJob: true, ...options }),
  ),
  unpublish: jobHandler(UnpublishOptions, (work, { entryId, locale, version }, options) =>
    unpublishNow(work, { id: entryId, locale, version: version ?? undefined, isJob: true, ...options }),
  ),
} as const satisfies Record<JobKind, JobHandler>;

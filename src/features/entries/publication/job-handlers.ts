import { z } from 'zod';
import type { JobKind } from '../../../../contracts/resources/schedule.js';
import { jobHandler, type JobHandler } from '../../jobs/index.js';
import { publishNow } from './publish-entry.js';
import { unpublishNow } from './unpublish-entry.js';

const PublishOptions = z.object({ withDependencies: z.boolean().default(false) });
const UnpublishOptions = z.object({ redirectTo: z.string().optional() });

/** Jobs run the same checks as direct calls. */
export const entryJobs = {
  publish: jobHandler(PublishOptions, (work, { entryId, locale, version }, { withDependencies }) =>
    publishNow(work, { id: entryId, locale, version: version ?? undefined, withDependencies }),
  ),
  unpublish: jobHandler(UnpublishOptions, (work, { entryId, locale, version }, { redirectTo }) =>
    unpublishNow(work, { id: entryId, locale, version: version ?? undefined, redirectTo }),
  ),
} as const satisfies Record<JobKind, JobHandler>;

import type { JobKind } from '../../../../contracts/resources/schedule.js';
import type { JobWork } from '../../schedules/index.js';
import { publishNow } from './publish-entry.js';
import { unpublishNow } from './unpublish-entry.js';

/** What each kind of job does when its time has come: what a caller would do then, with all its checks. */
export const scheduledWorks = {
  publish: (work, { entryId, locale, version, options }) =>
    publishNow(work, {
      id: entryId,
      locale,
      version: version ?? undefined,
      withDependencies: options.withDependencies ?? false,
    }),
  unpublish: (work, { entryId, locale, version, options }) =>
    unpublishNow(work, {
      id: entryId,
      locale,
      version: version ?? undefined,
      redirectTo: options.redirectTo,
    }),
} as const satisfies Record<JobKind, JobWork>;

import type { ImportJob } from '../../../../contracts/editorial/imports/import-job.js';
import { say } from './import-texts.js';

export const hasEnded = ({ status }: ImportJob): boolean => status !== 'queued' && status !== 'running';

const SOON_MILLISECONDS = 2000;
const LATER_MILLISECONDS = 10_000;
/** Most files are checked within this time. */
const SHORT_MILLISECONDS = 60_000;

/** For the option `refetchInterval`: often while a job is new, until it has ended. */
export function pollTime(job: ImportJob | undefined): number | false {
  if (job === undefined || hasEnded(job)) return false;
  return Date.now() - Date.parse(job.createdAt) < SHORT_MILLISECONDS ? SOON_MILLISECONDS : LATER_MILLISECONDS;
}

/** A check that is done is not an import that is done. */
export function StatusBadge({ job: { status, dryRun } }: { readonly job: ImportJob }) {
  return (
    <span className={`badge ${status}`}>
      {say(status === 'done' && dryRun ? 'status.checked' : `status.${status}`)}
    </span>
  );
}

import type { Finding } from '../findings/stored-issue.js';
import type { Detector } from './detector.js';
import { ScheduleScanRepository } from './schedule-scan.repository.js';

/** An entry with waiting jobs that will not run, because their key has expired or was revoked. */
export const orphanedSchedule: Detector = {
  name: 'orphaned_schedule',
  kind: 'condition',
  find: async (run, { until, limit }) => {
    const entries = await run((work) => work.use(ScheduleScanRepository).orphaned(until, limit));
    const findings = entries.map(({ id, title, jobs }): Finding => ({
      subjectType: 'entry',
      subjectId: id,
      subjectName: title,
      severity: 'warning',
      message: `Schedules of "${title}" do not run: the key that made them has ended. Adopt or cancel them.`,
      evidence: { jobs },
      fingerprint: jobs.map(({ jobId }) => jobId).join(' '),
      count: jobs.length,
      seenAt: until,
    }));
    return { findings };
  },
};

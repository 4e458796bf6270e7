import type { Detector } from './detector.js';
import { burstFinding, latestBursts } from './find-bursts.js';

const rule = {
  actions: ['entry.publish', 'entry.unpublish', 'entry.delete'],
  windowSeconds: 3600,
  minimum: 5,
  isOffHours: true,
} as const;

/** At least 5 publications, withdrawals or deletions by one user within an hour of the night or of a weekend, in UTC. */
export const offHoursActivity: Detector = {
  name: 'off_hours_activity',
  kind: 'activity',
  find: async (run, scan) => {
    const bursts = await run((work) => latestBursts(work, rule, scan));
    const findings = bursts.map((burst) =>
      burstFinding(burst, {
        severity: 'info',
        message: `${burst.actorName} published or deleted ${String(burst.count)} entries within an hour outside working hours.`,
      }),
    );
    return { findings };
  },
};

import type { Detector } from './detector.js';
import { hourFinding, latestHours } from './key-hours.js';

/** A key of which a rate limit refused at least 5 calls within an hour. */
export const rateLimitPressure: Detector = {
  name: 'rate_limit_pressure',
  kind: 'activity',
  find: async (run, scan) => {
    const hours = await latestHours(run, 'refusals', scan);
    const findings = hours.map((hour) =>
      hourFinding(hour, {
        severity: 'warning',
        message: `A rate limit refused ${String(hour.rateLimited)} calls with the key "${hour.name}" within an hour.`,
        count: hour.rateLimited,
      }),
    );
    return { findings };
  },
};

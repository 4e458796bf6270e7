import type { Detector } from './detector.js';
import { hourFinding, latestHours } from './key-hours.js';

/** A key of which more than 20 % of at least 20 calls in an hour failed. */
export const highErrorRate: Detector = {
  name: 'high_error_rate',
  kind: 'activity',
  find: async (run, scan) => {
    const hours = await latestHours(run, 'errors', scan);
    const findings = hours.map((hour) =>
      hourFinding(hour, {
        severity: 'warning',
        message: `${String(hour.errors)} of ${String(hour.calls)} calls with the key "${hour.name}" failed within an hour.`,
        count: hour.errors,
      }),
    );
    return { findings };
  },
};

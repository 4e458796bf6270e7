import { daysBefore, type Detector } from './detector.js';
import { keyFinding } from './key-finding.js';
import { KeyScanRepository } from './key-scan.repository.js';

const DAYS = 14;

/** An active key that expires within 14 days. */
export const expiringKey: Detector = {
  name: 'expiring_key',
  kind: 'condition',
  find: async (work, { until, limit }) => {
    const end = daysBefore(until, -DAYS);
    const keys = await work.use(KeyScanRepository).expiringBefore(end, { now: until, limit });
    return keys.map((key) =>
      keyFinding(key, {
        severity: 'warning',
        message: `The key "${key.name}" expires within ${String(DAYS)} days.`,
        evidence: { type: key.type, expiresAt: key.expiresAt?.toISOString() },
        seenAt: until,
      }),
    );
  },
};

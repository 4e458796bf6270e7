import { daysBefore, type Detector } from './detector.js';
import { keyFinding } from './key-finding.js';
import { KeyScanRepository } from './key-scan.repository.js';

const DAYS = 14;

/** An active key that expires within 14 days. */
export const expiringKey: Detector = {
  name: 'expiring_key',
  kind: 'condition',
  find: async (run, { until, limit }) => {
    const end = daysBefore(until, -DAYS);
    const keys = await run((work) => work.use(KeyScanRepository).expiringBefore(end, { now: until, limit }));
    const findings = keys.map((key) =>
      keyFinding(key, {
        severity: 'warning',
        message: `The key "${key.name}" expires within ${String(DAYS)} days.`,
        evidence: { type: key.type, expiresAt: key.expiresAt?.toISOString() },
        seenAt: until,
      }),
    );
    return { findings };
  },
};

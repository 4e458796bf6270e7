import type { Detector } from './detector.js';
import { keyFinding } from './key-finding.js';
import { KeyScanRepository } from './key-scan.repository.js';

/** A preview or management key that never expires. */
export const noExpiryKey: Detector = {
  name: 'no_expiry_key',
  kind: 'condition',
  find: async (run, { until, limit }) => {
    const keys = await run((work) => work.use(KeyScanRepository).withoutExpiry({ now: until, limit }));
    const findings = keys.map((key) =>
      keyFinding(key, {
        severity: 'info',
        message: `The ${key.type} key "${key.name}" never expires.`,
        evidence: { type: key.type, createdAt: key.createdAt.toISOString() },
        seenAt: until,
      }),
    );
    return { findings };
  },
};

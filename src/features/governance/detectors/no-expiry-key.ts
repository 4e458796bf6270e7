import type { Detector } from './detector.js';
import { keyFinding } from './key-finding.js';
import { KeyScanRepository } from './key-scan.repository.js';

/** A preview or management key that never expires. */
export const noExpiryKey: Detector = {
  name: 'no_expiry_key',
  kind: 'condition',
  find: async (work, { until, limit }) => {
    const keys = await work.use(KeyScanRepository).withoutExpiry({ now: until, limit });
    return keys.map((key) =>
      keyFinding(key, {
        severity: 'info',
        message: `The ${key.type} key "${key.name}" never expires.`,
        evidence: { type: key.type, createdAt: key.createdAt.toISOString() },
        seenAt: until,
      }),
    );
  },
};

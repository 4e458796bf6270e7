import { daysBefore, type Detector } from './detector.js';
import { keyFinding } from './key-finding.js';
import { KeyScanRepository } from './key-scan.repository.js';

const DAYS = 90;

/** An active key that was not used for 90 days. */
export const staleKey: Detector = {
  name: 'stale_key',
  kind: 'condition',
  find: async (work, { until, limit }) => {
    const keys = await work
      .use(KeyScanRepository)
      .unusedSince(daysBefore(until, DAYS), { now: until, limit });
    return keys.map((key) =>
      keyFinding(key, {
        severity: 'warning',
        message: `The key "${key.name}" was not used for ${String(DAYS)} days.`,
        evidence: {
          createdAt: key.createdAt.toISOString(),
          lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
        },
        seenAt: until,
      }),
    );
  },
};

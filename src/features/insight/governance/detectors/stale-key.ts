import { daysBefore, type Detector } from './detector.js';
import { keyFinding } from './key-finding.js';
import { KeyScanRepository } from './key-scan.repository.js';

const DAYS = 90;

/** An active key that was not used for 90 days. */
export const staleKey: Detector = {
  name: 'stale_key',
  kind: 'condition',
  find: async (run, { until, limit }) => {
    const before = daysBefore(until, DAYS);
    const keys = await run((work) => work.use(KeyScanRepository).unusedSince(before, { now: until, limit }));
    const findings = keys.map((key) =>
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
    return { findings };
  },
};

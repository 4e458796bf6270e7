import type { Detector } from './detector.js';
import { keyFinding } from './key-finding.js';
import { KeyScanRepository } from './key-scan.repository.js';

/** A key without a list of permissions, which permits every action of its type, that was used over MCP. */
export const unrestrictedKey: Detector = {
  name: 'unrestricted_key',
  kind: 'condition',
  find: async (run, { until, limit }) => {
    const keys = await run((work) => work.use(KeyScanRepository).unrestrictedOfAgents({ now: until, limit }));
    const findings = keys.map((key) =>
      keyFinding(key, {
        severity: 'critical',
        message: `The key "${key.name}" is used by an agent and has no list of permissions.`,
        evidence: { type: key.type, permissions: [] },
        seenAt: until,
      }),
    );
    return { findings };
  },
};

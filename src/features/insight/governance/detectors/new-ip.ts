import { daysBefore, QUIET_DAYS, type Detector } from './detector.js';
import { KeyAddressScanRepository } from './key-scan.repository.js';

/** A key, used at least 20 times before, that was used from an address it had no calls from for 30 days. */
export const newIp: Detector = {
  name: 'new_ip',
  kind: 'activity',
  find: async (run, { since, until, limit }) => {
    const oldest = daysBefore(until, QUIET_DAYS);
    const after = since !== null && since > oldest ? since : oldest;
    const keys = await run((work) =>
      work.use(KeyAddressScanRepository).newAddresses({ after, until, oldest, limit }),
    );
    const findings = keys.map(({ id, name, addresses, count, latestAt }) => ({
      severity: 'info' as const,
      message: `The key "${name}" was used from ${count === 1 ? 'a new address' : `${String(count)} new addresses`}.`,
      subjectType: 'api_key' as const,
      subjectId: id,
      subjectName: name,
      evidence: { addresses },
      fingerprint: `${latestAt.toISOString()} ${addresses[0]?.address ?? ''}`,
      count,
      seenAt: latestAt,
    }));
    return { findings };
  },
};

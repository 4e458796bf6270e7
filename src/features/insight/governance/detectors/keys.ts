import type { RunPart } from '../../../../persistence/work/unit-of-work.js';
import type { Finding } from '../findings/stored-issue.js';
import {
  KeyScanRepository,
  KeyAddressScanRepository,
  KeyCallsRepository,
  type ScannedKey,
  type KeyHour,
} from './key-scan.repository.js';
import { daysBefore, QUIET_DAYS, type Detector, type Scan } from './detector.js';

type Rest = Pick<Finding, 'severity' | 'message' | 'evidence' | 'seenAt'>;

/** A condition of a key; its evidence does not change while the condition is the same. */
const keyFinding = ({ id, name }: Pick<ScannedKey, 'id' | 'name'>, rest: Rest): Finding => ({
  ...rest,
  subjectType: 'api_key',
  subjectId: id,
  subjectName: name,
  fingerprint: JSON.stringify(rest.evidence),
  count: 1,
});

const EXPIRY_DAYS = 14;

/** An active key that expires within 14 days. */
export const expiringKey: Detector = {
  name: 'expiring_key',
  kind: 'condition',
  find: async (run, { until, limit }) => {
    const end = daysBefore(until, -EXPIRY_DAYS);
    const keys = await run((work) => work.use(KeyScanRepository).expiringBefore(end, { now: until, limit }));
    const findings = keys.map((key) =>
      keyFinding(key, {
        severity: 'warning',
        message: `The key "${key.name}" expires within ${String(EXPIRY_DAYS)} days.`,
        evidence: { type: key.type, expiresAt: key.expiresAt?.toISOString() },
        seenAt: until,
      }),
    );
    return { findings };
  },
};

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

const UNUSED_DAYS = 90;

/** An active key that was not used for 90 days. */
export const staleKey: Detector = {
  name: 'stale_key',
  kind: 'condition',
  find: async (run, { until, limit }) => {
    const before = daysBefore(until, UNUSED_DAYS);
    const keys = await run((work) => work.use(KeyScanRepository).unusedSince(before, { now: until, limit }));
    const findings = keys.map((key) =>
      keyFinding(key, {
        severity: 'warning',
        message: `The key "${key.name}" was not used for ${String(UNUSED_DAYS)} days.`,
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

const latestHours = (run: RunPart, rule: 'errors' | 'refusals', scan: Scan): Promise<KeyHour[]> =>
  run((work) =>
    work.use(KeyCallsRepository).latestHours(rule, { ...scan, oldest: daysBefore(scan.until, QUIET_DAYS) }),
  );

/** New evidence is one more of the counted calls. */
const hourFinding = (
  { id, name, from, start, lastAt, calls, errors, rateLimited }: KeyHour,
  rest: Pick<Finding, 'severity' | 'message' | 'count'>,
): Finding => ({
  ...rest,
  subjectType: 'api_key',
  subjectId: id,
  subjectName: name,
  evidence: { from: from.toISOString(), to: lastAt.toISOString(), calls, errors, rateLimited },
  fingerprint: `${start.toISOString()} ${String(rest.count)}`,
  seenAt: lastAt,
});

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

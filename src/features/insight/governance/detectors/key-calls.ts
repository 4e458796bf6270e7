import type { RunPart } from '../../../../persistence/work/unit-of-work.js';
import type { Finding } from '../findings/stored-issue.js';
import { daysBefore, QUIET_DAYS, type Scan, type Detector } from './detector.js';
import { KeyCallsRepository, type KeyHour } from './key-scan.repository.js';

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

import type { RunPart } from '../../../persistence/work/unit-of-work.js';
import type { Finding } from '../findings/stored-issue.js';
import { daysBefore, QUIET_DAYS, type Scan } from './detector.js';
import { KeyCallsRepository, type KeyHour } from './key-calls.repository.js';

export const latestHours = (run: RunPart, rule: 'errors' | 'refusals', scan: Scan): Promise<KeyHour[]> =>
  run((work) =>
    work.use(KeyCallsRepository).latestHours(rule, { ...scan, oldest: daysBefore(scan.until, QUIET_DAYS) }),
  );

/** New evidence is one more of the counted calls. */
export const hourFinding = (
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

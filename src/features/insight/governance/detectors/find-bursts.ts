import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { Finding } from '../findings/stored-issue.js';
import { ActivityRepository, type Burst, type BurstQuery } from './activity.repository.js';
import { daysBefore, QUIET_DAYS, type Scan } from './detector.js';

const DAY_MS = 86_400_000;

type Rule = Pick<BurstQuery, 'actions' | 'windowSeconds' | 'minimum' | 'isOffHours'>;

/** The latest burst of each actor, found day by day, so that the memory of a statement is bounded. */
export async function latestBursts(
  work: UnitOfWork,
  rule: Rule,
  { since, until, limit }: Scan,
): Promise<Burst[]> {
  const oldest = daysBefore(until, QUIET_DAYS);
  const bursts = new Map<string, Burst>();
  for (let after = since !== null && since > oldest ? since : oldest; after < until;) {
    const end = new Date(Math.min(after.getTime() + DAY_MS, until.getTime()));
    for (const burst of await work.use(ActivityRepository).bursts({ ...rule, after, until: end }))
      bursts.set(`${burst.actorType} ${burst.actorId}`, burst);
    after = end;
  }
  return [...bursts.values()].sort((one, other) => +other.to - +one.to).slice(0, limit);
}

export const burstFinding = (
  { actorType, actorId, actorName, from, to, count }: Burst,
  rest: Pick<Finding, 'severity' | 'message'>,
): Finding => ({
  ...rest,
  subjectType: actorType,
  subjectId: actorId,
  subjectName: actorName,
  evidence: { count, from: from.toISOString(), to: to.toISOString() },
  fingerprint: to.toISOString(),
  count,
  seenAt: to,
});

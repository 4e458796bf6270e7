import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import type { Finding } from '../findings/stored-issue.js';
import { ActivityRepository, type Burst, type BurstQuery } from './key-scan.repository.js';
import { daysBefore, QUIET_DAYS, type Scan, type Detector } from './detector.js';

const DAY_MS = 86_400_000;

type Rule = Pick<BurstQuery, 'actions' | 'windowSeconds' | 'minimum' | 'isOffHours'>;

/** The latest burst of each actor, found day by day, so that the memory of a statement is bounded. */
async function latestBursts(work: UnitOfWork, rule: Rule, { since, until, limit }: Scan): Promise<Burst[]> {
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

const burstFinding = (
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

const publications = { actions: ['entry.publish'], windowSeconds: 3600, minimum: 51 } as const;

/** More than 50 publications by one actor within an hour. */
export const publishSpike: Detector = {
  name: 'publish_spike',
  kind: 'activity',
  find: async (run, scan) => {
    const bursts = await run((work) => latestBursts(work, publications, scan));
    const findings = bursts.map((burst) =>
      burstFinding(burst, {
        severity: 'warning',
        message: `${burst.actorName} published ${String(burst.count)} times within an hour.`,
      }),
    );
    return { findings };
  },
};

const deletions = {
  actions: [
    'entry.delete',
    'media.delete',
    'tree_node.delete',
    'redirect.delete',
    'field.delete',
    'content_type.delete',
    'custom_field_type.delete',
    'media_folder.delete',
    'workflow.delete',
    'site.delete',
    'webhook.delete',
  ],
  windowSeconds: 600,
  minimum: 21,
} as const;

/** More than 20 deletions by one actor within 10 minutes. */
export const bulkDeleteSpike: Detector = {
  name: 'bulk_delete_spike',
  kind: 'activity',
  find: async (run, scan) => {
    const bursts = await run((work) => latestBursts(work, deletions, scan));
    const findings = bursts.map((burst) =>
      burstFinding(burst, {
        severity: 'critical',
        message: `${burst.actorName} deleted ${String(burst.count)} items within 10 minutes.`,
      }),
    );
    return { findings };
  },
};

const nightWork = {
  actions: ['entry.publish', 'entry.unpublish', 'entry.delete'],
  windowSeconds: 3600,
  minimum: 5,
  isOffHours: true,
} as const;

/** At least 5 publications, withdrawals or deletions by one user within an hour of the night or of a weekend, in UTC. */
export const offHoursActivity: Detector = {
  name: 'off_hours_activity',
  kind: 'activity',
  find: async (run, scan) => {
    const bursts = await run((work) => latestBursts(work, nightWork, scan));
    const findings = bursts.map((burst) =>
      burstFinding(burst, {
        severity: 'info',
        message: `${burst.actorName} published or deleted ${String(burst.count)} entries within an hour outside working hours.`,
      }),
    );
    return { findings };
  },
};

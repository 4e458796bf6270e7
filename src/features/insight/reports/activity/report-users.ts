import type { reports } from '../../../../../contracts/insight/reports/reports.contract.js';
import type { PageMeta } from '../../../../../contracts/envelopes.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { UserActivity } from '../../../../../contracts/insight/reports/report.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { seriesChart } from '../charts/chart.js';
import { withFile } from '../files/report-file.js';
import { openReport, pageMeta, pageOf, seriesOf } from '../open-report.js';
import { ActivityRepository, UserNameRepository } from './activity.repository.js';

type Counts = Omit<UserActivity['summary'], 'users'>;

/** Verbs of audit records. */
const keys: Readonly<Record<string, keyof Counts>> = {
  create: 'created',
  duplicate: 'created',
  update: 'updated',
  restore: 'updated',
  move: 'updated',
  copy_locale: 'updated',
  locale_update: 'updated',
  transition: 'updated',
  assign: 'updated',
  rename: 'updated',
  publish: 'published',
  delete: 'deleted',
};

interface VerbCount {
  readonly action: string;
  readonly events: number;
}

function countsOf(counts: readonly VerbCount[]): Counts {
  const sums = { created: 0, updated: 0, published: 0, deleted: 0 };
  for (const { action, events } of counts) sums[keys[action] ?? 'updated'] += events;
  return sums;
}

const totalOf = ({ created, updated, published, deleted }: Counts): number =>
  created + updated + published + deleted;

/** @throws AppError 422 for an invalid period, 404 for an unknown filter */
export async function reportUsers(
  work: UnitOfWork,
  input: InputOf<typeof reports.userActivity>,
): Promise<{ data: UserActivity; meta: PageMeta }> {
  const { period, filter } = await openReport(work, input);
  const query = { period, filter, actions: { verbs: Object.keys(keys) }, actorType: 'user' } as const;
  const activity = work.use(ActivityRepository);
  const counts = await activity.byBucket(query);
  const byUser = Map.groupBy(await activity.byActor(query), ({ actorId }) => actorId);
  const users = [...byUser].map(([userId, rows]) => ({
    userId,
    ...countsOf(rows),
    lastActiveAt: rows
      .reduce((last, { lastAt }) => (lastAt > last ? lastAt : last), new Date(0))
      .toISOString(),
  }));
  users.sort((a, b) => totalOf(b) - totalOf(a) || (a.userId < b.userId ? -1 : 1));
  const shown = pageOf(users, input);
  const names = await work.use(UserNameRepository).names(shown.map(({ userId }) => userId));
  const byBucket = Map.groupBy(counts, ({ bucket }) => bucket);
  const series = seriesOf(period, (bucket) => countsOf(byBucket.get(bucket) ?? []));
  return {
    data: await withFile(
      {
        range: period.range,
        summary: { users: users.length, ...countsOf(counts) },
        series,
        rows: shown.map(({ userId, ...user }) => ({ userId, name: names.get(userId) ?? null, ...user })),
      },
      input,
      {
        name: 'user-activity',
        shape: UserActivity,
        chart: () => seriesChart('User activity', series, ['created', 'updated', 'published', 'deleted']),
      },
    ),
    meta: pageMeta(users.length, input),
  };
}

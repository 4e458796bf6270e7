import type { reports } from '../../../../../contracts/insight/reports/reports.contract.js';
import type { PageMeta } from '../../../../../contracts/envelopes.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { PublishingActivity } from '../../../../../contracts/insight/reports/report.js';
import type { Catalog } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { seriesChart } from '../charts/chart.js';
import { withFile } from '../files/report-file.js';
import { openReport, pageMeta, seriesOf } from '../open-report.js';
import { ActivityRepository, type ActivityRecord, type BucketCount } from './activity.repository.js';

type Key = keyof PublishingActivity['summary'];

/** What publications are called, by the action of their record. */
export const publishingKeys: Readonly<Record<string, Key>> = {
  'entry.publish': 'published',
  'entry.unpublish': 'unpublished',
  'entry.schedule': 'scheduled',
  'entry.schedule_failed': 'failed',
};

function countsOf(counts: readonly BucketCount[]): PublishingActivity['summary'] {
  const sums = { published: 0, unpublished: 0, scheduled: 0, failed: 0 };
  for (const { action, events } of counts) sums[publishingKeys[action] ?? 'failed'] += events;
  return sums;
}

function presentRecord(catalog: Catalog, record: ActivityRecord): PublishingActivity['rows'][number] {
  const { entryId, title, name, contentTypeId, siteId, locale, action, at, actor } = record;
  return {
    entryId,
    title: title ?? name,
    contentTypeApiName: catalog.contentTypeById(contentTypeId)?.apiName ?? null,
    siteId: catalog.site(siteId)?.id ?? null,
    locale: locale === '' ? null : locale,
    action: publishingKeys[action] ?? 'failed',
    at: at.toISOString(),
    by: actor,
  };
}

/** @throws AppError 422 for an invalid period, 404 for an unknown filter */
export async function reportPublishing(
  work: UnitOfWork,
  input: InputOf<typeof reports.publishingActivity>,
): Promise<{ data: PublishingActivity; meta: PageMeta }> {
  const { catalog, period, filter } = await openReport(work, input);
  const query = { period, filter, actions: { names: Object.keys(publishingKeys) } };
  const activity = work.use(ActivityRepository);
  const counts = await activity.byBucket(query);
  const { page, limit } = input;
  const records = await activity.latest(query, { limit, offset: (page - 1) * limit });
  const byBucket = Map.groupBy(counts, ({ bucket }) => bucket);
  const total = counts.reduce((sum, { events }) => sum + events, 0);
  const series = seriesOf(period, (bucket) => countsOf(byBucket.get(bucket) ?? []));
  return {
    data: await withFile(
      {
        range: period.range,
        summary: countsOf(counts),
        series,
        rows: records.map((record) => presentRecord(catalog, record)),
      },
      input,
      {
        name: 'publishing-activity',
        shape: PublishingActivity,
        chart: () => seriesChart('Publishing activity', series, Object.values(publishingKeys)),
      },
    ),
    meta: pageMeta(total, input),
  };
}

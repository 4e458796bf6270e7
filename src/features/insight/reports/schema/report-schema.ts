import type { reports } from '../../../../../contracts/insight/reports/reports.contract.js';
import type { PageMeta } from '../../../../../contracts/envelopes.js';
import type { InputOf } from '../../../../../contracts/procedure.js';
import { SchemaUsage } from '../../../../../contracts/insight/reports/report.js';
import { readableValues } from '../../../../access/grants.js';
import type { ContentTypeDefinition } from '../../../../content/catalog.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { CatalogRepository } from '../../../environments/catalog/index.js';
import { type Chart, rowsChart } from '../charts/chart.js';
import { withFile } from '../files/report-file.js';
import { pageMeta, pageOf } from '../open-report.js';
import { resolveFilter } from '../report-scope.js';
import { SchemaUsageRepository, type FieldCount } from './schema-usage.repository.js';

type Field = SchemaUsage['rows'][number]['fields'][number];

/** Rounded down, so that only a field that is filled everywhere has the rate 1. */
const rate = (filled: number, entries: number): number =>
  entries === 0 ? 0 : Math.floor((filled / entries) * 10_000) / 10_000;

function fieldsOf(type: ContentTypeDefinition, counts: readonly FieldCount[], entries: number): Field[] {
  const filledIn = new Map(counts.map(({ apiName, filled }) => [apiName, filled]));
  return type.fields.map(({ apiName }) => {
    const filled = filledIn.get(apiName) ?? 0;
    return { apiName, filled, fillRate: rate(filled, entries), unused: filled === 0 };
  });
}

/** Ids of the types whose definition or entries the caller may read; null for all. */
function knownTypes({ scope }: UnitOfWork): readonly string[] | null {
  const definitions = readableValues(scope, 'contentTypes', 'contentTypes');
  const entries = readableValues(scope, 'entries', 'contentTypes');
  return definitions === null || entries === null ? null : [...definitions, ...entries];
}

/** @throws AppError 404 for an unknown filter */
export async function reportSchema(
  work: UnitOfWork,
  input: InputOf<typeof reports.schemaUsage>,
): Promise<{ data: SchemaUsage; meta: PageMeta }> {
  const catalog = await work.use(CatalogRepository).current();
  const filter = resolveFilter(catalog, input);
  const usage = work.use(SchemaUsageRepository);
  const counts = new Map((await usage.entries(filter)).map((count) => [count.contentTypeId, count]));
  const readableIds = readableValues(work.scope, 'reports', 'contentTypes');
  const readableTypes = knownTypes(work);
  const wanted = catalog.data.contentTypes.filter(({ id }) =>
    [filter.contentTypeIds, readableIds, readableTypes].every((ids) => ids === null || ids.includes(id)),
  );
  const shown = pageOf(wanted, input);
  const shownIds = shown.map(({ id }) => id);
  const fields = Map.groupBy(
    await usage.fields({ ...filter, contentTypeIds: shownIds }),
    ({ contentTypeId }) => contentTypeId,
  );
  const updates = new Map(
    (await usage.updates(filter, shownIds)).map(({ contentTypeId, lastUpdatedAt }) => [
      contentTypeId,
      lastUpdatedAt,
    ]),
  );
  const all = [...counts.values()];
  const entries = all.reduce((sum, count) => sum + count.entries, 0);
  const published = all.reduce((sum, count) => sum + count.published, 0);
  const rows = shown.map((type) => {
    const count = counts.get(type.id) ?? { entries: 0, published: 0 };
    return {
      contentTypeApiName: type.apiName,
      entries: count.entries,
      published: count.published,
      drafts: count.entries - count.published,
      lastUpdatedAt: updates.get(type.id)?.toISOString() ?? null,
      fields: fieldsOf(type, fields.get(type.id) ?? [], count.entries),
    };
  });
  const chart = (): Chart =>
    rowsChart('Entries by content type', rows, {
      label: ({ contentTypeApiName }) => contentTypeApiName,
      keys: ['published', 'drafts'],
    });
  const summary = { contentTypes: wanted.length, entries, published, drafts: entries - published };
  return {
    data: await withFile({ summary, rows }, input, { name: 'schema-usage', shape: SchemaUsage, chart }),
    meta: pageMeta(wanted.length, input),
  };
}

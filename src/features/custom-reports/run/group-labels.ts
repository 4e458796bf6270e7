import type { Catalog } from '../../../content/catalog.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { KeyUsageReportRepository, UserNameRepository } from '../../reports/index.js';
import { readableValues } from '../../../access/grants.js';
import type { ReportPlan } from '../sources/source.js';

interface Group {
  readonly value: string | boolean | null;
  readonly label: string;
}

export type GroupOf = (key: string, stored: string | null) => Group;

/** Keys whose values are ids of users or API keys. */
const actorKeys: ReadonlySet<string> = new Set(['actorId', 'createdBy', 'assigneeId', 'apiKeyId']);

/** Names of users and keys that the caller may see. */
async function namesOf(work: UnitOfWork, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const users = await work.use(UserNameRepository).names(ids);
  const siteIds = readableValues(work.scope, 'reports', 'siteIds');
  const keys = await work.use(KeyUsageReportRepository).keys(siteIds);
  return new Map([...keys.map(({ id, name }) => [id, name] as const), ...users]);
}

/** Turns stored values of groups into those of the answer: API names for types, dates for buckets, names for ids. */
export async function groupLabels(
  work: UnitOfWork,
  { plan, catalog }: { readonly plan: ReportPlan; readonly catalog: Catalog },
  rows: readonly { readonly groups: readonly (string | null)[] }[],
): Promise<GroupOf> {
  const positions = plan.groupBy.flatMap((key, position) => (actorKeys.has(key) ? [position] : []));
  const ids = new Set(
    rows.flatMap(({ groups }) => positions.map((position) => groups[position] ?? [])).flat(),
  );
  const names = await namesOf(work, [...ids]);
  return (key, stored) => {
    if (stored === null) return { value: null, label: 'None' };
    if (key === 'contentTypeApiName') {
      const type = catalog.contentTypeById(stored);
      return { value: type?.apiName ?? stored, label: type?.name ?? stored };
    }
    if (key === 'date') {
      const date = plan.period?.buckets[Number(stored)]?.date ?? stored;
      return { value: date, label: date };
    }
    if (key === 'siteId') return { value: stored, label: catalog.site(stored)?.name ?? stored };
    const field = plan.fields.get(key);
    if (field !== undefined && kindOf(field).comparison === 'boolean')
      return { value: stored === 'true', label: stored };
    return { value: stored, label: names.get(stored) ?? stored };
  };
}

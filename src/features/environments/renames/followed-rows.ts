import type { CustomReport } from '../../../../contracts/insight/custom-reports/custom-report.js';
import { entryColumns } from '../../../../contracts/access/views/saved-view.js';
import type { Scope } from '../../../access/grants.js';
import { followInList, followSingle, ofFieldKeys, type NameChange } from './follow-name.js';

type Filters = Readonly<Record<string, unknown>>;

/** Columns of a row that may name a type or a field. */
export interface NamingRow {
  readonly filters: Filters;
  readonly columns: readonly string[];
  readonly groupBy: readonly string[];
  readonly metrics: CustomReport['metrics'];
}

/** Filters by `key`, whose value is a list, or one name in rows that were stored before lists were. */
export function followInFilters<Row extends Pick<NamingRow, 'filters'>>(
  row: Row,
  key: 'contentTypes' | 'contentTypeApiName',
  change: NameChange,
): Row {
  const value = row.filters[key];
  const names = (typeof value === 'string' ? [value] : value) as readonly string[];
  return { ...row, filters: { ...row.filters, [key]: followInList(names, change) } };
}

/** Columns of a view: fields have a prefix, or are named alone unless every entry has such a column. */
export function followInColumns(columns: readonly string[], change: NameChange): readonly string[] {
  const followed = followInList(columns, ofFieldKeys(change));
  return (entryColumns as readonly string[]).includes(change.from)
    ? followed
    : followInList(followed, change);
}

/** Groups, filters and metrics of a custom report. */
export function followInReport<Row extends Pick<NamingRow, 'filters' | 'groupBy' | 'metrics'>>(
  row: Row,
  change: NameChange,
): Row {
  const follow = (key: string): string => followSingle(key, ofFieldKeys(change));
  return {
    ...row,
    groupBy: row.groupBy.map(follow),
    filters: Object.fromEntries(Object.entries(row.filters).map(([key, value]) => [follow(key), value])),
    metrics: row.metrics.map((metric) =>
      metric.field === undefined ? metric : { ...metric, field: follow(metric.field) },
    ),
  };
}

/**
 * The scopes of a grant after the rename of a field of one type. A grant that reaches other types keeps the former
 * name, which their fields may have; a second one reaches the new name in the renamed type only.
 */
export function followInScope(scope: Scope, contentTypeId: string, change: NameChange): readonly Scope[] {
  const { fields = [], contentTypes } = scope;
  const isOfTypeAlone = contentTypes?.every((id) => id === contentTypeId) ?? false;
  if (isOfTypeAlone) return [{ ...scope, fields: [...followInList(fields, change)].sort() }];
  return [scope, { ...scope, contentTypes: [contentTypeId], fields: [change.to] }];
}

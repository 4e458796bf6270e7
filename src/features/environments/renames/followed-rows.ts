import type { CustomReport } from '../../../../contracts/insight/custom-reports/custom-report.js';
import { entryColumns } from '../../../../contracts/access/views/saved-view.js';
import type { Scope } from '../../../access/grants.js';

/** A name that changes in one environment. */
export interface NameChange {
  readonly from: string;
  readonly to: string;
  /** Whether another environment of the project still has the former name. */
  readonly isKept: boolean;
  /** Whether the environment is the default one, which single names follow in any case. */
  readonly isDefault: boolean;
}

/** A list that names the former name also gets the new one, which replaces it once no environment has it. */
function followInList(names: readonly string[], { from, to, isKept }: NameChange): readonly string[] {
  if (!names.includes(from)) return names;
  const followed = names.flatMap((name) => (name !== from ? [name] : isKept ? [from, to] : [to]));
  return [...new Set(followed)];
}

/** A name that has room for one only. */
const followSingle = (name: string, { from, to, isKept, isDefault }: NameChange): string =>
  name === from && (isDefault || !isKept) ? to : name;

const FIELD = 'fields.';

/** The change of a key such as `fields.title`. */
const ofFieldKeys = (change: NameChange): NameChange => ({
  ...change,
  from: FIELD + change.from,
  to: FIELD + change.to,
});

type Filters = Readonly<Record<string, unknown>>;

/** Columns of a row that may name a type or a field. */
export interface NamingRow {
  readonly filters: Filters;
  readonly columns: readonly string[];
  readonly orderBy: string | null;
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
function followInColumns(columns: readonly string[], change: NameChange): readonly string[] {
  const followed = followInList(columns, ofFieldKeys(change));
  return (entryColumns as readonly string[]).includes(change.from)
    ? followed
    : followInList(followed, change);
}

/** Filters by fields, columns and order of a view. */
export function followInView<Row extends Pick<NamingRow, 'filters' | 'columns' | 'orderBy'>>(
  row: Row,
  change: NameChange,
): Row {
  const { filter } = row.filters;
  const [key = '', direction = ''] = row.orderBy?.split(':') ?? [];
  return {
    ...row,
    columns: followInColumns(row.columns, change),
    filters: {
      ...row.filters,
      ...(typeof filter === 'object' &&
        filter !== null && {
          filter: Object.fromEntries(
            Object.entries(filter).map(([name, compared]) => [followSingle(name, change), compared]),
          ),
        }),
    },
    orderBy: row.orderBy === null ? null : `${followSingle(key, ofFieldKeys(change))}:${direction}`,
  };
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

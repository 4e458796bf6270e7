import type { AuditAction } from '../../../../contracts/change-names.js';
import type { Grant, Scope } from '../../../access/grants.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { ContentTypeRename, FieldRename } from './rename.repository.js';
import type { CustomReport } from '../../../../contracts/insight/custom-reports/custom-report.js';
import { entryColumns } from '../../../../contracts/access/views/saved-view.js';

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
function followInFilters<Row extends Pick<NamingRow, 'filters'>>(
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
function followInView<Row extends Pick<NamingRow, 'filters' | 'columns' | 'orderBy'>>(
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
function followInReport<Row extends Pick<NamingRow, 'filters' | 'groupBy' | 'metrics'>>(
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
function followInScope(scope: Scope, contentTypeId: string, change: NameChange): readonly Scope[] {
  const { fields = [], contentTypes } = scope;
  const isOfTypeAlone = contentTypes?.every((id) => id === contentTypeId) ?? false;
  if (isOfTypeAlone) return [{ ...scope, fields: [...followInList(fields, change)].sort() }];
  return [scope, { ...scope, contentTypes: [contentTypeId], fields: [change.to] }];
}

interface StoredRow {
  readonly id: string;
  readonly name: string;
}

/** Tables of the project whose rows name content types or fields, with the columns that do. */
const naming = {
  webhooks: { resource: 'webhook', columns: ['filters'] },
  saved_views: { resource: 'view', columns: ['filters', 'columns', 'orderBy'] },
  custom_reports: { resource: 'custom_report', columns: ['filters', 'groupBy', 'metrics'] },
} as const;
type NamingTable = keyof typeof naming;

const columnNames = {
  filters: { name: 'filters', isJson: true },
  columns: { name: 'columns', isJson: false },
  orderBy: { name: 'order_by', isJson: false },
  groupBy: { name: 'group_by', isJson: false },
  metrics: { name: 'metrics', isJson: true },
} as const satisfies Record<keyof NamingRow, object>;

/**
 * What belongs to the project and names content types or fields: webhooks, saved views, custom reports and grants of
 * roles. Other environments may still have the former name.
 */
export class StoredNamesRepository extends Repository {
  async renameContentType({ from, to }: Pick<ContentTypeRename, 'from' | 'to'>): Promise<void> {
    const change = await this.#change(
      { from, to },
      'SELECT FROM content_types n WHERE n.environment_id = e.id AND n.api_name = $4',
    );
    for (const [table, key] of [
      ['webhooks', 'contentTypes'],
      ['saved_views', 'contentTypeApiName'],
      ['custom_reports', 'contentTypeApiName'],
    ] as const)
      for (const row of await this.#ofType(table, key, from))
        await this.#save(table, row, followInFilters(row, key, change));
  }

  async renameField({ contentTypeId, from, to }: Omit<FieldRename, 'id'>): Promise<void> {
    const change = await this.#change(
      { from, to },
      'SELECT FROM fields n WHERE n.environment_id = e.id AND n.api_name = $4 AND n.content_type_id = $5',
      [contentTypeId],
    );
    const typeName = await this.#typeName(contentTypeId);
    for (const row of await this.#ofType('saved_views', 'contentTypeApiName', typeName))
      await this.#save('saved_views', row, followInView(row, change));
    for (const row of await this.#ofType('custom_reports', 'contentTypeApiName', typeName))
      await this.#save('custom_reports', row, followInReport(row, change));
    await this.#renameInGrants(contentTypeId, change);
  }

  /** @param named finds the former name in the environment `e` */
  async #change(
    { from, to }: Pick<NameChange, 'from' | 'to'>,
    named: string,
    bind: readonly unknown[] = [],
  ): Promise<NameChange> {
    const [row] = await this.query<Pick<NameChange, 'isKept' | 'isDefault'>>(
      `SELECT coalesce(bool_or(e.is_default) FILTER (WHERE e.id = $3), false) AS "isDefault",
         coalesce(bool_or(EXISTS (${named})) FILTER (WHERE e.id <> $3), false) AS "isKept"
       FROM environments e WHERE e.tenant_id = $1 AND e.project_id = $2`,
      [this.tenantId, this.projectId, this.environmentId, from, ...bind],
    );
    return { from, to, isKept: row?.isKept ?? false, isDefault: row?.isDefault ?? true };
  }

  async #typeName(contentTypeId: string): Promise<string> {
    const [row] = await this.query<{ name: string }>(
      'SELECT api_name AS name FROM content_types WHERE environment_id = $1 AND id = $2',
      [this.environmentId, contentTypeId],
    );
    return row?.name ?? '';
  }

  /** Rows whose filters name a content type. */
  #ofType(table: NamingTable, key: string, apiName: string): Promise<(StoredRow & NamingRow)[]> {
    const columns = naming[table].columns.map((column) => `${columnNames[column].name} AS "${column}"`);
    return this.query(
      `SELECT id, name, ${columns.join(', ')} FROM ${table}
       WHERE tenant_id = $1 AND project_id = $2 AND filters -> $3 ? $4 ORDER BY id FOR UPDATE`,
      [this.tenantId, this.projectId, key, apiName],
    );
  }

  async #save(table: NamingTable, before: StoredRow & NamingRow, after: NamingRow): Promise<void> {
    if (isEqualJson(before, after)) return;
    const { resource, columns } = naming[table];
    const written = columns.map(
      (column, position) => `${columnNames[column].name} = $${String(position + 3)}`,
    );
    const values = columns.map((column) =>
      columnNames[column].isJson ? JSON.stringify(after[column]) : after[column],
    );
    await this.query(`UPDATE ${table} SET ${written.join(', ')} WHERE tenant_id = $1 AND id = $2`, [
      this.tenantId,
      before.id,
      ...values,
    ]);
    this.#note(
      `${resource}.update`,
      { type: resource, ...before },
      { before: { ...before }, after: { ...after } },
    );
  }

  async #renameInGrants(contentTypeId: string, change: NameChange): Promise<void> {
    const grants = await this.query<Grant & StoredRow & { roleId: string; createdAt: Date }>(
      `SELECT g.id, g.role_id AS "roleId", r.name, g.resource, g.action, g.scope, g.created_at AS "createdAt"
       FROM role_grants g JOIN roles r ON r.tenant_id = g.tenant_id AND r.id = g.role_id
       WHERE r.tenant_id = $1 AND r.project_id = $2 AND g.scope -> 'fields' ? $3
         AND (NOT g.scope ? 'contentTypes' OR g.scope -> 'contentTypes' ? $4) ORDER BY g.id FOR UPDATE OF g`,
      [this.tenantId, this.projectId, change.from, contentTypeId],
    );
    for (const { roleId, name, scope, ...grant } of grants) {
      const role = { type: 'role', id: roleId, name };
      const [kept = scope, added] = followInScope(scope, contentTypeId, change);
      if (!isEqualJson(kept, scope)) {
        await this.query('UPDATE role_grants SET scope = $3 WHERE tenant_id = $1 AND id = $2', [
          this.tenantId,
          grant.id,
          JSON.stringify(kept),
        ]);
        const [before, after] = [scope, kept].map((one) => ({ grant: { ...grant, scope: one } }));
        this.#note('role.grant', role, { before: before ?? null, after: after ?? null });
      }
      if (added !== undefined) await this.#addGrant(role, { ...grant, scope: added });
    }
  }

  /** Unless the role has the same grant. */
  async #addGrant(
    role: { readonly type: string; readonly id: string; readonly name: string },
    { resource, action, scope }: Grant & { readonly scope: Scope },
  ): Promise<void> {
    const grant = { id: this.bound.newId(), resource, action, scope, createdAt: this.bound.now };
    const added = await this.query(
      `INSERT INTO role_grants (tenant_id, role_id, id, resource, action, scope, created_at)
       SELECT $1, $2, $3, $4, $5, $6::jsonb, $7 WHERE NOT EXISTS (SELECT FROM role_grants
         WHERE tenant_id = $1 AND role_id = $2 AND resource = $4 AND action = $5 AND scope = $6::jsonb)
       RETURNING id`,
      [this.tenantId, role.id, grant.id, resource, action, JSON.stringify(scope), grant.createdAt],
    );
    if (added.length > 0) this.#note('role.grant', role, { before: null, after: { grant } });
  }

  #note(
    action: AuditAction,
    { type, id, name }: { readonly type: string; readonly id: string; readonly name: string },
    change: {
      readonly before: Record<string, unknown> | null;
      readonly after: Record<string, unknown> | null;
    },
  ): void {
    this.record({ action, target: { type, id, name }, ...change, isAlong: true });
  }
}

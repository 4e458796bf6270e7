import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { Actor } from '../../../../contracts/actor.js';
import {
  guardedByDefault,
  type GuardedInterface,
} from '../../../../contracts/access/ip-allowlist/ip-allowlist.contract.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { Repository, type PageQuery } from '../../../persistence/repositories/repository.js';

export interface IpRuleRow {
  readonly id: string;
  readonly cidr: string;
  readonly label: string | null;
  readonly isActive: boolean;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly createdBy: Actor;
  readonly updatedAt: Date;
}

export interface AllowlistRow {
  readonly isEnabled: boolean;
  readonly appliesTo: readonly GuardedInterface[];
}

const columns = `id, cidr, label, is_active AS "isActive", expires_at AS "expiresAt", created_at AS "createdAt",
  created_by AS "createdBy", updated_at AS "updatedAt"`;

const orderColumns: Readonly<Record<string, string>> = { createdAt: 'created_at', updatedAt: 'updated_at' };

export class IpRuleRepository extends Repository {
  async settings(): Promise<AllowlistRow> {
    const [row] = await this.query<AllowlistRow>(
      `SELECT is_enabled AS "isEnabled", applies_to AS "appliesTo" FROM ip_allowlists WHERE tenant_id = $1 AND project_id = $2`,
      this.#scope,
    );
    return row ?? { isEnabled: false, appliesTo: guardedByDefault };
  }

  /** Every rule of the project, at most 200. */
  all(): Promise<IpRuleRow[]> {
    return this.query<IpRuleRow>(
      `SELECT ${columns} FROM ip_rules WHERE tenant_id = $1 AND project_id = $2`,
      this.#scope,
    );
  }

  async list({ page, limit, orderBy }: PageQuery): Promise<Page<IpRuleRow>> {
    const [key = '', direction] = orderBy.split(':');
    const order = direction === 'asc' ? 'ASC' : 'DESC';
    const items = await this.query<IpRuleRow>(
      `SELECT ${columns} FROM ip_rules WHERE tenant_id = $1 AND project_id = $2
       ORDER BY ${orderColumns[key] ?? 'updated_at'} ${order}, id ${order} LIMIT $3 OFFSET $4`,
      [...this.#scope, limit, (page - 1) * limit],
    );
    return { items, total: await this.count() };
  }

  async count(): Promise<number> {
    const [row] = await this.query<{ total: number }>(
      'SELECT count(*)::int AS total FROM ip_rules WHERE tenant_id = $1 AND project_id = $2',
      this.#scope,
    );
    return row?.total ?? 0;
  }

  /** @throws AppError 404 `ip_rule_not_found` */
  async find(id: string): Promise<IpRuleRow> {
    const [row] = isUuid(id)
      ? await this.query<IpRuleRow>(
          `SELECT ${columns} FROM ip_rules WHERE tenant_id = $1 AND project_id = $2 AND id = $3`,
          [...this.#scope, id],
        )
      : [];
    if (row === undefined) throw new AppError('ip_rule_not_found');
    return row;
  }

  async insert(rule: IpRuleRow): Promise<void> {
    await this.query(
      `INSERT INTO ip_rules (tenant_id, project_id, id, cidr, label, is_active, expires_at, created_at, created_by, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8)`,
      [
        ...this.#scope,
        rule.id,
        rule.cidr,
        rule.label,
        rule.isActive,
        rule.expiresAt,
        rule.createdAt,
        JSON.stringify(rule.createdBy),
      ],
    );
    this.#note('create', null, rule);
  }

  async save(before: IpRuleRow, after: IpRuleRow): Promise<void> {
    await this.query(
      `UPDATE ip_rules SET cidr = $4, label = $5, is_active = $6, expires_at = $7, updated_at = $8
       WHERE tenant_id = $1 AND project_id = $2 AND id = $3`,
      [...this.#scope, after.id, after.cidr, after.label, after.isActive, after.expiresAt, after.updatedAt],
    );
    this.#note('update', before, after);
  }

  async remove(rule: IpRuleRow): Promise<void> {
    await this.query('DELETE FROM ip_rules WHERE tenant_id = $1 AND project_id = $2 AND id = $3', [
      ...this.#scope,
      rule.id,
    ]);
    this.#note('delete', rule, null);
  }

  async saveSettings(before: AllowlistRow, after: AllowlistRow): Promise<void> {
    await this.query(
      `INSERT INTO ip_allowlists (tenant_id, project_id, is_enabled, applies_to, updated_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant_id, project_id) DO UPDATE SET is_enabled = $3, applies_to = $4, updated_at = $5`,
      [...this.#scope, after.isEnabled, after.appliesTo, this.bound.now],
    );
    this.record({
      action: 'ip_allowlist.update',
      target: { type: 'ip_allowlist', id: this.projectId, name: this.bound.scope.projectSlug ?? '' },
      before: { ...before },
      after: { ...after },
    });
  }

  get #scope(): [string, string] {
    return [this.tenantId, this.projectId];
  }

  #note(verb: 'create' | 'update' | 'delete', before: IpRuleRow | null, after: IpRuleRow | null): void {
    const rule = after ?? before;
    if (rule === null) return;
    this.record({
      action: `ip_rule.${verb}`,
      target: { type: 'ip_rule', id: rule.id, name: rule.cidr },
      before: before && { ...before },
      after: after && { ...after },
    });
  }
}

import type { Actor } from '../../../../contracts/actor.js';
import type { AuditEvent } from '../../../../contracts/insight/audit/audit-event.js';
import { grantsFor } from '../../../access/grants.js';
import { Repository } from '../../../persistence/repositories/repository.js';

export interface AuditRow extends Omit<AuditEvent, 'at'> {
  readonly at: Date;
  readonly actor: Actor;
}

/** Lists are ordered by time and id, descending. */
export interface AuditPosition {
  readonly at: Date;
  readonly id: string;
}

/** Omitted filters match everything. */
export interface AuditQuery {
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly targetType?: string | undefined;
  readonly targetId?: string | undefined;
  readonly interface?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Exclusive. */
  readonly after?: AuditPosition | undefined;
  readonly limit: number;
}

/** All but `from` and `to` have an index in list order. */
const conditions = {
  actorId: "actor ->> 'id' =",
  action: 'action =',
  targetType: "target ->> 'type' =",
  targetId: "target ->> 'id' =",
  interface: "context ->> 'interface' =",
  from: 'at >=',
  to: 'at <',
} as const satisfies Partial<Record<keyof AuditQuery, string>>;

/** A literal lets the planner use the partial indexes of the rarer interfaces. */
const interfaceLiteral = (name: string): string => (/^[a-z]+$/.test(name) ? `'${name}'` : "''");

/** Audit records of the project, limited to one environment for callers bound to it. */
export class AuditEventRepository extends Repository {
  /** Latest first. */
  async list(query: AuditQuery): Promise<AuditRow[]> {
    const bind: unknown[] = [this.projectId];
    const where = Object.entries(conditions).flatMap(([name, condition]) => {
      const value = query[name as keyof typeof conditions];
      if (value === undefined) return [];
      if (name === 'interface') return [`${condition} ${interfaceLiteral(value)}`];
      return [`${condition} $${String(bind.push(value))}`];
    });
    if (this.#isBound)
      where.push(`(environment_id = $${String(bind.push(this.environmentId))} OR environment_id IS NULL)`);
    if (query.after !== undefined) {
      const { at, id } = query.after;
      where.push(`(at, id) < ($${String(bind.push(at))}, $${String(bind.push(id))})`);
    }
    return this.query<AuditRow>(
      `SELECT id, at, action, actor, target, tenant_id AS "tenantId", project_slug AS "projectSlug", environment,
         site_id AS "siteId", locale, before, after, changed_fields AS "changedFields", context - 'cause' AS context, context -> 'cause' AS cause, metadata
       FROM audit_events WHERE ${['chain_id = $1', ...where].join(' AND ')}
       ORDER BY at DESC, id DESC LIMIT $${String(bind.push(query.limit))}`,
      bind,
    );
  }

  /** Whether every grant of the actor is limited to environments. */
  get #isBound(): boolean {
    const { scope } = this.bound;
    if (scope.grants === null) return false;
    return grantsFor(scope, 'auditLogs.read').every((grant) => grant.scope.environments !== undefined);
  }
}

import type { AuditVerb } from '../../../../contracts/change-names.js';
import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { Models } from '../../../persistence/models/index.js';
import type { StoredHeader, StoredSecret, WebhookRow } from '../../../persistence/models/webhooks.js';
import type { PageQuery } from '../../../persistence/repositories/repository.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';
import { orphanedSql } from '../../shared/key-reach.js';
import type { Snapshot } from '../../../persistence/work/unit-of-work.js';

export type { StoredHeader, StoredSecret, WebhookRow };

interface WebhookQuery extends PageQuery {
  readonly enabled?: boolean | undefined;
}

export class WebhookRepository extends TableRepository<WebhookRow> {
  protected readonly table = {
    model: ({ webhooks }: Models) => webhooks,
    resource: 'webhook',
    notFound: () => new AppError('webhook_not_found'),
  } as const satisfies TableDefinition<WebhookRow>;

  override list({ enabled, ...query }: WebhookQuery): Promise<Page<WebhookRow>> {
    return this.pageWhere(enabled === undefined ? this.scope : { ...this.scope, enabled }, query);
  }

  /** Those that receive events: enabled, and of a user or an active key. */
  async listReceiving(): Promise<WebhookRow[]> {
    const enabled = await this.listWhere({ ...this.scope, enabled: true });
    const orphaned = await this.orphaned(enabled);
    return enabled.filter(({ id }) => !orphaned.has(id));
  }

  /** Ids of those whose key has expired or was revoked. */
  async orphaned(rows: readonly WebhookRow[]): Promise<ReadonlySet<string>> {
    const owned = rows.filter(({ ownerKeyId }) => ownerKeyId !== null);
    if (owned.length === 0) return new Set();
    const found = await this.query<{ id: string }>(
      `SELECT w.id FROM webhooks w WHERE w.tenant_id = $1 AND w.id = ANY ($2::uuid[]) AND ${orphanedSql('w', '$3')}`,
      [this.tenantId, owned.map(({ id }) => id), this.bound.now],
    );
    return new Set(found.map(({ id }) => id));
  }

  /** Records a use that changes nothing. */
  recordUse(verb: AuditVerb, { id, name }: WebhookRow, after: Snapshot): void {
    this.record({ action: `webhook.${verb}`, target: { type: 'webhook', id, name }, before: null, after });
  }

  /** Without secrets, encrypted or not. */
  protected override snapshot(row: WebhookRow): Snapshot {
    const { secrets: _secrets, tenantId: _tenant, projectId: _project, headers, ...shown } = row;
    return { ...shown, headers: headers.map(({ name }) => name) };
  }
}

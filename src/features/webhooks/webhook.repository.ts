import type { Page } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { Models } from '../../persistence/models/index.js';
import type { StoredHeader, StoredSecret, WebhookRow } from '../../persistence/models/webhooks.js';
import type { PageQuery } from '../../persistence/repositories/repository.js';
import { TableRepository, type TableDefinition } from '../../persistence/repositories/table.repository.js';
import type { Snapshot } from '../../persistence/work/unit-of-work.js';

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

  listEnabled(): Promise<WebhookRow[]> {
    return this.listWhere({ ...this.scope, enabled: true });
  }

  /** Records a use that changes nothing. */
  recordUse(verb: string, { id, name }: WebhookRow, after: Snapshot): void {
    this.record({ action: `webhook.${verb}`, target: { type: 'webhook', id, name }, before: null, after });
  }

  /** Without secrets, encrypted or not. */
  protected override snapshot(row: WebhookRow): Snapshot {
    const { secrets: _secrets, tenantId: _tenant, projectId: _project, headers, ...shown } = row;
    return { ...shown, headers: headers.map(({ name }) => name) };
  }
}

import type { Page } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import { isUuid } from '../../infrastructure/ids.js';
import type { StoredHeader, StoredSecret, WebhookRow } from '../../persistence/models/webhooks.js';
import { Repository, type PageQuery } from '../../persistence/repositories/repository.js';

export type { StoredHeader, StoredSecret, WebhookRow };

/** Which webhooks to list. */
interface WebhookQuery extends PageQuery {
  readonly enabled?: boolean | undefined;
}

/** A webhook as audit records keep it: without secrets, encrypted or not. */
function auditView(row: WebhookRow): Record<string, unknown> {
  const { secrets: _secrets, tenantId: _tenant, projectId: _project, headers, ...shown } = row;
  return { ...shown, headers: headers.map(({ name }) => name) };
}

/** The only place that knows the table of webhooks. */
export class WebhookRepository extends Repository {
  list({ enabled, ...query }: WebhookQuery): Promise<Page<WebhookRow>> {
    const where = enabled === undefined ? this.#scope : { ...this.#scope, enabled };
    return this.page(this.bound.models.webhooks, where, query);
  }

  async count(): Promise<number> {
    const { models, transaction } = this.bound;
    return models.webhooks.count({ where: this.#scope, transaction });
  }

  /** Webhooks that are switched on: those that are told of events. */
  async listEnabled(): Promise<WebhookRow[]> {
    const { models, transaction } = this.bound;
    const rows = await models.webhooks.findAll({ where: { ...this.#scope, enabled: true }, transaction });
    return rows.map((row) => row.get());
  }

  /** @throws AppError 404 `webhook_not_found` */
  find(id: string): Promise<WebhookRow> {
    return this.#one(id, false);
  }

  /** The webhook, which nobody else changes until the end of this work. */
  lock(id: string): Promise<WebhookRow> {
    return this.#one(id, true);
  }

  async insert(webhook: WebhookRow): Promise<void> {
    await this.bound.models.webhooks.create(webhook, { transaction: this.bound.transaction });
    this.note('webhook.create', null, webhook);
  }

  async save(action: string, before: WebhookRow, after: WebhookRow): Promise<void> {
    const { models, transaction } = this.bound;
    await models.webhooks.update(after, { where: { ...this.#scope, id: before.id }, transaction });
    this.note(action, before, after);
  }

  async remove(webhook: WebhookRow): Promise<void> {
    const { models, transaction } = this.bound;
    await models.webhooks.destroy({ where: { ...this.#scope, id: webhook.id }, transaction });
    this.note('webhook.delete', webhook, null);
  }

  /** Notes for the audit record what became of a webhook. */
  note(action: string, before: WebhookRow | null, after: WebhookRow | null): void {
    const { id = '', name = '' } = after ?? before ?? {};
    this.record({
      action,
      target: { type: 'webhook', id, name },
      before: before && auditView(before),
      after: after && auditView(after),
    });
  }

  /** Notes something that was done with a webhook and changes nothing of it. */
  noteUse(action: string, { id, name }: WebhookRow, after: Readonly<Record<string, unknown>>): void {
    this.record({ action, target: { type: 'webhook', id, name }, before: null, after });
  }

  get #scope() {
    return { tenantId: this.tenantId, projectId: this.projectId };
  }

  async #one(id: string, isLocked: boolean): Promise<WebhookRow> {
    const { models, transaction } = this.bound;
    const found = isUuid(id)
      ? await models.webhooks.findOne({
          where: { ...this.#scope, id },
          transaction,
          ...(isLocked && { lock: transaction.LOCK.UPDATE }),
        })
      : null;
    if (found === null) throw new AppError('webhook_not_found');
    return found.get();
  }
}

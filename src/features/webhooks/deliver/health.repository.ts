import { Repository } from '../../../persistence/repositories/repository.js';

export class HealthRepository extends Repository {
  async recordSuccess(webhookId: string): Promise<void> {
    await this.query(
      `UPDATE webhooks SET health = 'healthy', failing_since = NULL, last_delivery_at = $3
       WHERE tenant_id = $1 AND id = $2 AND enabled`,
      [this.tenantId, webhookId, this.bound.now],
    );
  }

  /** Since when every attempt has failed; undefined for a disabled or deleted webhook. */
  async recordFailure(webhookId: string): Promise<Date | undefined> {
    const [row] = await this.query<{ since: Date }>(
      `UPDATE webhooks SET health = 'failing', failing_since = coalesce(failing_since, $3)
       WHERE tenant_id = $1 AND id = $2 AND enabled RETURNING failing_since AS since`,
      [this.tenantId, webhookId, this.bound.now],
    );
    return row?.since;
  }

  /** Records the change. Returns false if the webhook was disabled already. */
  async disable(webhookId: string, reason: string): Promise<boolean> {
    const [row] = await this.query<{ name: string; since: Date | null }>(
      `UPDATE webhooks SET enabled = false, health = 'disabled', updated_at = $3
       WHERE tenant_id = $1 AND id = $2 AND enabled RETURNING name, failing_since AS since`,
      [this.tenantId, webhookId, this.bound.now],
    );
    if (row === undefined) return false;
    if (reason === 'gone') await this.#endPending(webhookId);
    this.record({
      action: 'webhook.disable',
      target: { type: 'webhook', id: webhookId, name: row.name },
      before: { enabled: true },
      after: { enabled: false, health: 'disabled', reason, failingSince: row.since?.toISOString() ?? null },
    });
    return true;
  }

  /** The target has unsubscribed, so nothing that waits is sent when the webhook is enabled again. */
  async #endPending(webhookId: string): Promise<void> {
    await this.query(
      `UPDATE webhook_deliveries SET status = 'failed', completed_at = $3, claim = NULL, collects_until = NULL
       WHERE tenant_id = $1 AND webhook_id = $2 AND status = 'pending'`,
      [this.tenantId, webhookId, this.bound.now],
    );
  }
}

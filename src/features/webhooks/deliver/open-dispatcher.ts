import type { Logger } from '../../../infrastructure/logger.js';
import type { UnitOfWorkFactory } from '../../../persistence/work/unit-of-work.js';
import { retrySeconds } from './retry-schedule.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import type { WebhookOptions, WebhookServices } from '../webhook-services.js';

const POLL_MILLISECONDS = 1000;

/** Disabled webhooks are logged and audited; the service sends no mail. */
export function openDispatcher(
  { units, webhooks }: { readonly units: UnitOfWorkFactory; readonly webhooks: WebhookServices },
  options: WebhookOptions,
  { logger, newId }: { readonly logger: Logger; newId(): string },
): WebhookDispatcher {
  return new WebhookDispatcher({
    ...webhooks,
    ...{ units, newId },
    rules: { seconds: options.retrySeconds ?? retrySeconds, random: Math.random },
    pollMilliseconds: options.pollMilliseconds ?? POLL_MILLISECONDS,
    onError: (error) => {
      logger.error({ err: error }, 'webhook delivery failed');
    },
    onDisabled: ({ webhookId, projectSlug }, reason) => {
      logger.warn({ webhookId, projectSlug, reason }, 'webhook disabled');
    },
  });
}

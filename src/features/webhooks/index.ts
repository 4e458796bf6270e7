export { openDispatcher } from './deliver/open-dispatcher.js';
export type { WebhookDispatcher } from './deliver/webhook-dispatcher.js';
export { openWebhooks, type WebhookOptions, type WebhookServices } from './webhook-services.js';

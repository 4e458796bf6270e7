export { openDispatcher, type WebhookDispatcher } from './deliver/open-dispatcher.js';
export { openWebhooks, type WebhookOptions, type WebhookServices } from './webhook-services.js';

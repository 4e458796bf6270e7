import { webhooks } from '../../../contracts/operations/webhooks/webhooks.contract.js';
import { ResourceScreen } from '../resources/resource-screen.js';
import { resourceOf } from '../resources/resource-config.js';
import { listText } from '../texts/index.js';
import { eventText } from './event-choice.js';
import { WebhookHealth, webhookForm, type Webhook } from './webhook-health.js';

const resource = resourceOf<Webhook>({
  name: 'webhooks',
  contracts: webhooks,
  form: webhookForm,
  title: 'webhooks.title',
  hint: 'webhooks.hint',
  createLabel: 'webhooks.create',
  nameOf: ({ name }) => name,
  columns: ['name', 'health', 'enabled', 'url', 'events', 'lastDeliveryAt'],
  cells: {
    health: (webhook) => <WebhookHealth webhook={webhook} />,
    events: ({ events }) => listText(events.map(eventText)),
  },
  filters: ['enabled'],
  screenOf: ({ id }) => `webhooks/${id}`,
});

export const WebhooksScreen = () => <ResourceScreen resource={resource} />;

import type { Outputs } from '../api/client.js';
import { TextEditor } from '../fields/text-editors.js';
import type { FormConfig } from '../resources/resource-config.js';
import { EventChoice } from './event-choice.js';
import { EnvironmentChecks, LocaleChecks, SiteChecks, TypeChecks } from './scope-checks.js';

export type Webhook = Outputs['webhooks']['get']['data'];

export const webhookForm: FormConfig = {
  order: ['name', 'url', 'events', 'enabled', 'payload', 'batchWindowSeconds', 'filters', 'headers'],
  editors: {
    ...{ url: TextEditor, events: EventChoice },
    'filters.siteIds': SiteChecks,
    'filters.contentTypes': TypeChecks,
    'filters.locales': LocaleChecks,
    'filters.environments': EnvironmentChecks,
  },
};

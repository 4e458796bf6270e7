import { client, type Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { optionLabel } from '../resources/labels.js';
import { refreshAfter } from '../resources/use-operation.js';
import { t } from '../texts/index.js';
import { ActionButton } from '../ui/action-button.js';
import { notify } from '../ui/toasts.js';
import { TextEditor } from '../fields/text-editors.js';
import type { FormConfig } from '../resources/resource-config.js';
import { EventChoice } from './event-choice.js';
import { EnvironmentChecks, LocaleChecks, SiteChecks, TypeChecks } from './scope-checks.js';

export type Webhook = Outputs['webhooks']['get']['data'];

export const webhookForm: FormConfig = {
  order: ['name', 'url', 'events', 'enabled', 'payload', 'batchWindowSeconds', 'filters', 'headers'],
  editors: {
    url: TextEditor,
    events: EventChoice,
    'filters.siteIds': SiteChecks,
    'filters.contentTypes': TypeChecks,
    'filters.locales': LocaleChecks,
    'filters.environments': EnvironmentChecks,
  },
};

/** Makes the webhook of an ended key the caller's. */
export function AdoptWebhook({ webhook: { id, name } }: { readonly webhook: Webhook }) {
  const { slug: projectSlug, may } = useProject();
  if (!may('webhooks.adopt')) return null;
  const adopt = async (): Promise<void> => {
    await client.webhooks.adopt.mutate({ projectSlug, id });
    notify(t('webhooks.adopted', { name }));
    await refreshAfter('webhooks');
  };
  return <ActionButton label={t('webhooks.adopt')} run={adopt} />;
}

/** An orphaned webhook receives nothing, whatever its health was. */
export function WebhookHealth({ webhook }: { readonly webhook: Webhook }) {
  if (!webhook.orphaned)
    return <span className={`badge ${webhook.health}`}>{optionLabel('health', webhook.health)}</span>;
  return (
    <span className="row">
      <span className="badge failing" title={t('webhooks.orphanedHint')}>
        {t('webhooks.orphaned')}
      </span>
      <AdoptWebhook webhook={webhook} />
    </span>
  );
}

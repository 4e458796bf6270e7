import { client } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { optionLabel } from '../resources/labels.js';
import { refreshAfter } from '../resources/use-operation.js';
import { t } from '../texts/index.js';
import { ActionButton } from '../ui/action-button.js';
import { notify } from '../ui/toasts.js';
import type { Webhook } from './webhook-form.js';

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

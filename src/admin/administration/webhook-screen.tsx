import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { webhooks } from '../../../contracts/operations/webhooks/webhooks.contract.js';
import { api, client } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { ItemActions, ItemDialog, ItemFacts } from '../resources/item-dialog.js';
import { deletion, resourceOf } from '../resources/resource-config.js';
import { refreshAfter } from '../resources/use-operation.js';
import { listText, t } from '../texts/index.js';
import { Loaded } from '../ui/states.js';
import { notify } from '../ui/toasts.js';
import { errorText, WebhookDeliveries } from './webhook-deliveries.js';
import { eventText } from './event-choice.js';
import { AdoptWebhook, webhookForm, type Webhook } from './webhook-health.js';
import { ActionButton } from '../ui/action-button.js';

const resource = resourceOf<Webhook>({
  ...{ name: 'webhooks', contracts: webhooks, form: webhookForm },
  title: 'webhooks.title',
  createLabel: 'webhooks.create',
  nameOf: ({ name }) => name,
  columns: ['name'],
  cells: { events: ({ events }) => listText(events.map(eventText)) },
  facts: ['url', 'health', 'enabled', 'events', 'lastDeliveryAt', 'secretPreview'],
  actions: [
    {
      verb: 'rotateSecret',
      label: 'webhooks.rotate',
      question: 'webhooks.rotateQuestion',
      done: 'webhooks.rotated',
    },
    deletion(),
  ],
});

/** Sends a sample and says what became of it. */
function TestButton({ id }: { readonly id: string }) {
  const { slug: projectSlug } = useProject();
  const send = async (): Promise<void> => {
    const { ok, statusCode, error } = (await client.webhooks.test.mutate({ projectSlug, id })).data;
    const status = statusCode ?? '–';
    notify(
      ok
        ? t('webhooks.testOk', { status })
        : t('webhooks.testFailed', { reason: `${errorText(error)} (${String(status)})` }),
    );
    await refreshAfter('webhooks');
  };
  return <ActionButton label={t('webhooks.test')} run={send} />;
}

function WebhookHead({ webhook }: { readonly webhook: Webhook }) {
  const { slug, environment, may } = useProject();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const fixed = { projectSlug: slug };
  const list = ['', slug, environment, 'webhooks'].join('/');
  return (
    <>
      <header className="screen-head row wrap">
        <h1 className="grow clip">{webhook.name}</h1>
        {may('webhooks.test') && <TestButton id={webhook.id} />}
        {may('webhooks.update') && (
          <button className="button" onClick={() => setIsOpen(true)} type="button">
            {t('webhooks.edit')}
          </button>
        )}
        <ItemActions
          fixed={fixed}
          item={webhook}
          // A deleted webhook has no screen any more.
          onDone={(verb) => verb === 'delete' && void navigate({ to: list })}
          resource={resource}
        />
      </header>
      <p className="screen-hint">
        <Link to={list}>{t('webhooks.back')}</Link>
      </p>
      <div className="screen-part">
        {webhook.orphaned && (
          <div className="notice row wrap">
            <p className="grow">{t('webhooks.orphanedHint')}</p>
            <AdoptWebhook webhook={webhook} />
          </div>
        )}
        <ItemFacts item={webhook} list={webhooks.list} resource={resource} />
      </div>
      {isOpen && (
        <ItemDialog
          fixed={fixed}
          item={webhook}
          list={webhooks.list}
          onClose={() => setIsOpen(false)}
          resource={{ ...resource, facts: [], actions: [] }}
        />
      )}
    </>
  );
}

/** One webhook with its deliveries. */
export function WebhookScreen() {
  const { webhook: id = '' } = useParams({ strict: false });
  const { slug: projectSlug } = useProject();
  const webhook = useQuery(api.webhooks.get.queryOptions({ projectSlug, id }));
  return (
    <Loaded query={webhook}>
      {({ data }) => (
        <>
          <WebhookHead webhook={data} />
          <WebhookDeliveries id={id} />
        </>
      )}
    </Loaded>
  );
}

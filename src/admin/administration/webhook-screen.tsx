import { useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { webhooks } from '../../../contracts/operations/webhooks/webhooks.contract.js';
import { api, client, type Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { ItemActions, ItemDialog, ItemFacts } from '../resources/item-dialog.js';
import { deletion, resourceOf } from '../resources/resource-config.js';
import { refreshAfter } from '../resources/use-operation.js';
import { listText, t, formatTime, maybeText } from '../texts/index.js';
import { Loaded, Empty } from '../ui/states.js';
import { notify } from '../ui/toasts.js';
import { eventText } from './event-choice.js';
import { AdoptWebhook, webhookForm, type Webhook } from './webhook-health.js';
import { ActionButton } from '../ui/action-button.js';
import { deliveryStatuses, type DeliveryStatus } from '../../../contracts/operations/webhooks/webhook.js';
import { optionLabel } from '../resources/labels.js';
import { Choice } from '../ui/choice.js';
import { DataTable, type Column } from '../ui/data-table.js';

type Delivery = Outputs['webhooks']['listDeliveries']['data'][number];

const PAGE = 25;
const PENDING_MILLISECONDS = 10_000;

function useDeliveries(id: string, status: DeliveryStatus | undefined) {
  const { slug: projectSlug } = useProject();
  const input = { projectSlug, id, limit: PAGE, ...(status !== undefined && { status }) };
  return useInfiniteQuery({
    queryKey: [...api.webhooks.listDeliveries.queryKey(input), 'pages'],
    queryFn: ({ pageParam }) =>
      client.webhooks.listDeliveries.query({
        ...input,
        ...(pageParam !== undefined && { cursor: pageParam }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((one) => one.status === 'pending')) === true
        ? PENDING_MILLISECONDS
        : false,
  });
}

/** Why nothing arrived, in words where the service gives a code. */
export const errorText = (error: string | null): string =>
  error === null ? '–' : (maybeText(`webhooks.error.${error}`) ?? error);

const attemptText = ({ at, statusCode, error, durationMs }: Delivery['attempts'][number]): string => {
  const values = { time: formatTime(at), duration: durationMs };
  return statusCode === null
    ? t('webhooks.attemptFailed', { ...values, reason: errorText(error) })
    : t('webhooks.attempt', { ...values, status: statusCode });
};

/** What the receiver responded, attempt by attempt. */
function Attempts({ attempts }: Pick<Delivery, 'attempts'>) {
  if (attempts.length === 0) return <>–</>;
  return (
    <details>
      <summary>{attempts.map(({ statusCode, error }) => statusCode ?? errorText(error)).join(', ')}</summary>
      <ol className="attempts">
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            {attemptText(attempt)}
            {attempt.responseSnippet !== null && attempt.responseSnippet !== '' && (
              <pre className="value">{attempt.responseSnippet}</pre>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

function Redeliver({ delivery }: { readonly delivery: Delivery }) {
  const { slug: projectSlug } = useProject();
  const send = async (): Promise<void> => {
    const { webhookId: id, id: deliveryId } = delivery;
    await client.webhooks.redeliver.mutate({ projectSlug, id, deliveryId });
    notify(t('webhooks.redelivered'));
    await refreshAfter('webhooks');
  };
  return <ActionButton label={t('webhooks.redeliver')} run={send} />;
}

const columns = (mayRedeliver: boolean): Column<Delivery>[] => [
  {
    key: 'event',
    label: t('key.event'),
    cell: ({ eventType, isTest }) => (
      <span className="row tight">
        {eventText(eventType)}
        {isTest && <span className="badge">{t('webhooks.isTest')}</span>}
      </span>
    ),
  },
  {
    key: 'status',
    label: t('key.status'),
    cell: ({ status }) => <span className={`badge ${status}`}>{optionLabel('status', status)}</span>,
  },
  { key: 'createdAt', label: t('key.createdAt'), isWide: true, cell: (one) => formatTime(one.createdAt) },
  { key: 'attempts', label: t('webhooks.attempts'), cell: (one) => <Attempts attempts={one.attempts} /> },
  ...(mayRedeliver
    ? [
        {
          key: 'redeliver',
          label: t('webhooks.redeliver'),
          cell: (one: Delivery) => <Redeliver delivery={one} />,
        },
      ]
    : []),
];

/** What was sent to a webhook, latest first. */
export function WebhookDeliveries({ id }: { readonly id: string }) {
  const { may } = useProject();
  const [status, setStatus] = useState<DeliveryStatus>();
  const deliveries = useDeliveries(id, status);
  return (
    <section aria-label={t('webhooks.deliveries')}>
      <div className="screen-head row">
        <h2 className="grow">{t('webhooks.deliveries')}</h2>
        <Choice
          label={t('key.status')}
          onChange={(value) => setStatus(deliveryStatuses.find((one) => one === value))}
          value={status}
        >
          {deliveryStatuses.map((one) => (
            <option key={one} value={one}>
              {optionLabel('status', one)}
            </option>
          ))}
        </Choice>
        <button className="button" onClick={() => void deliveries.refetch()} type="button">
          {t('webhooks.reload')}
        </button>
      </div>
      <Loaded query={deliveries}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          if (rows.length === 0) return <Empty title={t('webhooks.noDeliveries')} />;
          return (
            <>
              <DataTable
                columns={columns(may('webhooks.redeliver'))}
                keyOf={(one) => one.id}
                label={t('webhooks.deliveries')}
                rows={rows}
              />
              {deliveries.hasNextPage && (
                <div className="page-switch row">
                  <button className="button" onClick={() => void deliveries.fetchNextPage()} type="button">
                    {t('resource.more')}
                  </button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

const resource = resourceOf<Webhook>({
  name: 'webhooks',
  contracts: webhooks,
  form: webhookForm,
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

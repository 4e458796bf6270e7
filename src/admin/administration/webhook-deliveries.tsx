import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deliveryStatuses, type DeliveryStatus } from '../../../contracts/operations/webhooks/webhook.js';
import { eventText } from './event-choice.js';
import { api, client, type Outputs } from '../api/client.js';
import { useProject } from '../api/project-data.js';
import { optionLabel } from '../resources/labels.js';
import { refreshAfter } from '../resources/use-operation.js';
import { formatTime, maybeText, t } from '../texts/index.js';
import { Choice } from '../ui/choice.js';
import { DataTable, type Column } from '../ui/data-table.js';
import { Empty, Loaded } from '../ui/states.js';
import { notify } from '../ui/toasts.js';
import { ActionButton } from '../ui/action-button.js';

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

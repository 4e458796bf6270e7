import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { api, client, queryClient, type Outputs } from '../api/client.js';
import { formatTime, localeName, t } from '../texts/index.js';
import { say } from './notification-texts.js';
import { Dialog } from '../ui/dialog.js';
import { Empty, Loaded } from '../ui/states.js';
import { notifyFailure } from '../ui/toasts.js';

type Notification = Outputs['notifications']['list']['data'][number];
type Settings = Outputs['notifications']['getSettings']['data']['mail'];

const PAGE = 20;
const times = ['immediately', 'daily', 'never'] as const;

const refresh = (): Promise<void> => queryClient.invalidateQueries(api.notifications.list.pathFilter());

async function markRead(given: { ids: string[] } | { all: true }): Promise<void> {
  try {
    await client.notifications.markRead.mutate(given);
    await refresh();
  } catch (error) {
    notifyFailure(error);
  }
}

/** Where the app shows what it is about. */
function useOpen(onClose: () => void): (notification: Notification) => void {
  const navigate = useNavigate();
  return ({
    id,
    kind,
    readAt,
    project: { slug: project },
    environment,
    entryId,
    locale,
    commentId,
    ...about
  }) => {
    if (readAt === null) void markRead({ ids: [id] });
    onClose();
    if (kind === 'schedule_failed' && entryId === null && environment !== null && about.subjectId !== null) {
      void navigate({
        to: '/$project/$environment/releases/$release',
        params: { project, environment, release: about.subjectId },
      });
      return;
    }
    if (entryId === null || environment === null) {
      const isWebhook = kind === 'webhook_disabled';
      const isKey = kind === 'key_expiring' || kind === 'orphaned';
      const search = {
        webhook: isWebhook ? (about.subjectId ?? undefined) : undefined,
        key: isKey ? about.title : undefined,
      };
      void navigate({ to: '/$project', params: { project }, search });
      return;
    }
    void navigate({
      to: '/$project/$environment/entries/$entry',
      params: { project, environment, entry: entryId },
      search: {
        ...(locale !== null && { locale }),
        ...(commentId !== null && { panel: 'comments', thread: commentId }),
      },
    });
  };
}

function Item({ item, onOpen }: { readonly item: Notification; readonly onOpen: () => void }) {
  const { kind, title, quote, actor, project, locale, createdAt, readAt } = item;
  const isUnread = readAt === null;
  return (
    <li className={isUnread ? 'notification unread' : 'notification'}>
      <button className="notification-link" onClick={onOpen} type="button">
        <span>
          {isUnread && <span className="hidden-text">{say('isUnread')} </span>}
          {say(`kind.${kind}`, {
            actor: actor.name,
            title: title === '' ? t('entry.untitled') : title,
          })}
        </span>
        {quote !== null && <q className="notification-quote">{quote}</q>}
        <span className="soft small">
          {[project.name, locale === null ? undefined : localeName(locale), formatTime(createdAt)]
            .filter((part) => part !== undefined)
            .join(' · ')}
        </span>
      </button>
    </li>
  );
}

/** When each kind is sent by mail. */
function MailSettings() {
  const query = useQuery(api.notifications.getSettings.queryOptions({}));
  const change = async (mail: Partial<Settings>): Promise<void> => {
    try {
      await client.notifications.updateSettings.mutate({ mail });
    } catch (error) {
      notifyFailure(error);
    }
    await queryClient.invalidateQueries(api.notifications.getSettings.queryFilter());
  };
  return (
    <details className="notification-settings">
      <summary>{say('mail')}</summary>
      <p className="soft small">{say('mailHint')}</p>
      <Loaded query={query}>
        {({ data: { mail } }) =>
          (Object.keys(mail) as (keyof Settings)[]).map((kind) => (
            <label className="row" key={kind}>
              <span className="grow">{say(`setting.${kind}`)}</span>
              <select
                className="select compact"
                onChange={({ target }) => void change({ [kind]: target.value as Settings[typeof kind] })}
                value={mail[kind]}
              >
                {times.map((time) => (
                  <option key={time} value={time}>
                    {say(`time.${time}`)}
                  </option>
                ))}
              </select>
            </label>
          ))
        }
      </Loaded>
    </details>
  );
}

const pages = {
  queryKey: [...api.notifications.list.pathKey(), 'panel'],
  queryFn: ({ pageParam: page }: { readonly pageParam: number }) =>
    client.notifications.list.query({ page, limit: PAGE }),
  initialPageParam: 1,
  getNextPageParam: ({ meta: { page, pages: count } }: Outputs['notifications']['list']) =>
    page < count ? page + 1 : undefined,
  placeholderData: keepPreviousData,
};

/** The notifications of the user in all projects, newest first. */
export function NotificationPanel({ onClose }: { readonly onClose: () => void }) {
  const query = useInfiniteQuery(pages);
  const open = useOpen(onClose);
  const listId = useId();
  return (
    <Dialog onClose={onClose} title={say('title')}>
      <Loaded query={query}>
        {({ pages: read }) => {
          const items = read.flatMap(({ data }) => data);
          return (
            <>
              {items.length === 0 && <Empty hint={say('emptyHint')} title={say('empty')} />}
              <ul className="notifications" id={listId}>
                {items.map((item) => (
                  <Item item={item} key={item.id} onOpen={() => open(item)} />
                ))}
              </ul>
              <div className="actions">
                {query.hasNextPage && (
                  <button className="button" onClick={() => void query.fetchNextPage()} type="button">
                    {say('more')}
                  </button>
                )}
                {(read[0]?.meta.unreadCount ?? 0) > 0 && (
                  <button className="button" onClick={() => void markRead({ all: true })} type="button">
                    {say('readAll')}
                  </button>
                )}
              </div>
            </>
          );
        }}
      </Loaded>
      <MailSettings />
    </Dialog>
  );
}

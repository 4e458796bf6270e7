import { useQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { api, queryClient } from '../api/client.js';
import { formatNumber } from '../texts/index.js';
import { listenLive } from './live.js';
import { say } from './notification-texts.js';
import { lazyPart } from '../ui/lazy-part.js';

const Panel = lazyPart(() => import('./notification-panel.js'), 'NotificationPanel');

/** Counts are shown up to here. */
const MOST = 99;

/** Reads again whenever the service says so. */
function useLiveNotifications(): void {
  useEffect(
    () =>
      listenLive(({ event }) => {
        if (event === 'notifications' || event === 'open')
          void queryClient.invalidateQueries(api.notifications.list.pathFilter());
      }),
    [],
  );
}

/** How many notifications are unread; opens them. */
export function Bell() {
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useQuery(api.notifications.list.queryOptions({ limit: 1 }));
  useLiveNotifications();
  const unread = data?.meta.unreadCount ?? 0;
  const label = unread === 0 ? say('title') : say('unread', { count: formatNumber(unread) });
  return (
    <>
      <button
        aria-haspopup="dialog"
        aria-label={label}
        className="button plain bell"
        onClick={() => setIsOpen(true)}
        title={label}
        type="button"
      >
        <BellIcon aria-hidden="true" size={18} strokeWidth={1.75} />
        {unread > 0 && (
          <span aria-hidden="true" className="bell-count">
            {unread > MOST ? `${String(MOST)}+` : formatNumber(unread)}
          </span>
        )}
      </button>
      <span className="hidden-text" role="status">
        {unread === 0 ? '' : label}
      </span>
      {isOpen && (
        <Suspense>
          <Panel onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

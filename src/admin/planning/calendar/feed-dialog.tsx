import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { formatTime, t } from '../../texts/index.js';
import { Dialog } from '../../ui/dialog.js';
import { Loaded } from '../../ui/states.js';

/** The address for calendar programs. It needs no login, so it is shown only when it is asked for. */
export function FeedDialog({ onClose }: { readonly onClose: () => void }) {
  const { slug: projectSlug } = useProject();
  const query = useQuery(api.calendar.feedUrl.queryOptions({ projectSlug }, { gcTime: 0 }));
  return (
    <Dialog onClose={onClose} title={t('calendar.subscribe')}>
      <p>{t('calendar.feedHint')}</p>
      <Loaded query={query}>
        {({ data: { url, expiresAt } }) => (
          <label className="field">
            <span className="label">{t('calendar.feedUrl')}</span>
            <input
              className="input code"
              data-focus
              onFocus={({ target }) => target.select()}
              readOnly
              value={new URL(url, location.href).href}
            />
            <span className="hint">{t('calendar.feedUntil', { time: formatTime(expiresAt) })}</span>
          </label>
        )}
      </Loaded>
    </Dialog>
  );
}

import { Suspense, useState } from 'react';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { useSession } from '../../api/session-store.js';
import { t } from '../../texts/index.js';
import { ActionButton } from '../../ui/action-button.js';
import { lazyPart } from '../../ui/lazy-part.js';
import { notify } from '../../ui/toasts.js';
import type { ListSearch } from '../list-search.js';
import { refreshViews, useViews, type ViewedList } from './use-views.js';
import type { SavedView, ViewSettings } from './view-settings.js';

const NewViewDialog = lazyPart(() => import('./view-dialogs.js'), 'NewViewDialog');
const EditViewDialog = lazyPart(() => import('./view-dialogs.js'), 'EditViewDialog');

/** The user who is logged in; only they change views that they created. */
export function useIsOwn(): (view: SavedView) => boolean {
  const session = useSession();
  const userId = session.status === 'none' ? undefined : session.session.user.id;
  return ({ createdBy }) => createdBy.id === userId;
}

interface Props {
  readonly list: ViewedList;
  /** What the list shows now. */
  readonly settings: ViewSettings;
  readonly onChange: (search: ListSearch) => void;
}

function ViewChoice({ list: { view }, onChange }: Omit<Props, 'settings'>) {
  const query = useViews();
  const isOwn = useIsOwn();
  const views = query.data ?? [];
  if (query.data === undefined && query.error !== null)
    return (
      <button className="button" onClick={() => void query.refetch()} type="button">
        {t('views.failed')}
      </button>
    );
  // A view of the address may not be in the list yet.
  const all = view === undefined || views.some(({ id }) => id === view.id) ? views : [...views, view];
  const groups = [
    { label: t('views.own'), views: all.filter(isOwn) },
    { label: t('views.others'), views: all.filter((one) => !isOwn(one)) },
  ];
  return (
    <select
      aria-label={t('views.title')}
      className="select compact"
      disabled={query.isPending}
      onChange={({ target }) => onChange(target.value === '' ? {} : { view: target.value })}
      value={view?.id ?? ''}
    >
      <option value="">{t('views.none')}</option>
      {groups
        .filter((group) => group.views.length > 0)
        .map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.views.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
    </select>
  );
}

function ChangeButtons({ list: { view, isChanged }, settings, onChange }: Props) {
  const { slug: projectSlug, may } = useProject();
  const isOwn = useIsOwn();
  if (view === undefined || !isChanged) return null;
  const { id, name } = view;
  return (
    <>
      <span className="badge changed">{t('views.changed')}</span>
      {isOwn(view) && may('views.update') && (
        <ActionButton
          label={t('views.update')}
          run={async () => {
            await client.views.update.mutate({ projectSlug, id, ...settings });
            await refreshViews();
            notify(t('views.saved', { name }));
            onChange({ view: id });
          }}
        />
      )}
      <button className="button plain" onClick={() => onChange({ view: id })} type="button">
        {t('views.revert')}
      </button>
    </>
  );
}

/** Chooses, saves and changes views of the list. */
export function ViewBar(props: Props) {
  const { may } = useProject();
  const isOwn = useIsOwn();
  const [open, setOpen] = useState<'new' | 'edit'>();
  const { list, settings, onChange } = props;
  const { view, search } = list;
  const close = (): void => setOpen(undefined);
  if (!may('views.list')) return null;
  return (
    <div aria-label={t('views.title')} className="view-bar row" role="group">
      <ViewChoice {...props} />
      <ChangeButtons {...props} />
      {view !== undefined && isOwn(view) && may('views.update') && (
        <button className="button" onClick={() => setOpen('edit')} type="button">
          {t('views.edit')}
        </button>
      )}
      {view !== undefined && !isOwn(view) && (
        <span className="soft small">{t('views.by', { name: view.createdBy.name })}</span>
      )}
      {may('views.create') && (
        <button className="button" onClick={() => setOpen('new')} type="button">
          {t('views.saveAs')}
        </button>
      )}
      <Suspense>
        {open === 'new' && (
          <NewViewDialog
            onClose={close}
            onSaved={(id) => {
              close();
              onChange({ view: id });
            }}
            settings={settings}
          />
        )}
        {open === 'edit' && view !== undefined && (
          <EditViewDialog
            onClose={close}
            onDeleted={() => {
              close();
              onChange({ ...search, view: undefined });
            }}
            view={view}
          />
        )}
      </Suspense>
    </div>
  );
}

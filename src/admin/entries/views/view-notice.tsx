import { client } from '../../api/client.js';
import { failureOf } from '../../api/failure.js';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { ActionButton } from '../../ui/action-button.js';
import { refreshViews, type ViewedList } from './use-views.js';
import { useIsOwn } from './view-bar.js';
import { missingIn, withoutMissing, type MissingNames } from './view-settings.js';

interface Props {
  readonly list: ViewedList;
  readonly onLeave: () => void;
}

const kinds = ['types', 'fields', 'sites', 'locales'] as const satisfies readonly (keyof MissingNames)[];

function Missing({ list: { view } }: Pick<Props, 'list'>) {
  const project = useProject();
  const isOwn = useIsOwn();
  if (view === undefined) return null;
  const missing = missingIn(view, project);
  const named = kinds.filter((kind) => missing[kind].length > 0);
  if (named.length === 0) return null;
  return (
    <div className="notice bad view-notice" role="status">
      <div className="grow">
        {named.map((kind) => (
          <p key={kind}>{t(`views.missing.${kind}`, { names: missing[kind].join(', ') })}</p>
        ))}
      </div>
      {isOwn(view) && project.may('views.update') && (
        <ActionButton
          label={t('views.clean')}
          run={async () => {
            const settings = withoutMissing(view, missing);
            await client.views.update.mutate({ projectSlug: project.slug, id: view.id, ...settings });
            await refreshViews();
          }}
        />
      )}
    </div>
  );
}

/** What a view says beside its filters: names that mean nothing any more, and filters without a control. */
export function ViewNotice({ list, onLeave }: Props) {
  const further = Object.keys(list.further);
  if (list.error !== null)
    return (
      <div className="notice bad view-notice" role="alert">
        <p className="grow">{failureOf(list.error).message}</p>
        <button className="button" onClick={onLeave} type="button">
          {t('views.leave')}
        </button>
      </div>
    );
  return (
    <>
      <Missing list={list} />
      {further.length > 0 && (
        <p className="notice view-notice">{t('views.further', { names: further.join(', ') })}</p>
      )}
    </>
  );
}

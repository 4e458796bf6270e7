import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, client } from '../../api/client.js';
import { projectQuery, useProject, type ContentType, type Entry } from '../../api/project-data.js';
import { titleOf } from '../../entries/entry-title.js';
import { formatTime, t } from '../../texts/index.js';
import { ActionButton } from '../../ui/action-button.js';
import { Icon } from '../../ui/icon.js';
import { notify } from '../../ui/toasts.js';
import { draftOf } from '../draft.js';
import { FieldForm } from '../field-form.js';
import { directionOf } from '../locales/direction.js';
import { PlaceContext } from '../place.js';
import { noProblems } from '../problems.js';
import { contentOf } from '../use-entry-state.js';

interface Props {
  readonly entry: Entry;
  readonly type: ContentType;
}

function Restore({ entry }: Pick<Props, 'entry'>) {
  const { slug, environment } = useProject();
  const queries = useQueryClient();
  const restore = async (): Promise<void> => {
    const { id, version } = entry;
    await client.entries.undelete.mutate({ projectSlug: slug, id, version });
    notify(t('deleted.restored'));
    await Promise.all([
      queries.invalidateQueries({ queryKey: api.entries.pathKey() }),
      queries.invalidateQueries(projectQuery(slug, environment)),
    ]);
  };
  return <ActionButton label={t('deleted.restore')} run={restore} />;
}

/** A deleted entry can be read and restored. */
export function DeletedEntry({ entry, type }: Props) {
  const { slug, environment, may } = useProject();
  const { siteId, locale, deletedAt } = entry;
  return (
    <PlaceContext value={{ siteId, locale }}>
      <header className="editor-head">
        <div className="row tight grow">
          <Link
            aria-label={t('deleted.back')}
            className="button icon plain"
            params={{ project: slug, environment }}
            search={{ type: type.apiName, deleted: true }}
            to="/$project/$environment"
          >
            <Icon name="back" />
          </Link>
          <div className="grow">
            <p className="small soft clip">{type.name}</p>
            <h1 className="clip">{titleOf(entry, type)}</h1>
          </div>
        </div>
        {may('entries.undelete') && <Restore entry={entry} />}
      </header>
      <div className="editor">
        <div className="editor-form" dir={directionOf(locale)}>
          <p className="notice" dir="ltr">
            {t('deleted.since', {
              time: formatTime(deletedAt ?? entry.updatedAt),
              name: entry.updatedBy.name,
            })}
          </p>
          <FieldForm
            draft={draftOf(contentOf(entry))}
            isReadOnly
            onChange={() => undefined}
            problems={noProblems}
            type={type}
          />
        </div>
      </div>
    </PlaceContext>
  );
}

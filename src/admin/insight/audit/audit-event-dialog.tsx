import { Link } from '@tanstack/react-router';
import { useProject } from '../../api/project-data.js';
import { contentText } from '../../editor/block-text.js';
import { plainPath } from '../../editor/paths.js';
import { formatTime, t } from '../../texts/index.js';
import { ChangeView } from '../../ui/change-view.js';
import { textOf } from '../../ui/value-text.js';
import { changesOf } from '../../ui/changes.js';
import { Dialog } from '../../ui/dialog.js';
import type { AuditEvent } from './audit-queries.js';
import { actionText, sentenceOf, subjectText, targetText } from './audit-words.js';
import type { AuditSearch } from './audit-search.js';

interface Props {
  readonly event: AuditEvent;
  readonly onClose: () => void;
  readonly onFilter: (search: AuditSearch) => void;
}

/** What is known of the call. */
function Facts({ event }: Pick<Props, 'event'>) {
  const { actor, action, target, environment, locale, context, cause, metadata } = event;
  const facts = [
    [t('audit.actor'), `${actor.name} (${t(`audit.actorType.${actor.type}`)})`],
    [t('audit.target'), `${subjectText(target.type)} · ${targetText(target)}`],
    [t('audit.id'), target.id],
    [t('environment.switch'), environment],
    [t('list.locale'), locale],
    [t('audit.interface'), t(`audit.interface.${context.interface}`)],
    [t('audit.ip'), context.ip],
    [t('audit.request'), context.requestId],
    [t('audit.cause'), cause === null || cause.action === action ? null : actionText(cause.action)],
    ...Object.entries(metadata).map(([key, value]) => [key, textOf(value)] as const),
  ] as const;
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function Changes({ event: { before, after } }: Pick<Props, 'event'>) {
  const project = useProject();
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p className="soft">{t('audit.noChange')}</p>;
  return changes.map((change) => (
    <ChangeView
      change={{ ...change, path: change.path.map(plainPath) }}
      key={change.path.join('\n')}
      text={(value, other) => contentText(project, value, other)}
    />
  ));
}

export function AuditEventDialog({ event, onClose, onFilter }: Props) {
  const { slug, environment } = useProject();
  const { action, actor, at, target } = event;
  const isHere = target.type === 'entry' && event.environment === environment;
  return (
    <Dialog isWide onClose={onClose} title={`${actionText(action)} · ${formatTime(at)}`}>
      <div className="row">
        <p className="grow">{sentenceOf(event, <strong>{targetText(target)}</strong>)}</p>
        {isHere && (
          <Link
            className="button"
            params={{ project: slug, environment, entry: target.id }}
            search={{ locale: event.locale ?? undefined }}
            to="/$project/$environment/entries/$entry"
          >
            {t('audit.openEntry')}
          </Link>
        )}
      </div>
      <Changes event={event} />
      <Facts event={event} />
      <div className="actions">
        <button className="button" onClick={() => onFilter({ targetId: target.id })} type="button">
          {t('audit.onlyTarget')}
        </button>
        {actor.id !== null && (
          <button
            className="button"
            onClick={() => onFilter({ actorId: actor.id ?? undefined })}
            type="button"
          >
            {t('audit.onlyActor')}
          </button>
        )}
        <button className="button" onClick={() => onFilter({ action })} type="button">
          {t('audit.onlyAction')}
        </button>
      </div>
    </Dialog>
  );
}

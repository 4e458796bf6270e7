import { useState } from 'react';
import { limits } from '../../../../contracts/limits.js';
import { client, queryClient } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { formatTime, t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify, notifyFailure } from '../../ui/toasts.js';
import { textOf } from '../../ui/value-text.js';
import { EntryLink } from '../entry-link.js';
import type { Issue } from './use-issues.js';

interface Props {
  readonly issue: Issue;
  readonly onClose: () => void;
}

function Evidence({ issue: { evidence } }: Pick<Props, 'issue'>) {
  return (
    <section className="field">
      <h3>{t('governance.evidence')}</h3>
      <dl className="facts">
        {Object.entries(evidence).map(([key, value]) => (
          <div key={key}>
            <dt className="code">{key}</dt>
            <dd>
              <pre className="value">{textOf(value)}</pre>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** From when to when it was seen, and who acknowledged it. */
function LifeCycle({ issue }: Pick<Props, 'issue'>) {
  const { status, firstSeenAt, lastSeenAt, resolvedBy, resolvedAt, note } = issue;
  return (
    <dl className="facts">
      <div>
        <dt>{t('governance.firstSeen')}</dt>
        <dd>{formatTime(firstSeenAt)}</dd>
      </div>
      <div>
        <dt>{t('governance.lastSeen')}</dt>
        <dd>{formatTime(lastSeenAt)}</dd>
      </div>
      {resolvedAt !== null && (
        <div>
          <dt>{t(`governance.status.${status}`)}</dt>
          <dd>{[formatTime(resolvedAt), resolvedBy?.name].filter(Boolean).join(' · ')}</dd>
        </div>
      )}
      {note !== null && (
        <div>
          <dt>{t('governance.note')}</dt>
          <dd>{note}</dd>
        </div>
      )}
    </dl>
  );
}

/** A note says why the issue needs no further action. */
function Acknowledge({ issue, onClose }: Props) {
  const { slug: projectSlug } = useProject();
  const [note, setNote] = useState(issue.note ?? '');
  const [isBusy, setIsBusy] = useState(false);
  const acknowledge = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await client.governance.resolve.mutate({ projectSlug, id: issue.id, note: note === '' ? null : note });
      await queryClient.invalidateQueries({ queryKey: ['governance'] });
      notify(t('governance.acknowledged'));
      onClose();
    } catch (error) {
      notifyFailure(error);
      setIsBusy(false);
    }
  };
  return (
    <>
      <label className="field">
        <span className="label">{t('governance.note')}</span>
        <textarea
          className="area"
          maxLength={limits.governanceNoteLength}
          onChange={({ target }) => setNote(target.value)}
          value={note}
        />
        <span className="hint">{t('governance.noteHint')}</span>
      </label>
      <DialogFooter disabled={isBusy} onRun={acknowledge} run={t('governance.acknowledge')} />
    </>
  );
}

export function IssueDialog({ issue, onClose }: Props) {
  const { may } = useProject();
  const { detector, severity, status, subject, message } = issue;
  return (
    <Dialog isWide onClose={onClose} title={t(`detector.${detector}`)}>
      <p className="row">
        <span className={`badge ${severity}`}>{t(`severity.${severity}`)}</span>
        <span className={`badge ${status}`}>{t(`governance.status.${status}`)}</span>
        <span className="soft">{t(`governance.subject.${subject.type}`)}</span>
        {subject.type === 'entry' ? (
          <EntryLink id={subject.id} locale={null} title={subject.name} />
        ) : (
          <strong>{subject.name}</strong>
        )}
      </p>
      <p>{message}</p>
      <Evidence issue={issue} />
      <LifeCycle issue={issue} />
      {status !== 'resolved' && may('governance.resolve') && <Acknowledge issue={issue} onClose={onClose} />}
    </Dialog>
  );
}

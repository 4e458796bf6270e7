import { useState, type ReactNode } from 'react';
import { limits } from '../../../../contracts/limits.js';
import { api, client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { useCall } from '../../api/use-call.js';
import { useZonedTime, ZonedTimeFields } from '../../editor/zoned-time.js';
import { refreshAfter } from '../../resources/use-operation.js';
import { maybeText } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { notify } from '../../ui/toasts.js';
import { ReleasePlan, Refused, type Release } from './release-issues.js';
import { say, type ReleaseText } from './release-texts.js';

/** What a change of the release shows elsewhere. */
export const refreshReleases = (): Promise<void> =>
  refreshAfter('releases', [api.entries.pathKey(), api.calendar.pathKey(), api.media.pathKey()]);

interface Props {
  readonly release: Release;
  readonly onClose: () => void;
}

interface QuestionProps extends Props {
  readonly title: ReleaseText;
  readonly run: ReleaseText;
  /** Reported when it is done. */
  readonly done: ReleaseText;
  readonly isDangerous?: boolean;
  readonly isReady?: boolean;
  readonly call: () => Promise<unknown>;
  readonly children: ReactNode;
}

/** A question before an operation on the release, which names the items that it was refused for. */
function Question({ release, onClose, call, children, ...props }: QuestionProps) {
  const { isBusy, failure, run } = useCall();
  const names = { name: release.name };
  const submit = (): Promise<void> =>
    run(async () => {
      await call();
      notify(say(props.done, names));
      onClose();
      await refreshReleases();
    });
  const reason = maybeText(`workflow.reason.${String(failure?.details.reason)}`);
  return (
    <Dialog isWide onClose={onClose} title={say(props.title, names)}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        {failure !== undefined && (
          <Refused
            failure={reason === undefined ? failure : { ...failure, problem: reason }}
            items={release.items}
          />
        )}
        <DialogFooter
          disabled={isBusy || props.isReady === false}
          isDangerous={props.isDangerous === true}
          onCancel={onClose}
          run={say(props.run)}
        />
      </form>
    </Dialog>
  );
}

function PublishDialog(props: Props) {
  const { slug: projectSlug } = useProject();
  const { id } = props.release;
  return (
    <Question
      {...props}
      call={() => client.releases.publish.mutate({ projectSlug, id })}
      done="published"
      run="publish"
      title="publishTitle"
    >
      <p>{say('publishHint')}</p>
      <h3>{say('plan')}</h3>
      <ReleasePlan release={props.release} />
    </Question>
  );
}

function ScheduleDialog(props: Props) {
  const { slug: projectSlug } = useProject();
  const { id, status } = props.release;
  const value = useZonedTime(undefined);
  const { input } = value;
  return (
    <Question
      {...props}
      call={async () => {
        if (input !== undefined) await client.releases.schedule.mutate({ projectSlug, id, ...input });
      }}
      done="scheduled"
      isReady={input !== undefined}
      run={status === 'scheduled' ? 'reschedule' : 'schedule'}
      title="scheduleTitle"
    >
      <p>{say('publishHint')}</p>
      <ZonedTimeFields value={value} />
    </Question>
  );
}

function RollbackDialog(props: Props) {
  const { slug: projectSlug } = useProject();
  const { id } = props.release;
  return (
    <Question
      {...props}
      call={() => client.releases.rollback.mutate({ projectSlug, id })}
      done="rolledBack"
      isDangerous
      run="rollback"
      title="rollbackTitle"
    >
      <p>{say('rollbackHint')}</p>
    </Question>
  );
}

function ApproveDialog(props: Props) {
  const { slug: projectSlug } = useProject();
  const { id } = props.release;
  const [comment, setComment] = useState('');
  return (
    <Question
      {...props}
      call={() =>
        client.releases.approve.mutate({
          projectSlug,
          id,
          ...(comment.trim() !== '' && { comment: comment.trim() }),
        })
      }
      done="approved"
      run="approve"
      title="approveTitle"
    >
      <p>{say('approveHint')}</p>
      <label className="field">
        <span className="label">{say('comment')}</span>
        <textarea
          className="area"
          data-focus
          maxLength={limits.commentLength}
          onChange={({ target }) => setComment(target.value)}
          value={comment}
        />
      </label>
    </Question>
  );
}

/** The operations on a release that ask first. */
export const releaseDialogs = {
  publish: PublishDialog,
  schedule: ScheduleDialog,
  rollback: RollbackDialog,
  approve: ApproveDialog,
};

export type ReleaseDialogName = keyof typeof releaseDialogs;

/** Opens a scheduled release. */
export async function cancelSchedule(projectSlug: string, { jobId, name }: Release): Promise<void> {
  if (jobId === null) return;
  await client.calendar.reschedule.mutate({ projectSlug, jobId, scheduledAt: null });
  notify(say('canceled', { name }));
  await refreshReleases();
}

import { Avatar } from '../../account/avatar.js';
import { useState } from 'react';
import { useProject } from '../../api/project-data.js';
import { self } from '../../planning/users.js';
import { useCall } from '../../api/use-call.js';
import { formatTime, t } from '../../texts/index.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { CommentForm } from './comment-form.js';
import { partsOf, type Person } from './mentions.js';
import type { Comment } from './threads.js';
import type { CommentCalls } from './use-threads.js';

interface Props {
  readonly comment: Comment;
  readonly people: readonly Person[];
  readonly calls: CommentCalls;
}

interface DeletionProps extends Pick<Props, 'comment' | 'calls'> {
  readonly onClose: () => void;
}

function Deletion({ comment, calls, onClose }: DeletionProps) {
  const { isBusy, failure, run } = useCall();
  const remove = (): void =>
    void run(async () => {
      await calls.remove(comment.id);
      onClose();
    });
  return (
    <Dialog onClose={onClose} title={t('comments.deleteTitle')}>
      <p>{t('comments.deleteHint')}</p>
      <DialogFooter
        disabled={isBusy}
        isDangerous
        onCancel={onClose}
        onRun={remove}
        refusal={failure?.problem}
        run={t('comments.delete')}
      />
    </Dialog>
  );
}

function CommentText({ comment: { text }, people }: Pick<Props, 'comment' | 'people'>) {
  return (
    <p className="comment-text" dir="auto">
      {partsOf(text, people, t('comments.unknownPerson')).map(({ text: part, isMention }, index) =>
        isMention ? (
          <strong className="mention" key={index}>
            {part}
          </strong>
        ) : (
          <span key={index}>{part}</span>
        ),
      )}
    </p>
  );
}

/** One comment. Its author changes and deletes it. */
export function CommentItem({ comment, people, calls }: Props) {
  const { may } = useProject();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const { createdBy, createdAt, updatedAt } = comment;
  const isOwn = createdBy.type === 'user' && createdBy.id === self().id;
  const close = (): void => setOpen(undefined);
  return (
    <article className="comment">
      <p className="small soft">
        {createdBy.type === 'user' && <Avatar name={createdBy.name} userId={createdBy.id ?? ''} />}{' '}
        <strong>{createdBy.name}</strong> · {formatTime(createdAt)}
        {updatedAt !== createdAt && ` · ${t('comments.edited')}`}
      </p>
      {open === 'edit' ? (
        <CommentForm
          focusRequest={comment.id}
          label={t('comments.edit')}
          onCancel={close}
          people={people}
          send={(text) => calls.change(comment.id, text).then(close)}
          sendLabel={t('comments.save')}
          stored={comment.text}
        />
      ) : (
        <CommentText comment={comment} people={people} />
      )}
      {isOwn && open !== 'edit' && may('entries.updateComment') && (
        <p className="row tight">
          <button className="button plain" onClick={() => setOpen('edit')} type="button">
            {t('comments.edit')}
          </button>
          <button className="button plain" onClick={() => setOpen('delete')} type="button">
            {t('comments.delete')}
          </button>
        </p>
      )}
      {open === 'delete' && <Deletion calls={calls} comment={comment} onClose={close} />}
    </article>
  );
}

import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useProject } from '../../api/project-data.js';
import { formatTime, localeName, t } from '../../texts/index.js';
import { ActionButton } from '../../ui/action-button.js';
import { CommentForm } from './comment-form.js';
import type { Person } from './mentions.js';
import { isInLocale, isOpen, type Thread } from './threads.js';
import type { CommentCalls } from './use-threads.js';
import type { Subject } from './use-discussion.js';
import { Avatar } from '../../account/avatar.js';
import { self } from '../../planning/users.js';
import { useCall } from '../../api/use-call.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { partsOf } from './mentions.js';
import type { Comment } from './threads.js';

interface ItemProps {
  readonly comment: Comment;
  readonly people: readonly Person[];
  readonly calls: CommentCalls;
}

interface DeletionProps extends Pick<ItemProps, 'comment' | 'calls'> {
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

function CommentText({ comment: { text }, people }: Pick<ItemProps, 'comment' | 'people'>) {
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
function CommentItem({ comment, people, calls }: ItemProps) {
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

interface Props {
  readonly thread: Thread;
  /** What it is about; undefined for the whole entry and for a deleted field. */
  readonly subject: Subject | undefined;
  readonly locale: string;
  readonly people: readonly Person[];
  readonly calls: CommentCalls;
  readonly isShown: boolean;
  /** Whether the focus is moved to it when it becomes shown. */
  readonly takesFocus: boolean;
  readonly onReveal: () => void;
  /** After it left the list. */
  readonly onSettled: () => void;
}

/** A link to what the thread is about: in this form, or in the form of another locale. */
function Place({
  thread,
  subject,
  locale,
  onReveal,
}: Pick<Props, 'thread' | 'subject' | 'locale' | 'onReveal'>) {
  const { slug, environment } = useProject();
  const { anchor, entryId, id } = thread.first;
  if (anchor === null) return <p className="small soft">{t('comments.aboutEntry')}</p>;
  const isHere = isInLocale(thread, locale, subject?.field);
  if (subject === undefined && isHere) return <p className="small soft">{t('comments.aboutRemoved')}</p>;
  const name = subject?.name ?? t('comments.aboutRemoved');
  if (!isHere)
    return (
      <p className="row small">
        <span className="soft">{subject === undefined ? name : t('comments.about', { field: name })}</span>
        <Link
          params={{ project: slug, environment, entry: entryId }}
          search={{ locale: anchor.locale, panel: 'comments', thread: id }}
          to="/$project/$environment/entries/$entry"
        >
          {t('comments.elsewhere', { locale: localeName(anchor.locale) })}
        </Link>
      </p>
    );
  return (
    <p>
      <button className="row-link small" onClick={onReveal} title={t('comments.reveal')} type="button">
        {t('comments.about', { field: name })}
      </button>
    </p>
  );
}

function Quote({ thread: { first } }: Pick<Props, 'thread'>) {
  const { quote = null, orphaned = false } = first.anchor ?? {};
  if (quote === null) return null;
  return (
    <>
      {orphaned && <p className="small soft">{t('comments.orphaned')}</p>}
      <blockquote className={orphaned ? 'quote orphaned' : 'quote'} dir="auto">
        {quote}
      </blockquote>
    </>
  );
}

function Resolution({ thread: { first } }: Pick<Props, 'thread'>) {
  const { resolvedAt, resolvedBy } = first;
  if (resolvedAt === null) return null;
  return (
    <p className="small soft">
      {t('comments.resolvedBy', { name: resolvedBy?.name ?? '', time: formatTime(resolvedAt) })}
    </p>
  );
}

function ThreadActions({ thread, people, calls, onSettled }: Omit<Props, 'subject' | 'locale' | 'onReveal'>) {
  const { may } = useProject();
  const [isReplying, setIsReplying] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { id } = thread.first;
  const close = (): void => setIsReplying(false);
  if (isReplying)
    return (
      <CommentForm
        focusRequest={id}
        label={t('comments.reply')}
        onCancel={close}
        people={people}
        send={(text) => calls.reply(id, text).then(close)}
        sendLabel={t('comments.reply')}
      />
    );
  const settle = isOpen(thread) ? calls.resolve : calls.reopen;
  return (
    <p className="row tight">
      {may('entries.createComment') && (
        <button className="button" onClick={() => setIsReplying(true)} ref={button} type="button">
          {t('comments.reply')}
        </button>
      )}
      {may(isOpen(thread) ? 'entries.resolveComment' : 'entries.reopenComment') && (
        <ActionButton
          label={t(isOpen(thread) ? 'comments.resolve' : 'comments.reopen')}
          run={() => settle(id).then(onSettled)}
        />
      )}
    </p>
  );
}

/** A comment with its replies. */
export function ThreadItem(props: Props) {
  const { thread, isShown, takesFocus, people, calls } = props;
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isShown) return;
    ref.current?.scrollIntoView({ block: 'nearest' });
    if (takesFocus) ref.current?.focus({ preventScroll: true });
  }, [isShown]);
  const { first, replies } = thread;
  return (
    <li
      aria-current={isShown || undefined}
      className={isShown ? 'version thread shown' : 'version thread'}
      ref={ref}
      tabIndex={-1}
    >
      <Place {...props} />
      <Quote thread={thread} />
      {[first, ...replies].map((comment) => (
        <CommentItem calls={calls} comment={comment} key={comment.id} people={people} />
      ))}
      <Resolution thread={thread} />
      <ThreadActions {...props} />
    </li>
  );
}

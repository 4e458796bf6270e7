import { useRef, useState } from 'react';
import { useProject, type ContentType } from '../../api/project-data.js';
import { useMembers } from '../../planning/users.js';
import { t } from '../../texts/index.js';
import { IconButton } from '../../ui/icon-button.js';
import { Loaded } from '../../ui/states.js';
import { pathText } from '../path-text.js';
import { placeAt } from '../paths.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { CommentForm } from './comment-form.js';
import { authorsOf, peopleOf, type Person } from './mentions.js';
import { anchorOf, staleness, useCommentCalls, type CommentCalls } from './use-threads.js';
import { isAbout, isInLocale, isOpen, threadWith, type Thread } from './threads.js';
import { ThreadItem } from './thread-item.js';
import type { Discussion } from './use-discussion.js';

interface Props {
  readonly editor: EntryEditor;
  readonly type: ContentType;
  readonly discussion: Discussion;
  /** Id of a comment that the address names. */
  readonly shownId: string | undefined;
  readonly onClose: () => void;
}

interface PartProps extends Omit<Props, 'onClose'> {
  readonly threads: readonly Thread[];
  readonly people: readonly Person[];
  readonly calls: CommentCalls;
}

/** Says what a new comment is about. */
function TargetNote({ discussion, type, editor }: Pick<Props, 'discussion' | 'type' | 'editor'>) {
  const project = useProject();
  const { target, setTarget } = discussion;
  if (target === undefined) return <p className="small soft">{t('comments.aboutEntry')}</p>;
  const { field, path, selected, value } = target;
  const name = pathText({ project, type, known: [editor.draft.now.fields] }, path);
  return (
    <>
      <p className="small soft">
        {t(selected === undefined ? 'comments.about' : 'comments.aboutPart', { field: name })}
      </p>
      {selected !== undefined && (
        <blockquote className="quote" dir="auto">
          {selected.quote}
        </blockquote>
      )}
      <p className="row tight">
        {selected !== undefined && (
          <button className="button plain" onClick={() => setTarget({ field, path, value })} type="button">
            {t('comments.whole')}
          </button>
        )}
        <button className="button plain" onClick={() => setTarget(undefined)} type="button">
          {t('comments.all')}
        </button>
      </p>
    </>
  );
}

const obstacles = {
  unsaved: 'comments.saveFirst',
  unsavedBlock: 'comments.saveBlockFirst',
  changed: 'comments.selectAgain',
} as const;

function NewComment({ editor, type, discussion, people, calls }: PartProps) {
  const { may } = useProject();
  const { target, setTarget } = discussion;
  if (!may('entries.createComment')) return <p className="soft small">{t('comments.readOnly')}</p>;
  const stale = target && staleness(target, editor);
  return (
    <section aria-label={t('comments.new')} className="stack tight">
      <TargetNote discussion={discussion} type={type} editor={editor} />
      <CommentForm
        focusRequest={target}
        label={t('comments.new')}
        obstacle={stale && t(obstacles[stale])}
        people={people}
        send={async (text) => {
          await calls.start(text, target && anchorOf(target, editor.saved.locale));
          setTarget(undefined);
        }}
        sendLabel={t('comments.send')}
      />
    </section>
  );
}

function ThreadList({ editor, discussion, shownId, threads, people, calls }: PartProps) {
  const filter = useRef<HTMLSelectElement>(null);
  const shown = shownId === undefined ? undefined : threadWith(threads, shownId);
  const [isResolved, setIsResolved] = useState(() => shown !== undefined && !isOpen(shown));
  const { target, revealed, reveal, subjectOf } = discussion;
  const { locale } = editor.saved;
  const concerned = threads.filter(
    (thread) =>
      target === undefined ||
      (isAbout(thread, placeAt(target.path)) && isInLocale(thread, locale, target.field)),
  );
  const listed = concerned.filter((thread) => isOpen(thread) !== isResolved);
  const openCount = concerned.filter(isOpen).length;
  return (
    <>
      <select
        aria-label={t('comments.show')}
        className="select"
        onChange={({ target: { value } }) => setIsResolved(value === 'resolved')}
        ref={filter}
        value={isResolved ? 'resolved' : 'open'}
      >
        <option value="open">{t('comments.open', { count: openCount })}</option>
        <option value="resolved">{t('comments.resolved', { count: concerned.length - openCount })}</option>
      </select>
      {listed.length === 0 && (
        <p className="soft small">{t(isResolved ? 'comments.noneResolved' : 'comments.none')}</p>
      )}
      <ul className="versions">
        {listed.map((thread) => (
          <ThreadItem
            calls={calls}
            subject={subjectOf(thread)}
            isShown={thread === shown}
            key={thread.first.id}
            locale={locale}
            onReveal={() => reveal(thread)}
            onSettled={() => filter.current?.focus()}
            people={people}
            takesFocus={revealed?.threadId !== thread.first.id}
            thread={thread}
          />
        ))}
      </ul>
    </>
  );
}

/** Members, and those who have written here. */
function usePeople(threads: readonly Thread[]): readonly Person[] {
  const members = useMembers();
  const others = authorsOf(threads).filter((author) => !members.some(({ id }) => id === author.id));
  return peopleOf([...members, ...others]);
}

function Content(props: Omit<PartProps, 'people' | 'calls'>) {
  const people = usePeople(props.threads);
  const calls = useCommentCalls(props.editor.saved.id);
  return (
    <>
      <NewComment {...props} calls={calls} people={people} />
      <ThreadList {...props} calls={calls} people={people} />
    </>
  );
}

/** Threads about the entry, its fields and parts of its text. */
export function CommentsPanel({ onClose, ...props }: Props) {
  return (
    <aside aria-label={t('comments.title')} className="panel">
      <div className="row">
        <h2 className="grow">{t('comments.title')}</h2>
        <IconButton icon="close" label={t('app.close')} onClick={onClose} />
      </div>
      <Loaded query={props.discussion.query}>
        {({ threads }) => <Content {...props} threads={threads} />}
      </Loaded>
    </aside>
  );
}

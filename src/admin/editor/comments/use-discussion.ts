import { useState } from 'react';
import { useProject, type ContentType, type Field } from '../../api/project-data.js';
import type { FieldDiscussion } from '../../fields/discussion.js';
import { focusControl, rangeAfter } from '../../fields/selected-text.js';
import type { EntryEditor } from '../use-entry-editor.js';
import type { PanelState } from '../use-panel.js';
import type { Target } from './target.js';
import { entryFieldOf, isInLocale, isOpen, type Thread } from './threads.js';
import { useThreads, type ThreadsInText } from './use-threads.js';

type Revealed = FieldDiscussion['revealed'];

let requests = 0;

/** The comments on the edited entry. */
export interface Discussion {
  readonly query: ReturnType<typeof useThreads>;
  readonly openCount: number;
  /** What the next comment will be about; the whole entry if absent. */
  readonly target: Target | undefined;
  readonly setTarget: (target: Target | undefined) => void;
  /** The thread to whose field the focus was moved last. */
  readonly revealed: Revealed;
  readonly ofField: (field: Field) => FieldDiscussion;
  /** Moves the focus to what a thread is about. */
  readonly reveal: (thread: Thread) => void;
}

const none: ThreadsInText = { threads: [], fields: {} };

function rangesOf(threads: readonly Thread[]): FieldDiscussion['ranges'] {
  return threads.flatMap(({ first: { id: threadId, anchor } }) => {
    const { from = null, to = null } = anchor ?? {};
    return from === null || to === null ? [] : [{ threadId, from, to }];
  });
}

/** Selects the range of a thread in a string, which may have been changed since it was saved. */
function focusThread({ first: { anchor } }: Thread, before: unknown, now: unknown): void {
  if (anchor === null) return;
  const { field, from, to } = anchor;
  const isRange = from !== null && to !== null;
  const isString = typeof before === 'string' && typeof now === 'string';
  // Rich text selects its range itself.
  if (isRange && !isString) return;
  focusControl(`field-${field}`, isRange && isString ? rangeAfter(before, now, { from, to }) : undefined);
}

export function useDiscussion(
  editor: EntryEditor,
  { fields }: ContentType,
  { panel, thread: shownThread, show }: PanelState,
): Discussion {
  const { may } = useProject();
  const { saved, draft, latest } = editor;
  const query = useThreads(saved, panel === 'comments');
  const { threads, fields: savedFields } = query.data ?? none;
  const [target, setTarget] = useState<Target>();
  const [revealed, setRevealed] = useState<Revealed>();
  const open = threads.filter(isOpen);
  const fieldOf = (name: string | undefined): Field | undefined =>
    fields.find(({ apiName }) => apiName === name);
  const ofField = (field: Field): FieldDiscussion => {
    const own = open.filter(
      (thread) => entryFieldOf(thread) === field.apiName && isInLocale(thread, saved.locale, field),
    );
    const openWith = (next: Target | undefined, threadId?: string): void => {
      setTarget(next);
      setRevealed(undefined);
      show('comments', threadId);
    };
    return {
      ...{ openCount: own.length, ranges: rangesOf(own), shownThread, revealed },
      savedValue: savedFields[field.apiName],
      onComment: may('entries.createComment')
        ? (selected) =>
            openWith({ field, value: latest().now.fields[field.apiName], ...(selected && { selected }) })
        : undefined,
      onOpen: (threadId) =>
        openWith(threadId === undefined ? { field, value: undefined } : undefined, threadId),
    };
  };
  return {
    ...{ query, target, setTarget, revealed, ofField, openCount: open.length },
    reveal: (thread) => {
      const { id } = thread.first;
      const field = fieldOf(entryFieldOf(thread));
      show('comments', id);
      setRevealed({ threadId: id, request: (requests += 1) });
      if (field !== undefined)
        focusThread(thread, savedFields[field.apiName], draft.now.fields[field.apiName]);
    },
  };
}

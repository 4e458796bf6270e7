import { useMemo, useState } from 'react';
import type { OwnBlock } from '../../../content/model/own-block.js';
import { useProject, type ContentType, type Field, type Project } from '../../api/project-data.js';
import type { FieldDiscussion, FormDiscussion, SelectedText, TextRange } from '../../fields/discussion.js';
import { rangeAfter } from '../../fields/selected-text.js';
import type { Values } from '../draft.js';
import { pathText } from '../path-text.js';
import { blocksOf, fieldAt, placeAt, valueAt } from '../paths.js';
import type { EntryEditor } from '../use-entry-editor.js';
import type { PanelState } from '../use-panel.js';
import { type Target, useThreads, type ThreadsInText } from './use-threads.js';
import { isAbout, isInLocale, isOpen, pathOf, type Thread } from './threads.js';

type Revealed = FieldDiscussion['revealed'];

let requests = 0;

/** A place in the form that the user is led to; a new object for each time. */
export interface Shown {
  readonly path: string;
  /** A part of the text there. */
  readonly range: TextRange | undefined;
}

/** What a thread is about, as the form shows it. */
export interface Subject {
  readonly field: Field;
  readonly path: string;
  /** Such as "Sections › 2. Quote › Words". */
  readonly name: string;
}

/** The comments on the edited entry. */
export interface Discussion {
  /** What fields show; a new object only where that changes. */
  readonly inForm: FormDiscussion;
  readonly query: ReturnType<typeof useThreads>;
  readonly openCount: number;
  /** What the next comment will be about; the whole entry if absent. */
  readonly target: Target | undefined;
  readonly setTarget: (target: Target | undefined) => void;
  /** The thread to whose field the focus was moved last. */
  readonly revealed: Revealed;
  readonly shown: Shown | undefined;
  /** Undefined for the entry, and for fields and blocks that the form lacks. */
  readonly subjectOf: (thread: Thread) => Subject | undefined;
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

/** The range of a thread in a string, which may have been changed since it was saved. Rich text selects its range itself. */
function rangeOf(thread: Thread, path: string, texts: readonly [saved: Values, now: Values]) {
  const { from = null, to = null } = thread.first.anchor ?? {};
  const [before, after] = texts.map((values) => valueAt(values, path).value);
  if (from === null || to === null || typeof before !== 'string' || typeof after !== 'string')
    return undefined;
  return rangeAfter(before, after, { from, to });
}

function subjectOf(
  project: Project,
  form: { readonly type: ContentType; readonly values: Values },
  thread: Thread,
): Subject | undefined {
  const { type, values } = form;
  const path = pathOf(thread, values);
  const field = path === undefined ? undefined : fieldAt(project, form, path);
  if (path === undefined || field === undefined) return undefined;
  return { field, path, name: pathText({ project, type, known: [values] }, path) };
}

/** Threads on fields of a block and of the blocks in it. */
function countIn(block: OwnBlock, threads: readonly Thread[]): number {
  const inBlocks = threads.filter(({ first }) => typeof first.anchor?.block === 'string');
  if (inBlocks.length === 0) return 0;
  const ids = new Set([block._ref, ...[...blocksOf(block.fields)].map(([, { _ref }]) => _ref)]);
  return inBlocks.filter(({ first }) => ids.has(first.anchor?.block ?? '')).length;
}

/** What the comments on one field need of all. */
interface FieldParts {
  readonly open: readonly Thread[];
  readonly editor: EntryEditor;
  readonly savedFields: Values;
  readonly mayComment: boolean;
  readonly shown: Pick<FieldDiscussion, 'shownThread' | 'revealed'>;
  readonly openWith: (next: Target | undefined, threadId?: string) => void;
}

function discussionOf(field: Field, path: string, parts: FieldParts): FieldDiscussion {
  const { open, editor, savedFields, mayComment, shown, openWith } = parts;
  const { saved, latest } = editor;
  const own = open.filter((one) => isAbout(one, placeAt(path)) && isInLocale(one, saved.locale, field));
  const begin = (selected: SelectedText | undefined): void => {
    const { value } = valueAt(latest().now.fields, path);
    openWith({ field, path, value, ...(selected && { selected }) });
  };
  return {
    openCount: own.length,
    ranges: rangesOf(own),
    ...shown,
    savedValue: valueAt(savedFields, path).value,
    onComment: mayComment ? begin : undefined,
    onOpen: (threadId) =>
      openWith(threadId === undefined ? { field, path, value: undefined } : undefined, threadId),
  };
}

export function useDiscussion(
  editor: EntryEditor,
  type: ContentType,
  { panel, thread: shownThread, show }: PanelState,
): Discussion {
  const project = useProject();
  const values = editor.draft.now.fields;
  const query = useThreads(editor.saved, panel === 'comments');
  const { threads, fields: savedFields } = query.data ?? none;
  const [target, setTarget] = useState<Target>();
  const [revealed, setRevealed] = useState<Revealed>();
  const open = threads.filter(isOpen);
  const [shown, setShown] = useState<Shown>();
  const ofField = (field: Field, path: string): FieldDiscussion =>
    discussionOf(field, path, {
      open,
      editor,
      savedFields,
      mayComment: project.may('entries.createComment'),
      shown: { shownThread, revealed },
      openWith: (next, threadId) => {
        setTarget(next);
        setRevealed(undefined);
        show('comments', threadId);
      },
    });
  const shownInForm = [threads, savedFields, shownThread, revealed, project];
  return {
    query,
    target,
    setTarget,
    revealed,
    shown,
    openCount: open.length,
    inForm: useMemo(() => ({ ofField, countIn: (block) => countIn(block, open) }), shownInForm),
    subjectOf: (thread) => subjectOf(project, { type, values }, thread),
    reveal: (thread) => {
      const { id } = thread.first;
      const path = pathOf(thread, values);
      show('comments', id);
      setRevealed({ threadId: id, request: (requests += 1) });
      if (path === undefined) return;
      setShown({ path, range: rangeOf(thread, path, [savedFields, values]) });
    },
  };
}

import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey, TextSelection, type EditorState, type Transaction } from 'prosemirror-state';
import { Mapping, StepMap } from 'prosemirror-transform';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import type { CommentedRange, SelectedText, TextRange } from '../fields/discussion.js';

/** Ranges of a saved document, and what has been changed in it since. */
interface Commented {
  readonly saved: Node;
  readonly ranges: readonly CommentedRange[];
  /** Id of the thread that is shown beside the form. */
  readonly shown: string | undefined;
  readonly changes: Mapping;
}

/** What {@link showRanges} sets. */
type Shown = Pick<Commented, 'saved' | 'ranges' | 'shown'>;

const key = new PluginKey<Commented>('comments');

/** One replacement that makes a document of another one. */
function replacement(before: Node, after: Node): Mapping {
  const start = before.content.findDiffStart(after.content);
  const end = before.content.findDiffEnd(after.content);
  if (start === null || end === null) return new Mapping();
  // Equal text on both sides of a change can be found from both ends.
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  return new Mapping([new StepMap([start, end.a + overlap - start, end.b + overlap - start])]);
}

/** What was inserted at the edges of a range does not belong to it. */
function currentRange({ changes }: Commented, { from, to }: TextRange): TextRange | undefined {
  const mapped = { from: changes.map(from, 1), to: changes.map(to, -1) };
  return mapped.from < mapped.to ? mapped : undefined;
}

function next(transaction: Transaction, before: Commented): Commented {
  const given = transaction.getMeta(key) as Shown | undefined;
  const changes = before.changes.slice();
  changes.appendMapping(transaction.mapping);
  if (given === undefined) return { ...before, changes };
  const isKnown = given.saved.eq(before.saved);
  return { ...given, changes: isKnown ? changes : replacement(given.saved, transaction.doc) };
}

function decorations(state: EditorState): DecorationSet {
  const commented = key.getState(state);
  if (commented === undefined) return DecorationSet.empty;
  const { size } = state.doc.content;
  return DecorationSet.create(
    state.doc,
    commented.ranges.flatMap((range) => {
      const current = currentRange(commented, range);
      if (current === undefined || current.to > size) return [];
      return [
        Decoration.inline(current.from, current.to, {
          class: range.threadId === commented.shown ? 'commented shown' : 'commented',
          'data-thread': range.threadId,
        }),
      ];
    }),
  );
}

/** Highlights what comments are about. They move with what is typed, until the service says where they are. */
export const commentRanges = (onOpen: (threadId: string) => void): Plugin<Commented> =>
  new Plugin({
    key,
    state: {
      init: (_, { doc }) => ({ saved: doc, ranges: [], shown: undefined, changes: new Mapping() }),
      apply: next,
    },
    props: {
      decorations,
      handleClick: (_view, _position, { target }) => {
        const mark = target instanceof Element ? target.closest<HTMLElement>('[data-thread]') : null;
        if (mark?.dataset.thread !== undefined) onOpen(mark.dataset.thread);
        return false;
      },
    },
  });

export function showRanges(view: EditorView, shown: Shown): void {
  view.dispatch(view.state.tr.setMeta(key, shown));
}

/** Selects what a thread is about. */
export function selectRange(view: EditorView, threadId: string): void {
  const commented = key.getState(view.state);
  const range = commented?.ranges.find((one) => one.threadId === threadId);
  const current = commented && range && currentRange(commented, range);
  view.focus();
  if (current === undefined || current.to > view.state.doc.content.size) return;
  const selection = TextSelection.create(view.state.doc, current.from, current.to);
  view.dispatch(view.state.tr.setSelection(selection).scrollIntoView());
}

/** What the user has selected; undefined for a cursor. */
export function selectedText({ doc, selection }: EditorState): SelectedText | undefined {
  const { from, to, empty } = selection;
  return empty ? undefined : { from, to, quote: doc.textBetween(from, to, '\n', '…') };
}

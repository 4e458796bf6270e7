import type { Node } from 'prosemirror-model';
import type { EditorView } from 'prosemirror-view';
import { useEffect, useRef, type RefObject } from 'react';
import type { FieldDiscussion } from '../fields/discussion.js';
import { selectRange, showRanges } from './comment-ranges.js';
import { documentOf } from './editor-state.js';

function readDocument(value: unknown): Node | undefined {
  try {
    return documentOf(value);
  } catch {
    return undefined;
  }
}

/**
 * Shows the comments on the text, and selects the one that is asked for.
 * @param edition changes when the editor was given another document
 */
export function useCommentRanges(
  view: RefObject<EditorView | undefined>,
  discussion: FieldDiscussion | undefined,
  edition: unknown,
): void {
  const { ranges = [], savedValue, shownThread, revealed } = discussion ?? {};
  const seen = useRef(revealed?.request);
  useEffect(() => {
    if (view.current === undefined || discussion === undefined) return;
    const saved = readDocument(savedValue);
    if (saved !== undefined) showRanges(view.current, { saved, ranges, shown: shownThread });
  }, [JSON.stringify(ranges), savedValue, shownThread, edition]);
  useEffect(() => {
    if (revealed === undefined || revealed.request === seen.current) return;
    seen.current = revealed.request;
    const isHere = ranges.some((range) => range.threadId === revealed.threadId);
    if (isHere && view.current !== undefined) selectRange(view.current, revealed.threadId);
  }, [revealed?.request]);
}

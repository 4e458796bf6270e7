import { createContext, useContext } from 'react';
import type { Field } from '../api/project-data.js';

/** Half-open: UTF-16 units in strings, ProseMirror positions in rich text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A part of a value that the user has selected. */
export interface SelectedText extends TextRange {
  readonly quote: string;
}

export interface CommentedRange extends TextRange {
  readonly threadId: string;
}

/** The comments on a field of an entry. */
export interface FieldDiscussion {
  readonly openCount: number;
  /** Of open threads, in the saved value. */
  readonly ranges: readonly CommentedRange[];
  readonly savedValue: unknown;
  /** Id of the thread that is shown beside the form. */
  readonly shownThread: string | undefined;
  /** The thread whose text is to be selected, with a number that grows with each request. */
  readonly revealed: { readonly threadId: string; readonly request: number } | undefined;
  /** Starts a comment; absent for those who may write none. */
  readonly onComment: ((selected: SelectedText | undefined) => void) | undefined;
  /** Shows the comments on the field, or one thread. */
  readonly onOpen: (threadId?: string) => void;
}

/** Finds the comments on a field of the edited entry. */
export const DiscussionContext = createContext<(field: Field) => FieldDiscussion | undefined>(
  () => undefined,
);

export const useFieldDiscussion = (field: Field): FieldDiscussion | undefined =>
  useContext(DiscussionContext)(field);

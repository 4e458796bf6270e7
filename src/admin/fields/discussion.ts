import { createContext, useContext } from 'react';
import type { OwnBlock } from '../../content/model/own-block.js';
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

/** The comments on the edited entry. */
export interface FormDiscussion {
  /** Those on a field. @param path such as `title` or `sections[<id>].title` */
  readonly ofField: (field: Field, path: string) => FieldDiscussion | undefined;
  /** Open ones on fields of a block and of the blocks in it. */
  readonly countIn: (block: OwnBlock) => number;
}

export const DiscussionContext = createContext<FormDiscussion>({
  ofField: () => undefined,
  countIn: () => 0,
});

export const useFieldDiscussion = (field: Field, path: string): FieldDiscussion | undefined =>
  useContext(DiscussionContext).ofField(field, path);

import type { Outputs } from '../../api/client.js';

export type Comment = Outputs['entries']['listComments']['data'][number];

/** A comment with its replies, oldest first. */
export interface Thread {
  readonly first: Comment;
  readonly replies: readonly Comment[];
}

/** @param comments oldest first */
export function threadsOf(comments: readonly Comment[]): Thread[] {
  const replies = Map.groupBy(comments, ({ parentId }) => parentId);
  return (replies.get(null) ?? []).map((first) => ({ first, replies: replies.get(first.id) ?? [] }));
}

export const isOpen = ({ first }: Thread): boolean => first.resolvedAt === null;

/** The thread that a comment begins or belongs to. */
export const threadWith = (threads: readonly Thread[], commentId: string): Thread | undefined =>
  threads.find(({ first, replies }) => [first, ...replies].some(({ id }) => id === commentId));

/** The entry's field that a thread is about; undefined for one about the entry, or a field of a block. */
export const entryFieldOf = ({ first: { anchor } }: Thread): string | undefined =>
  anchor?.block === null ? anchor.field : undefined;

/** Comments on a localized field belong to one locale; those on a shared one are shown in every locale. */
export const isInLocale = (
  { first: { anchor } }: Thread,
  locale: string,
  field: { readonly localized: boolean } | undefined,
): boolean => anchor === null || anchor.locale === locale || field?.localized === false;

import type { Outputs } from '../../api/client.js';
import type { Entry } from '../../api/project-data.js';
import { blocksOf, type FieldPlace } from '../paths.js';

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

/** Whether a thread is about a field of the entry, or of a block of it. */
export const isAbout = ({ first: { anchor } }: Thread, { block, field }: FieldPlace): boolean =>
  anchor !== null && anchor.block === block && anchor.field === field;

/** The path of the field that a thread is about; undefined for the entry, and where its block is not in the values. */
export function pathOf({ first: { anchor } }: Thread, values: Entry['fields']): string | undefined {
  if (typeof anchor?.block !== 'string') return anchor?.field;
  const found = [...blocksOf(values)].find(([, { _ref }]) => _ref === anchor.block);
  return found && `${found[0]}.${anchor.field}`;
}

/** Comments on a localized field belong to one locale; those on a shared one are shown in every locale. */
export const isInLocale = (
  { first: { anchor } }: Thread,
  locale: string,
  field: { readonly localized: boolean } | undefined,
): boolean => anchor === null || anchor.locale === locale || field?.localized === false;

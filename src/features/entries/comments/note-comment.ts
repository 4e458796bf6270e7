import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { localeOf, shownLocale } from '../entries/index.js';
import type { DiscussedEntry } from './comment.policy.js';
import { presentComment } from './comment.presenter.js';
import { CommentRepository, type CommentRecord } from './comment.repository.js';
import type { StoredComment } from './stored-comment.js';

const eventOf = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  resolve: 'resolved',
  reopen: 'reopened',
} as const;

interface Change extends Pick<CommentRecord, 'verb'> {
  readonly before: StoredComment | null;
  readonly after: StoredComment | null;
  readonly isAlong?: boolean;
}

/** The audit record and the event of one changed comment. */
export function noteComment(
  work: UnitOfWork,
  { catalog, entry, type }: DiscussedEntry,
  { verb, before, after, isAlong = false }: Change,
): void {
  const shown = shownLocale(entry, catalog);
  const present = (comment: StoredComment | null) => comment && presentComment(comment, catalog);
  const record = { before: present(before), after: present(after) };
  const about = record.after ?? record.before;
  if (about === null) return;
  const name = localeOf(entry, shown)?.title ?? entry.id;
  work.use(CommentRepository).note({ verb, entry: { name, siteId: entry.siteId }, ...record, isAlong });
  const { id: commentId, parentId, text, mentions, anchor } = about;
  work.emit({
    type: `comment.${eventOf[verb]}`,
    data: {
      entryId: entry.id,
      contentTypeApiName: type.apiName,
      siteId: entry.siteId,
      locale: anchor?.locale ?? shown,
      commentId,
      parentId,
      text,
      mentions,
      anchor,
    },
  });
}

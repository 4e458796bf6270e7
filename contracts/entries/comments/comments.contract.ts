import { z } from 'zod';
import { dataOf, Deleted, pagedListOf } from '../../envelopes.js';
import { cursorPaging, inPath, orderBy } from '../../primitives.js';
import { management } from '../../procedure.js';
import { commentInput, CommentText, EntryComment } from './comment.js';
import { inProject, managementRoute } from '../../routes.js';

const tags = ['Comments'];
const resource = 'entries';
/** Who may work on an entry may comment on it; the content does not change. */
const action = 'transition';
/** The public path has `{id}`; the response has the `id` of the comment. */
const pathAliases = { entryId: 'id' };
const entryId = inPath('Id of the entry.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');
const commentId = inPath('Id of the comment.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a71');
const byAuthor = 'Requires to be the author, or the permission to manage the entry.';

export const entryComments = {
  listComments: management({
    openapi: managementRoute('GET', '/entries/{entryId}/comments', {
      summary: 'List the comments on an entry',
      description:
        'Returns comments and replies, oldest first by default. Replies name their thread in `parentId`.',
      tags,
      pathAliases,
    }),
    resource,
    action: 'read',
    errors: ['entry_not_found', 'comment_not_found'],
  })
    .input(
      inProject({
        entryId,
        ...cursorPaging,
        orderBy: orderBy(['createdAt'], 'createdAt:asc'),
        parentId: z.uuid().optional().meta({
          description: 'Filter by thread: returns the replies in it.',
          example: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a71',
        }),
        resolved: z
          .boolean()
          .optional()
          .meta({ description: 'Filter by whether the thread is resolved.', example: false }),
      }),
    )
    .output(pagedListOf(EntryComment)),

  createComment: management({
    openapi: managementRoute('POST', '/entries/{entryId}/comments', {
      summary: 'Comment on an entry',
      description:
        'Starts a thread on the entry, a field or a part of one, or replies to one. A reply reopens a resolved thread. Fails with 422 for a mention of someone who is not a member of the project.',
      tags,
      pathAliases,
      success: { status: 201, location: '/entries/{entryId}/comments/{id}' },
    }),
    resource,
    action,
    events: ['comment.created', 'comment.reopened'],
    errors: [
      'entry_not_found',
      'comment_not_found',
      'locale_not_found',
      'type_not_localized',
      'limit_reached',
    ],
  })
    .input(inProject({ entryId, ...commentInput }))
    .output(dataOf(EntryComment)),

  getComment: management({
    openapi: managementRoute('GET', '/entries/{entryId}/comments/{commentId}', {
      summary: 'Get a comment',
      description: 'Returns one comment.',
      tags,
      pathAliases,
    }),
    resource,
    action: 'read',
    errors: ['entry_not_found', 'comment_not_found'],
  })
    .input(inProject({ entryId, commentId }))
    .output(dataOf(EntryComment)),

  updateComment: management({
    openapi: managementRoute('PUT', '/entries/{entryId}/comments/{commentId}', {
      summary: 'Update a comment',
      description: `Changes the comment, and with it the mentions. ${byAuthor}`,
      tags,
      pathAliases,
    }),
    resource,
    action,
    events: ['comment.updated'],
    errors: ['entry_not_found', 'comment_not_found', 'not_comment_author', 'no_update_fields'],
  })
    .input(inProject({ entryId, commentId, text: CommentText.optional() }))
    .output(dataOf(EntryComment)),

  deleteComment: management({
    openapi: managementRoute('DELETE', '/entries/{entryId}/comments/{commentId}', {
      summary: 'Delete a comment',
      description: `Deletes a comment. The first one of a thread is deleted with its replies; with replies of others this is 409 unless the caller may manage the entry. ${byAuthor}`,
      tags,
      pathAliases,
    }),
    resource,
    action,
    events: ['comment.deleted'],
    confirmation: 'always',
    errors: ['entry_not_found', 'comment_not_found', 'not_comment_author', 'comment_has_replies'],
  })
    .input(inProject({ entryId, commentId }))
    .output(dataOf(Deleted)),

  resolveComment: management({
    openapi: managementRoute('POST', '/entries/{entryId}/comments/{commentId}/resolve', {
      summary: 'Resolve a thread',
      description: 'Resolves the thread of the comment and returns its first comment.',
      tags,
      pathAliases,
    }),
    resource,
    action,
    events: ['comment.resolved'],
    errors: ['entry_not_found', 'comment_not_found'],
  })
    .input(inProject({ entryId, commentId }))
    .output(dataOf(EntryComment)),

  reopenComment: management({
    openapi: managementRoute('POST', '/entries/{entryId}/comments/{commentId}/reopen', {
      summary: 'Reopen a thread',
      description: 'Reopens the resolved thread of the comment and returns its first comment.',
      tags,
      pathAliases,
    }),
    resource,
    action,
    events: ['comment.reopened'],
    errors: ['entry_not_found', 'comment_not_found'],
  })
    .input(inProject({ entryId, commentId }))
    .output(dataOf(EntryComment)),
};

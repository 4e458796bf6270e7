import type { Requirement } from './requirement.js';

/** States and transitions. */
export const states = {
  'publication/releases': {
    source: 'publication/releases',
    text: 'A release holds changes of entries, redirects, nodes and files, each once.',
  },
  'publication/future': {
    source: 'publication/future',
    text: 'Delivery with release= or at= returns to preview and management keys and preview sessions what it will return once the release is published, or once the schedules until then have run.',
  },
  'publication/release-publish': {
    source: 'publication/releases',
    text: 'A release is published as a whole or not at all, and a dry run says what would change.',
  },
  'publication/release-rollback': {
    source: 'publication/releases',
    text: 'A rollback puts back what was live, unless something else has changed it since.',
  },
  'publication/release-schedules': {
    source: 'publication/releases',
    text: 'A scheduled release is published as a whole or fails as a whole, and is moved and canceled in the calendar.',
  },
  'publication/release-approvals': {
    source: 'publication/releases',
    text: 'Approvals of a release lapse with its items and unpinned drafts.',
  },
  'entries/status-per-locale': {
    source: 'entries/status',
    text: 'Entries are published and unpublished per locale.',
  },
  'workflows/operations': {
    source: 'workflows/definition',
    text: 'Workflows: list, create, update, delete.',
  },
  'workflows/definition': {
    source: 'workflows/definition',
    text: 'A workflow has one initial state, reachable states and no cycle that publishing cannot be reached from.',
  },
  'workflows/choice': {
    source: 'workflows/choice',
    text: 'A type uses the workflow that it names, else the one that names it, else the default one.',
  },
  'workflows/states': { source: 'workflows/transitions', text: 'Entries move through workflows.' },
  'workflows/transitions': {
    source: 'workflows/transitions',
    text: 'Transitions depend on state, role, comment and assignee; the answer lists what is possible and why not.',
  },
  'workflows/changed-content': {
    source: 'workflows/changed-content',
    text: 'Approved content that changes returns to the initial state.',
  },
  'workflows/states-in-use': {
    source: 'workflows/definition',
    text: 'A changed workflow never leaves an entry in a state that does not exist.',
  },
  'workflows/approvals': {
    source: 'workflows/approvals',
    text: 'Transitions may need approvals of several users, which lapse when the content changes.',
  },
  'workflows/authors': {
    source: 'workflows/approvals',
    text: 'Every user who changed the content since its last approval counts as an author. Changing it back does not restore an approval.',
  },
  'workflows/promotion': {
    source: 'environments/promotion',
    text: 'A promotion obeys the workflows of its target: changed content loses its approval, and only approved content is published.',
  },
  'workflows/changed-schema': {
    source: 'workflows/changed-content',
    text: 'Content whose values a change of the schema or its undo rewrites loses its approval; renames leave it.',
  },
  'workflows/strict-override': {
    source: 'workflows/strict',
    text: 'Promotions publish what a strict workflow has not approved only for callers with the named right, and record it.',
  },
  'workflows/rollback': {
    source: 'workflows/changed-content',
    text: 'Content that a rollback changes loses its approval, also if it was approved before the promotion; pending approvals lapse.',
  },
  'localization/required-locales': {
    source: 'localization/locales',
    text: 'The score of content health ignores locales that the site does not require, by default all but the default one.',
  },
  'governance/skipped-workflows': {
    source: 'governance/detectors',
    text: 'Skipped workflows are issues only of types that chose their workflow, or of which an entry has been moved.',
  },
  'workflows/choice-none': {
    source: 'workflows/choice',
    text: 'A type may have no workflow: its entries have no state and no transitions.',
  },
  'workflows/four-eyes': {
    source: 'workflows/approvals',
    text: 'No one approves content that they changed since its last approval, be it through an API key.',
  },
  'access/grants-for-moves': {
    source: 'access/grants',
    text: 'A move needs the permission on the tree and on every published locale of the page, by any operation.',
  },
  'access/grants-for-assigning': {
    source: 'access/grants',
    text: 'Assigning needs the permission to update all of the entry.',
  },
  'entries/comments': {
    source: 'entries/comments',
    text: 'Members discuss entries in comments and replies, which they resolve and reopen; own comments are changed and deleted.',
  },
  'entries/comment-mentions': {
    source: 'entries/comments',
    text: 'Comments mention members of the project; mentions of others are refused.',
  },
  'entries/comment-anchors': {
    source: 'entries/comments',
    text: 'A comment is anchored to a field or a part of its text, which it follows; what is deleted leaves an orphaned anchor.',
  },
  'entries/external-links': {
    source: 'additive',
    text: 'A link may name its target by type and external id, which a batch resolves with one statement, also to entries that it creates.',
  },
  'entries/import': {
    source: 'additive',
    text: 'With the permission entries.import, a new entry keeps times, the author and the versions of its source; records have the true ones.',
  },
  'entries/edit-text': {
    source: 'entries/write',
    text: 'A passage of a text is replaced without sending the rest of it, also in a block.',
  },
  'entries/tasks': {
    source: 'entries/tasks',
    text: 'Tasks are assigned entries and translations, approvals of a role and open mentions, listed at the cost of an index.',
  },
  'lists/filters-by-workflow-state': {
    source: 'lists/filters',
    text: 'Entries are listed by workflow state and assignee, and counted by state.',
  },
  'workflows/bulk': { source: 'entries/bulk', text: 'Bulk workflowTransition and assign are set-based.' },
  'workflows/strict': {
    source: 'workflows/strict',
    text: 'A strict workflow refuses publishing from a state that does not allow it; an advisory one lets it through.',
  },
  'workflows/editable-by': {
    source: 'workflows/editable-by',
    text: 'A state with editableBy refuses every change by others: update, delete, restore, copy, move; also by keys.',
  },
  'publication/schedule-jobs': {
    source: 'publication/schedules',
    text: 'Jobs run at least once, take effect once, are tried again three times and check again when they run.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;

import type { Requirement } from './requirement.js';

/** States and transitions. */
export const states = {
  'spec-3-locales': { source: 'entries/status', text: 'Entries are published and unpublished per locale.' },
  'spec-4.3-workflows': { source: 'workflows/definition', text: 'Workflows: list, create, update, delete.' },
  'dec-2.10-workflows': {
    source: 'workflows/definition',
    text: 'A workflow has one initial state, reachable states and no cycle that publishing cannot be reached from.',
  },
  'dec-2.29-workflow-of-type': {
    source: 'workflows/choice',
    text: 'A type uses the workflow that it names, else the one that names it, else the default one.',
  },
  'spec-3-workflow': { source: 'workflows/transitions', text: 'Entries move through workflows.' },
  'dec-2.10-transitions': {
    source: 'workflows/transitions',
    text: 'Transitions depend on state, role, comment and assignee; the answer lists what is possible and why not.',
  },
  'dec-2.10-return': {
    source: 'workflows/changed-content',
    text: 'Approved content that changes returns to the initial state.',
  },
  'dec-2.10-states-in-use': {
    source: 'workflows/definition',
    text: 'A changed workflow never leaves an entry in a state that does not exist.',
  },
  'dec-3.4-approvals': {
    source: 'workflows/approvals',
    text: 'Transitions may need approvals of several users, which lapse when the content changes.',
  },
  'dec-3.14-author': {
    source: 'workflows/approvals',
    text: 'Every user who changed the content since its last approval counts as an author. Changing it back does not restore an approval.',
  },
  'dec-4.10-promotion': {
    source: 'environments/promotion',
    text: 'A promotion obeys the workflows of its target: changed content loses its approval, and only approved content is published.',
  },
  'dec-4.10-schema': {
    source: 'workflows/changed-content',
    text: 'Content whose values a change of the schema or its undo rewrites loses its approval; renames leave it.',
  },
  'dec-4.10-override': {
    source: 'workflows/strict',
    text: 'Promotions publish what a strict workflow has not approved only for callers with the named right, and record it.',
  },
  'dec-4.10-restore': {
    source: 'workflows/changed-content',
    text: 'Content that a rollback changes loses its approval, also if it was approved before the promotion; pending approvals lapse.',
  },
  'dec-4.11-required-locales': {
    source: 'localization/locales',
    text: 'The score of content health ignores locales that the site does not require, by default all but the default one.',
  },
  'dec-4.11-skipped': {
    source: 'governance/detectors',
    text: 'Skipped workflows are issues only of types that chose their workflow, or of which an entry has been moved.',
  },
  'dec-4.11-none': {
    source: 'workflows/choice',
    text: 'A type may have no workflow: its entries have no state and no transitions.',
  },
  'dec-4.13-four-eyes': {
    source: 'workflows/approvals',
    text: 'No one approves content that they changed since its last approval, be it through an API key.',
  },
  'dec-4.13-moves': {
    source: 'access/grants',
    text: 'A move needs the permission on the tree and on every published locale of the page, by any operation.',
  },
  'dec-4.13-assigning': {
    source: 'access/grants',
    text: 'Assigning needs the permission to update all of the entry.',
  },
  'dec-3.4-comments': {
    source: 'entries/comments',
    text: 'Members discuss entries in comments and replies, which they resolve and reopen; own comments are changed and deleted.',
  },
  'dec-3.4-mentions': {
    source: 'entries/comments',
    text: 'Comments mention members of the project; mentions of others are refused.',
  },
  'dec-3.4-anchors': {
    source: 'entries/comments',
    text: 'A comment is anchored to a field or a part of its text, which it follows; what is deleted leaves an orphaned anchor.',
  },
  'dec-3.4-tasks': {
    source: 'entries/tasks',
    text: 'Tasks are assigned entries and translations, approvals of a role and open mentions, listed at the cost of an index.',
  },
  'dec-2.6-workflow-state': {
    source: 'lists/filters',
    text: 'Entries are listed by workflow state and assignee, and counted by state.',
  },
  'dec-2.10-bulk': { source: 'entries/bulk', text: 'Bulk workflowTransition and assign are set-based.' },
  'dec-2.10-enforcement': {
    source: 'workflows/strict',
    text: 'A strict workflow refuses publishing from a state that does not allow it; an advisory one lets it through.',
  },
  'dec-3.14-editable-by': {
    source: 'workflows/editable-by',
    text: 'A state with editableBy refuses every change by others: update, delete, restore, copy, move; also by keys.',
  },
  'dec-2.11-jobs': {
    source: 'publication/schedules',
    text: 'Jobs run at least once, take effect once, are tried again three times and check again when they run.',
  },
} as const satisfies Readonly<Record<string, Requirement>>;

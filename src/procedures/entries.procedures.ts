import { entries as contracts } from '../../contracts/management/entries.contract.js';
import { batchEntries } from '../features/entries/batch/batch-entries.js';
import { bulkEntries } from '../features/bulk/bulk-entries.js';
import { createComment } from '../features/comments/create-comment.js';
import { deleteComment } from '../features/comments/delete-comment.js';
import { getComment } from '../features/comments/get-comment.js';
import { listComments } from '../features/comments/list-comments.js';
import { reopenComment, resolveComment } from '../features/comments/settle-thread.js';
import { updateComment } from '../features/comments/update-comment.js';
import { copyEntryLocale } from '../features/entries/copies/copy-entry-locale.js';
import { duplicateEntry } from '../features/entries/copies/duplicate-entry.js';
import { deleteEntry } from '../features/entries/deletion/delete-entry.js';
import { undeleteEntry } from '../features/entries/deletion/undelete-entry.js';
import { createEntry } from '../features/entries/edits/create-entry.js';
import { getEntryValues } from '../features/entries/drafts/get-entry-values.js';
import { getEntry } from '../features/entries/drafts/get-entry.js';
import { updateEntry } from '../features/entries/edits/update-entry.js';
import { diffEntryVersions } from '../features/entries/history/diff-entry-versions.js';
import { getEntryVersion } from '../features/entries/history/get-entry-version.js';
import { listEntryVersions } from '../features/entries/history/list-entry-versions.js';
import { restoreEntry, restoreEntryVersion } from '../features/entries/history/restore-entry.js';
import { listEntries } from '../features/entries/lists/list-entries.js';
import { listEntryReferences } from '../features/entries/lists/list-entry-references.js';
import { searchContent } from '../features/search/search-content.js';
import { publishEntry } from '../features/entries/publication/publish-entry.js';
import { unpublishEntry } from '../features/entries/publication/unpublish-entry.js';
import { validateEntry } from '../features/entries/publication/validate-entry.js';
import { cancelSchedule } from '../features/entries/schedules/cancel-schedule.js';
import { listSchedules } from '../features/entries/schedules/list-schedules.js';
import { getEntryWorkflow } from '../features/entries/workflow/get-entry-workflow.js';
import { transitionEntry } from '../features/entries/workflow/transition-entry.js';
import { createEntryPreview } from '../features/previews/create-entry-preview.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const entries = bind(contracts, {
  list: query(listEntries),
  create: mutation(createEntry, { with: ({ markup }) => markup }),
  get: query(getEntry),
  update: mutation(updateEntry, { with: ({ markup }) => markup }),
  delete: mutation(deleteEntry),
  publish: mutation(publishEntry),
  unpublish: mutation(unpublishEntry),
  listSchedules: query(listSchedules),
  cancelSchedule: mutation(cancelSchedule),
  duplicate: mutation(duplicateEntry),
  copyLocale: mutation(copyEntryLocale),
  undelete: mutation(undeleteEntry),
  preview: mutation(createEntryPreview, { with: (services) => services }),
  validate: query(validateEntry, { rollsBack: true }),
  listReferences: query(listEntryReferences),
  listVersions: query(listEntryVersions),
  getVersion: query(getEntryVersion),
  diffVersions: query(diffEntryVersions),
  restoreVersion: mutation(restoreEntryVersion),
  restore: mutation(restoreEntry),
  getWorkflow: query(getEntryWorkflow),
  transition: mutation(transitionEntry),
  listComments: query(listComments),
  createComment: mutation(createComment),
  getComment: query(getComment),
  updateComment: mutation(updateComment),
  deleteComment: mutation(deleteComment),
  resolveComment: mutation(resolveComment),
  reopenComment: mutation(reopenComment),
  bulk: mutation(bulkEntries),
  batch: mutation(batchEntries, { with: ({ markup }) => markup }),
  getValues: query(getEntryValues),
  search: query(searchContent, { with: ({ search }) => search }),
});

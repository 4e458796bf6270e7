import { entries as entriesContracts } from '../../contracts/entries/entries/entries.contract.js';
import { batchEntries } from '../features/entries/entries/batch/batch-entries.js';
import { bulkEntries } from '../features/entries/bulk/bulk-entries.js';
import {
  createComment,
  deleteComment,
  getComment,
  listComments,
  updateComment,
} from '../features/entries/comments/comments.js';
import { reopenComment, resolveComment } from '../features/entries/comments/threads.js';
import { detachBlock } from '../features/entries/entries/blocks/detach-block.js';
import { shareBlock } from '../features/entries/entries/blocks/share-block.js';
import { copyEntryLocale } from '../features/entries/entries/copies/copy-entry-locale.js';
import { duplicateEntry } from '../features/entries/entries/copies/duplicate-entry.js';
import { deleteEntry, undeleteEntry } from '../features/entries/entries/deletion/deletion.js';
import { createEntry } from '../features/entries/entries/edits/create-entry.js';
import { getEntryValues, getEntry } from '../features/entries/entries/drafts/get-entry.js';
import { editText } from '../features/entries/entries/edits/edit-text.js';
import { updateEntry } from '../features/entries/entries/edits/update-entry.js';
import {
  diffEntryVersions,
  getEntryVersion,
  listEntryVersions,
} from '../features/entries/entries/history/entry-versions.js';
import { restoreEntry, restoreEntryVersion } from '../features/entries/entries/history/restore-entry.js';
import { listEntries, listEntryReferences } from '../features/entries/entries/lists/list-entries.js';
import { searchContent } from '../features/insight/search/search-content.js';
import { listEntryDependencies } from '../features/entries/entries/dependencies/list-dependencies.js';
import { publishEntry, unpublishEntry } from '../features/entries/entries/publication/publish-entry.js';
import { validateEntry } from '../features/entries/entries/publication/validate-entry.js';
import { cancelSchedule, listSchedules } from '../features/entries/entries/schedules/schedules.js';
import { getEntryWorkflow } from '../features/entries/entries/workflow/show-workflow.js';
import { transitionEntry } from '../features/entries/entries/workflow/transition-entries.js';
import {
  createEntryPreview,
  createPreviewSession,
} from '../features/entries/previews/create-entry-preview.js';
import { importImages } from '../features/entries/entries/drafts/import-images.js';
import { announcePresence } from '../features/entries/presence/presence.js';
import { releases as releasesContracts } from '../../contracts/entries/releases/releases.contract.js';
import {
  approveRelease,
  createRelease,
  deleteRelease,
  getRelease,
  listReleases,
  reopenRelease,
  updateRelease,
} from '../features/entries/releases/releases.js';
import { addReleaseItems, removeReleaseItem } from '../features/entries/releases/release-items.js';
import { publishRelease, validateRelease } from '../features/entries/releases/publish-release.js';
import { scheduleRelease } from '../features/entries/releases/schedule-release.js';
import { rollbackRelease } from '../features/entries/releases/rollback-release.js';
import { bind } from './bind.js';
import { mutation, query, report } from './run.js';
import type { Services } from './services.js';
import { tasks as tasksContracts } from '../../contracts/entries/tasks/tasks.contract.js';
import { listTasks } from '../features/entries/tasks/list-tasks.js';

/** Texts may have images of other servers. */
const withImages = { with: ({ markup, media }: Services) => ({ markup, media }), prepare: importImages };

const rehearsing = { rehearses: ({ dryRun }: { readonly dryRun: boolean }) => dryRun };

export const entries = bind(entriesContracts, {
  list: query(listEntries),
  create: mutation(createEntry, withImages),
  get: query(getEntry),
  announce: report(announcePresence, { with: ({ presence }: Services) => presence, writes: true }),
  update: mutation(updateEntry, withImages),
  delete: mutation(deleteEntry, rehearsing),
  publish: mutation(publishEntry, rehearsing),
  unpublish: mutation(unpublishEntry, rehearsing),
  listSchedules: query(listSchedules),
  cancelSchedule: mutation(cancelSchedule),
  duplicate: mutation(duplicateEntry),
  copyLocale: mutation(copyEntryLocale),
  shareBlock: mutation(shareBlock),
  detachBlock: mutation(detachBlock),
  undelete: mutation(undeleteEntry),
  preview: mutation(createEntryPreview, { with: (services) => services }),
  previewSite: mutation(createPreviewSession, { with: (services) => services }),
  validate: query(validateEntry, { rollsBack: true }),
  listReferences: query(listEntryReferences),
  listDependencies: query(listEntryDependencies),
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
  batch: mutation(batchEntries, withImages),
  editText: mutation(editText, { with: ({ markup }: Services) => markup }),
  getValues: query(getEntryValues),
  search: query(searchContent, { with: ({ search }) => search }),
});

export const releases = bind(releasesContracts, {
  list: query(listReleases),
  create: mutation(createRelease),
  get: query(getRelease),
  update: mutation(updateRelease),
  delete: mutation(deleteRelease),
  addItems: mutation(addReleaseItems),
  removeItem: mutation(removeReleaseItem),
  validate: report(validateRelease, { rollsBack: true }),
  publish: mutation(publishRelease),
  schedule: mutation(scheduleRelease),
  rollback: mutation(rollbackRelease),
  reopen: mutation(reopenRelease),
  approve: mutation(approveRelease),
});

export const tasks = bind(tasksContracts, { list: query(listTasks) });

export {
  resolveLocale,
  resolveSiteIds,
  resolveStates,
  resolveTypeIds,
  sortedField,
  typeOfFields,
  type StateFilter,
} from './lists/entry-filters.js';
export { draftTargets } from './lists/list-entries.js';
export { EntryListRepository } from './lists/entry-list.repository.js';
export { CountSlotRepository } from './entry-batch.repository.js';
export { stateCondition } from './lists/entry-filters.js';
export { authorsSql, handsSql, lapsedSql } from './workflow/entry-state.repository.js';
export { deleteEntries } from './deletion/deletion.js';
export { makeDuplicate } from './copies/duplicate-entry.js';
export { documentLocale, localeFor, localeToWrite, notLocalized } from './access/entry-locale.js';
export { siteOf, authorizeChange, entryTarget } from './access/entry-rights.js';
export {
  brief,
  changedParts,
  presentEntry,
  presentState,
  shownLocale,
  entryEvent,
} from './entry.presenter.js';
export { updateEntry } from './edits/update-entry.js';
export { typeOf } from './drafts/draft-state.js';
export { localeOf, localizedOf, valuesOf, type StoredEntry } from './stored-entry.js';
export { noValues, valuesIn, type ValuesRead } from './anchored-values.js';
export { EntryRepository, keyErrors, type LinkRow } from './entry.repository.js';
export type { OwnedBlock } from './blocks/owned-block.repository.js';
export { HistoryRepository } from './history.repository.js';
export {
  LinkCheckRepository,
  StateCheckRepository,
  MarkCheckRepository,
} from './checks/entry-check.repository.js';
export { OwnedBlockCheckRepository } from './checks/entry-check.repository.js';
export {
  isAdmitted,
  isRefusal,
  type Applied,
  type Outcome,
  type Refusal,
} from './publication/locale-targets.js';
export { noteAlong, noteUnpublishedAlong } from './publication/publish-entry.js';
export { assignEntries } from './workflow/assign-entries.js';
export { emitReturned, returningStates } from './workflow/save-content.js';
export { leaveApproval, returnEntries, type ChangedContent } from './workflow/return-entries.js';
export { EntryStateRepository } from './workflow/entry-state.repository.js';
export { transitionEntries } from './workflow/transition-entries.js';
export { ApprovalOverride, type Overridden } from './publication/locale-targets.js';
export { publishTogether, lockTogether, type TogetherTarget } from './publication/publish-together.js';
export { publishLocales } from './publication/publish-locales.js';
export { scheduleLocales } from './publication/schedule-locales.js';
export { adoptJob, rescheduleJob } from './schedules/schedules.js';
export { entryJobs } from './publication/publish-entry.js';
export { unpublishLocales } from './publication/unpublish-locales.js';
export type { RichTextConverter } from './drafts/rich-text-input.js';
export { linkRows } from './link-rows.js';
export { titleOf } from './drafts/entry-slug.js';

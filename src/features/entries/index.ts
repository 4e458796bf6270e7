export {
  resolveLocale,
  resolveSiteIds,
  resolveStates,
  resolveTypeIds,
  type StateFilter,
} from './lists/entry-filters.js';
export { EntryListRepository } from './lists/entry-list.repository.js';
export { stateCondition } from './lists/state-sql.js';
export { deleteEntries } from './deletion/delete-entries.js';
export { makeDuplicate } from './copies/duplicate-entry.js';
export { localeFor, siteOf } from './access/entry.policy.js';
export { brief, changedParts, presentEntry, presentState, shownLocale } from './entry.presenter.js';
export { authorizeChange, entryTarget } from './access/entry-rights.js';
export { updateEntry } from './edits/update-entry.js';
export { typeOf } from './drafts/draft-state.js';
export { localeOf, localizedOf, type StoredEntry } from './stored-entry.js';
export { noValues, valuesIn, type ValuesRead } from './read-values.js';
export { CountSlotRepository } from './lists/count-slot.repository.js';
export { EntryRepository } from './entry.repository.js';
export { HistoryRepository } from './history.repository.js';
export { LinkCheckRepository } from './checks/link-check.repository.js';
export { isAdmitted, isRefusal, type Outcome, type Refusal } from './publication/locale-targets.js';
export { StateCheckRepository } from './checks/state-check.repository.js';
export { MarkCheckRepository } from './checks/mark-check.repository.js';
export { noteAlong, noteUnpublishedAlong } from './publication/publish-entry.js';
export { assignEntries } from './workflow/assign-entries.js';
export { emitReturned, returningStates } from './workflow/save-content.js';
export { leaveApproval, returnEntries, type ChangedContent } from './workflow/return-entries.js';
export { EntryStateRepository } from './workflow/entry-state.repository.js';
export { transitionEntries } from './workflow/transition-entries.js';
export { ApprovalOverride, type Overridden } from './publication/approval-override.js';
export { publishLocales } from './publication/publish-locales.js';
export { scheduleLocales } from './publication/schedule-locales.js';
export { entryJobs } from './publication/job-handlers.js';
export { unpublishLocales } from './publication/unpublish-locales.js';
export type { RichTextConverter } from './drafts/rich-text-input.js';
export { authorsSql, handsSql } from './workflow/authors-sql.js';
export { lapsedSql } from './workflow/lapsed-sql.js';
export { entryEvent } from './entry.events.js';
export { linkRows } from './link-rows.js';
export { keyErrors, type LinkRow } from './entry.repository.js';
export { titleOf } from './drafts/entry-slug.js';

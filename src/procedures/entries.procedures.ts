import { entries as contracts } from '../../contracts/management/entries.contract.js';
import { bulkEntries } from '../features/bulk/index.js';
import {
  copyEntryLocale,
  createEntry,
  deleteEntry,
  diffEntryVersions,
  duplicateEntry,
  getEntry,
  getEntryValues,
  getEntryVersion,
  listEntries,
  listEntryReferences,
  listEntryVersions,
  publishEntry,
  restoreEntry,
  restoreEntryVersion,
  searchContent,
  undeleteEntry,
  unpublishEntry,
  updateEntry,
  validateEntry,
} from '../features/entries/index.js';
import { createEntryPreview } from '../features/previews/index.js';
import { bind } from './bind.js';
import { mutation, query } from './run.js';

export const entries = bind(contracts, {
  list: query(listEntries),
  create: mutation(createEntry),
  get: query(getEntry),
  update: mutation(updateEntry),
  delete: mutation(deleteEntry),
  publish: mutation(publishEntry),
  unpublish: mutation(unpublishEntry),
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
  bulk: mutation(bulkEntries),
  getValues: query(getEntryValues),
  search: query(searchContent),
});

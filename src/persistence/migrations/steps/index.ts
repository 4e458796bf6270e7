import { roles } from './0001-roles.js';
import { tenants } from './0002-tenants.js';
import { contentModel } from './0003-content-model.js';
import { entries } from './0004-entries.js';
import { readModel } from './0005-read-model.js';
import { apiKeys } from './0006-api-keys.js';
import { records } from './0007-records.js';
import { redirects } from './0008-redirects.js';
import { customFieldTypes } from './0009-custom-field-types.js';
import { entryHistory } from './0010-entry-history.js';
import { tree } from './0011-tree.js';
import { schedules } from './0012-schedules.js';
import { renames } from './0013-renames.js';
import { redirectHits } from './0014-redirect-hits.js';
import { entryLists } from './0015-entry-lists.js';
import { members } from './0016-members.js';
import { webhooks } from './0017-webhooks.js';
import { accessControls } from './0018-access-controls.js';
import { endedSessions } from './0019-ended-sessions.js';
import { auditChain } from './0020-audit-chain.js';
import { confirmations } from './0021-confirmations.js';
import { purges } from './0022-purges.js';
import { purgeMarks } from './0023-purge-marks.js';
import { filterValues } from './0024-filter-values.js';
import { publicationComments } from './0025-publication-comments.js';
import { media } from './0026-media.js';
import { passwordResets } from './0027-password-resets.js';
import { savedViews } from './0028-saved-views.js';
import { renditionClaims } from './0029-rendition-claims.js';
import { servedRoutes } from './0030-served-routes.js';
import { calendar } from './0031-calendar.js';
import { writeProbes } from './0032-write-probes.js';
import { accounts } from './0033-accounts.js';
import { redirectPlans } from './0034-redirect-plans.js';
import { translations } from './0035-translations.js';
import { mediaUploads } from './0036-media-uploads.js';
import { mediaTotals } from './0037-media-totals.js';
import { workflows } from './0038-workflows.js';
import { recounts } from './0039-recounts.js';
import { mediaLists } from './0040-media-lists.js';
import { comments } from './0041-comments.js';
import { translationSets } from './0042-translation-sets.js';
import { schemaApplies } from './0043-schema-applies.js';
import { environments } from './0044-environments.js';
import { search } from './0045-search.js';
import { environmentChanges } from './0046-environment-changes.js';
import { promotions } from './0047-promotions.js';
import { promotedRows } from './0048-promoted-rows.js';
import { externalIds } from './0049-external-ids.js';
import { governance } from './0050-governance.js';
import { promotedStatuses } from './0051-promoted-statuses.js';
import { environmentDeletion } from './0052-environment-deletion.js';
import { translationJobs } from './0053-translation-jobs.js';
import { promotionJobs } from './0054-promotion-jobs.js';
import { searchEngines } from './0055-search-engines.js';
import { reports } from './0056-reports.js';
import { searchRemovals } from './0057-search-removals.js';
import { customReports } from './0058-custom-reports.js';
import { countSlots } from './0059-count-slots.js';
import { activityEntries } from './0060-activity-entries.js';
import { searchVectors } from './0061-search-vectors.js';
import { keyAddresses } from './0062-key-addresses.js';
import { publishedBodies } from './0063-published-bodies.js';
import { contentHealth } from './0064-content-health.js';
import { filterIndex } from './0065-filter-index.js';
import { noteTimes } from './0066-note-times.js';
import { publishedRows } from './0067-published-rows.js';
import { markedPurges } from './0068-purge-marks.js';
import { activityTotals } from './0069-activity-totals.js';
import { publishedTexts } from './0070-published-texts.js';
import { keyOwners } from './0071-key-owners.js';
import { redirectTargets } from './0072-redirect-targets.js';
import { commonVersions } from './0073-common-versions.js';
import { requiredLocales } from './0074-required-locales.js';
import { openUploads } from './0075-open-uploads.js';
import { comparedForms } from './0076-compared-forms.js';
import { documentLocales } from './0077-document-locales.js';
import { ownedBlocks } from './0078-owned-blocks.js';
import { blockValues } from './0079-block-values.js';
import { promotedBlocks } from './0080-promoted-blocks.js';
import { translatedBlocks } from './0081-translated-blocks.js';
import { blockComments } from './0082-block-comments.js';
import { blockHealth } from './0083-block-health.js';
import { fieldFallbacks } from './0084-field-fallbacks.js';
import { embeddedBlocks } from './0085-embedded-blocks.js';
import { assetNameOrder } from './0086-asset-name-order.js';
import { ownAccount } from './0087-own-account.js';
import { signOn } from './0088-sign-on.js';
import { mails } from './0089-mails.js';
import { entryTitles } from './0090-entry-titles.js';
import { notifications } from './0091-notifications.js';
import { accountLinks } from './0092-account-links.js';
import { secondFactors } from './0093-second-factors.js';

/** Oldest first. A landed step never changes; a later one fixes it. */
export const migrations = [
  roles,
  tenants,
  contentModel,
  entries,
  readModel,
  apiKeys,
  records,
  redirects,
  customFieldTypes,
  entryHistory,
  tree,
  schedules,
  renames,
  redirectHits,
  entryLists,
  members,
  webhooks,
  accessControls,
  endedSessions,
  auditChain,
  confirmations,
  purges,
  purgeMarks,
  filterValues,
  publicationComments,
  media,
  passwordResets,
  savedViews,
  renditionClaims,
  servedRoutes,
  calendar,
  writeProbes,
  accounts,
  redirectPlans,
  translations,
  mediaUploads,
  mediaTotals,
  workflows,
  recounts,
  mediaLists,
  comments,
  translationSets,
  schemaApplies,
  environments,
  search,
  environmentChanges,
  promotions,
  promotedRows,
  externalIds,
  governance,
  promotedStatuses,
  environmentDeletion,
  translationJobs,
  promotionJobs,
  searchEngines,
  reports,
  searchRemovals,
  customReports,
  countSlots,
  activityEntries,
  searchVectors,
  keyAddresses,
  publishedBodies,
  contentHealth,
  filterIndex,
  noteTimes,
  publishedRows,
  markedPurges,
  activityTotals,
  publishedTexts,
  keyOwners,
  redirectTargets,
  commonVersions,
  requiredLocales,
  openUploads,
  comparedForms,
  documentLocales,
  ownedBlocks,
  blockValues,
  promotedBlocks,
  translatedBlocks,
  blockComments,
  blockHealth,
  fieldFallbacks,
  embeddedBlocks,
  assetNameOrder,
  ownAccount,
  signOn,
  mails,
  entryTitles,
  notifications,
  accountLinks,
  secondFactors,
] as const;

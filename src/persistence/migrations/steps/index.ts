import { tenants } from './0001-tenants.js';
import { accounts } from './0002-accounts.js';
import { keys } from './0003-keys.js';
import { contentModel } from './0004-content-model.js';
import { entries } from './0005-entries.js';
import { publishing } from './0006-publishing.js';
import { routing } from './0007-routing.js';
import { fieldFallbacks } from './0008-field-fallbacks.js';
import { records } from './0009-records.js';
import { media } from './0010-media.js';
import { mediaLists } from './0011-media-lists.js';
import { editorial } from './0012-editorial.js';
import { translations } from './0013-translations.js';
import { translationMarks } from './0014-translation-triggers.js';
import { environments } from './0015-environments.js';
import { promotions } from './0016-promotions.js';
import { environmentBranches } from './0017-environment-branches.js';
import { search } from './0018-search.js';
import { insight } from './0019-insight.js';
import { contentHealth } from './0020-content-health.js';
import { purges } from './0021-purges.js';
import { borrowedPaths } from './0022-borrowed-paths.js';
import { draftValues } from './0023-draft-values.js';
import { passkeys } from './0024-passkeys.js';
import { releases } from './0025-releases.js';
import { personalKeys } from './0026-personal-keys.js';
import { publishedLinks } from './0027-published-links.js';
import { releaseSchedules } from './0028-release-schedules.js';
import { sync } from './0029-sync.js';
import { toolsets } from './0030-toolsets.js';
import { eventSequence } from './0031-event-sequence.js';
import { accessNotices } from './0032-access-notices.js';
import { searchBatches } from './0033-search-batches.js';
import { oauth } from './0034-oauth.js';
import { searchWords } from './0035-search-words.js';
import { avatars } from './0036-avatars.js';
import { edgePurges } from './0037-edge-purges.js';
import { searchSettings } from './0038-search-settings.js';
import { titleIndexes } from './0039-title-indexes.js';
import { platformEvents } from './0040-platform-events.js';
import { auditRetention } from './0041-audit-retention.js';
import { blockTargets } from './0042-block-targets.js';
import { imports } from './0043-imports.js';
import { importedVersions } from './0044-imported-versions.js';
import { cheaperTriggers } from './0045-cheaper-triggers.js';
import { versionChanges } from './0046-version-changes.js';

/** Oldest first. A landed step never changes; a later one fixes it. */
export const migrations = [
  tenants,
  accounts,
  keys,
  contentModel,
  entries,
  publishing,
  routing,
  fieldFallbacks,
  records,
  media,
  mediaLists,
  editorial,
  translations,
  translationMarks,
  environments,
  promotions,
  environmentBranches,
  search,
  insight,
  contentHealth,
  purges,
  borrowedPaths,
  draftValues,
  passkeys,
  releases,
  personalKeys,
  publishedLinks,
  releaseSchedules,
  sync,
  toolsets,
  eventSequence,
  accessNotices,
  searchBatches,
  oauth,
  searchWords,
  avatars,
  edgePurges,
  searchSettings,
  titleIndexes,
  platformEvents,
  auditRetention,
  blockTargets,
  imports,
  importedVersions,
  cheaperTriggers,
  versionChanges,
] as const;

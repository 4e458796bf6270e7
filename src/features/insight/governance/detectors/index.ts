import { bulkDeleteSpike } from './bulk-delete-spike.js';
import type { Detector } from './detector.js';
import { expiringKey } from './expiring-key.js';
import { failingWebhook, orphanedSchedule, orphanedWebhook } from './orphans.js';
import { highErrorRate, rateLimitPressure } from './key-calls.js';
import { missingAssetFile, staleTranslationLive } from './content.js';
import { newIp } from './new-ip.js';
import { noExpiryKey } from './no-expiry-key.js';
import { offHoursActivity } from './off-hours-activity.js';
import { publishSpike } from './publish-spike.js';
import { selfApproval, skippedWorkflow, unreviewedAgentPublish } from './reviews.js';
import { staleKey } from './stale-key.js';
import { unrestrictedKey } from './unrestricted-key.js';

/** One file each. */
export const detectors: readonly Detector[] = [
  skippedWorkflow,
  selfApproval,
  bulkDeleteSpike,
  publishSpike,
  offHoursActivity,
  unrestrictedKey,
  noExpiryKey,
  staleKey,
  expiringKey,
  highErrorRate,
  rateLimitPressure,
  newIp,
  failingWebhook,
  orphanedWebhook,
  orphanedSchedule,
  missingAssetFile,
  staleTranslationLive,
  unreviewedAgentPublish,
];

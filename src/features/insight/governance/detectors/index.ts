import { bulkDeleteSpike, offHoursActivity, publishSpike } from './bursts.js';
import type { Detector } from './detector.js';
import {
  expiringKey,
  highErrorRate,
  rateLimitPressure,
  newIp,
  noExpiryKey,
  staleKey,
  unrestrictedKey,
} from './keys.js';
import { failingWebhook, orphanedSchedule, orphanedWebhook } from './orphans.js';
import { missingAssetFile, staleTranslationLive } from './content.js';
import { selfApproval, skippedWorkflow, unreviewedAgentPublish } from './reviews.js';

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

import { bulkDeleteSpike } from './bulk-delete-spike.js';
import type { Detector } from './detector.js';
import { expiringKey } from './expiring-key.js';
import { failingWebhook } from './failing-webhook.js';
import { highErrorRate } from './high-error-rate.js';
import { missingAssetFile } from './missing-asset-file.js';
import { newIp } from './new-ip.js';
import { noExpiryKey } from './no-expiry-key.js';
import { offHoursActivity } from './off-hours-activity.js';
import { orphanedSchedule } from './orphaned-schedule.js';
import { orphanedWebhook } from './orphaned-webhook.js';
import { publishSpike } from './publish-spike.js';
import { rateLimitPressure } from './rate-limit-pressure.js';
import { selfApproval } from './self-approval.js';
import { skippedWorkflow } from './skipped-workflow.js';
import { staleKey } from './stale-key.js';
import { staleTranslationLive } from './stale-translation-live.js';
import { unrestrictedKey } from './unrestricted-key.js';
import { unreviewedAgentPublish } from './unreviewed-agent-publish.js';

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

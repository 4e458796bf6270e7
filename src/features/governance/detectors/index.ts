import { bulkDeleteSpike } from './bulk-delete-spike.js';
import type { Detector } from './detector.js';
import { expiringKey } from './expiring-key.js';
import { failingWebhook } from './failing-webhook.js';
import { noExpiryKey } from './no-expiry-key.js';
import { publishSpike } from './publish-spike.js';
import { selfApproval } from './self-approval.js';
import { skippedWorkflow } from './skipped-workflow.js';
import { staleKey } from './stale-key.js';

/** One file each. */
export const detectors: readonly Detector[] = [
  skippedWorkflow,
  selfApproval,
  bulkDeleteSpike,
  publishSpike,
  noExpiryKey,
  staleKey,
  expiringKey,
  failingWebhook,
];

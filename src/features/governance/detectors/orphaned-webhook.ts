import type { Finding } from '../findings/stored-issue.js';
import type { Detector } from './detector.js';
import { WebhookScanRepository } from './webhook-scan.repository.js';

/** An enabled webhook that receives nothing, because its key has expired or was revoked. */
export const orphanedWebhook: Detector = {
  name: 'orphaned_webhook',
  kind: 'condition',
  find: async (run, { until, limit }) => {
    const webhooks = await run((work) => work.use(WebhookScanRepository).orphaned(until, limit));
    const findings = webhooks.map(({ id, name, url, keyId }): Finding => ({
      subjectType: 'webhook',
      subjectId: id,
      subjectName: name,
      severity: 'warning',
      message: `The webhook "${name}" receives nothing: the key that made it has ended. Adopt or delete it.`,
      evidence: { url, apiKeyId: keyId },
      fingerprint: keyId,
      count: 1,
      seenAt: until,
    }));
    return { findings };
  },
};

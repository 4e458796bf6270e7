import type { Finding } from '../findings/stored-issue.js';
import type { Detector } from './detector.js';
import { WebhookScanRepository } from './webhook-scan.repository.js';

/** A webhook whose deliveries fail, or that was disabled because they did. */
export const failingWebhook: Detector = {
  name: 'failing_webhook',
  kind: 'condition',
  find: async (run, { until, limit }) => {
    const webhooks = await run((work) => work.use(WebhookScanRepository).failing(limit));
    const findings = webhooks.map(({ id, name, health, failingSince }): Finding => ({
      subjectType: 'webhook',
      subjectId: id,
      subjectName: name,
      severity: health === 'disabled' ? 'critical' : 'warning',
      message:
        health === 'disabled'
          ? `The webhook "${name}" was disabled because its deliveries failed.`
          : `Deliveries of the webhook "${name}" fail.`,
      evidence: { health, failingSince: failingSince?.toISOString() ?? null },
      fingerprint: `${health} ${failingSince?.toISOString() ?? ''}`,
      count: 1,
      seenAt: until,
    }));
    return { findings };
  },
};

import type { Finding } from '../findings/stored-issue.js';
import type { Detector } from './detector.js';
import { ScheduleScanRepository, WebhookScanRepository } from './orphan-scan.repository.js';

/** An entry with waiting jobs that will not run, because their key has expired or was revoked. */
export const orphanedSchedule: Detector = {
  name: 'orphaned_schedule',
  kind: 'condition',
  find: async (run, { until, limit }) => {
    const entries = await run((work) => work.use(ScheduleScanRepository).orphaned(until, limit));
    const findings = entries.map(({ id, title, jobs }): Finding => ({
      subjectType: 'entry',
      subjectId: id,
      subjectName: title,
      severity: 'warning',
      message: `Schedules of "${title}" do not run: the key that made them has ended. Adopt or cancel them.`,
      evidence: { jobs },
      fingerprint: jobs.map(({ jobId }) => jobId).join(' '),
      count: jobs.length,
      seenAt: until,
    }));
    return { findings };
  },
};

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

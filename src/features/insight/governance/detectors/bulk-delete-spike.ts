import type { Detector } from './detector.js';
import { burstFinding, latestBursts } from './find-bursts.js';

const rule = {
  actions: [
    'entry.delete',
    'media.delete',
    'tree_node.delete',
    'redirect.delete',
    'field.delete',
    'content_type.delete',
    'custom_field_type.delete',
    'media_folder.delete',
    'workflow.delete',
    'site.delete',
    'webhook.delete',
  ],
  windowSeconds: 600,
  minimum: 21,
} as const;

/** More than 20 deletions by one actor within 10 minutes. */
export const bulkDeleteSpike: Detector = {
  name: 'bulk_delete_spike',
  kind: 'activity',
  find: async (run, scan) => {
    const bursts = await run((work) => latestBursts(work, rule, scan));
    const findings = bursts.map((burst) =>
      burstFinding(burst, {
        severity: 'critical',
        message: `${burst.actorName} deleted ${String(burst.count)} items within 10 minutes.`,
      }),
    );
    return { findings };
  },
};

import type { Detector } from './detector.js';
import { burstFinding, latestBursts } from './find-bursts.js';

const rule = { actions: ['entry.publish'], windowSeconds: 3600, minimum: 51 } as const;

/** More than 50 publications by one actor within an hour. */
export const publishSpike: Detector = {
  name: 'publish_spike',
  kind: 'activity',
  find: async (run, scan) => {
    const bursts = await run((work) => latestBursts(work, rule, scan));
    const findings = bursts.map((burst) =>
      burstFinding(burst, {
        severity: 'warning',
        message: `${burst.actorName} published ${String(burst.count)} times within an hour.`,
      }),
    );
    return { findings };
  },
};

import type { Detector } from './detector.js';
import { reviewFinding } from './review-finding.js';
import { reviewRules } from './review-rules.js';
import { ReviewRepository } from './review.repository.js';

/** An entry that is live, written and published by keys of agents, which no user approved in between. */
export const unreviewedAgentPublish: Detector = {
  name: 'unreviewed_agent_publish',
  kind: 'condition',
  find: async (run, { catalog, ...scan }) => {
    const rules = reviewRules(catalog);
    const entries = await run((work) => work.use(ReviewRepository).publishedByAgents({ ...scan, rules }));
    const findings = entries.map((entry) =>
      reviewFinding(entry, {
        severity: 'critical',
        message: `"${entry.title}" was written and published by an agent, and no user approved it.`,
        seenAt: scan.until,
      }),
    );
    return { findings };
  },
};

import type { Detector } from './detector.js';
import { reviewFinding } from './review-finding.js';
import { reviewRules } from './review-rules.js';
import { ReviewRepository } from './review.repository.js';

/** An entry that was approved by someone who had changed it since its last approval (decisions 4.13). */
export const selfApproval: Detector = {
  name: 'self_approval',
  kind: 'condition',
  find: async (run, { catalog, ...scan }) => {
    const rules = reviewRules(catalog);
    const entries = await run((work) => work.use(ReviewRepository).approvedByAuthor({ ...scan, rules }));
    const findings = entries.map((entry) =>
      reviewFinding(entry, {
        severity: 'warning',
        message: `"${entry.title}" was approved by someone who changed it.`,
        seenAt: scan.until,
      }),
    );
    return { findings };
  },
};

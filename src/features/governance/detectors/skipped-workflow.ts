import type { Detector } from './detector.js';
import { reviewFinding } from './review-finding.js';
import { reviewRules } from './review-rules.js';
import { ReviewRepository } from './review.repository.js';

/** An entry that is live, published in a state of its workflow that does not allow it. */
export const skippedWorkflow: Detector = {
  name: 'skipped_workflow',
  kind: 'condition',
  find: async (run, { catalog, ...scan }) => {
    const rules = reviewRules(catalog);
    const entries = await run((work) => work.use(ReviewRepository).publishedUnapproved({ ...scan, rules }));
    const findings = entries.map((entry) =>
      reviewFinding(entry, {
        severity: 'warning',
        message: `"${entry.title}" was published in a state of its workflow that does not allow it.`,
        seenAt: scan.until,
      }),
    );
    return { findings };
  },
};

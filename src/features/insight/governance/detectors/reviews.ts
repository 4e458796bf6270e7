import type { Finding } from '../findings/stored-issue.js';
import type { FoundEntry } from './content-scan.repository.js';
import type { Detector } from './detector.js';
import { reviewRules } from './review-rules.js';
import { ReviewRepository } from './review.repository.js';

type Rest = Pick<Finding, 'severity' | 'message' | 'seenAt'>;

/** A condition of an entry in some of its locales. */
export const reviewFinding = (
  { entryId, title, contentTypeApiName, siteId, locales, total }: FoundEntry,
  rest: Rest,
): Finding => ({
  ...rest,
  subjectType: 'entry',
  subjectId: entryId,
  subjectName: title,
  evidence: { contentTypeApiName, siteId, locales },
  fingerprint: JSON.stringify(locales),
  count: total,
});

/** An entry that was approved by someone who had changed it since its last approval (rule workflows/approvals). */
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

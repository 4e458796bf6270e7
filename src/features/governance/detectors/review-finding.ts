import type { Finding } from '../findings/stored-issue.js';
import type { FoundEntry } from './entry-groups.js';

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

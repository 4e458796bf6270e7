import type { EntryStatus } from '../../contracts/resources/entry.js';

/** What decides a locale's status: marks of the draft and of what was published. */
export interface LocaleMarks {
  readonly contentHash: string;
  readonly publishedContentHash: string | null;
  readonly publishedSharedHash: string | null;
}

/**
 * Status of one locale (decisions 2.9, 2.30). It is `changed` when its own values or the shared ones
 * differ from what is live; another locale's edit does not change it.
 */
export function statusOf(marks: LocaleMarks, sharedHash: string): EntryStatus {
  if (marks.publishedContentHash === null) return 'draft';
  const isLatest =
    marks.publishedContentHash === marks.contentHash && marks.publishedSharedHash === sharedHash;
  return isLatest ? 'published' : 'changed';
}

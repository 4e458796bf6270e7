import type { EntryStatus } from '../../contracts/entries/entries/entry.js';

/** Hashes of the draft and of the published state. */
export interface LocaleMarks {
  readonly contentHash: string;
  readonly publishedContentHash: string | null;
  readonly publishedSharedHash: string | null;
}

/** `changed` if the locale's own or the shared values differ from the published ones (rule entries/status). */
export function statusOf(marks: LocaleMarks, sharedHash: string): EntryStatus {
  if (marks.publishedContentHash === null) return 'draft';
  const isLatest =
    marks.publishedContentHash === marks.contentHash && marks.publishedSharedHash === sharedHash;
  return isLatest ? 'published' : 'changed';
}

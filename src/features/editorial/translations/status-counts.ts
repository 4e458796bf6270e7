import type {
  TranslationCounts,
  TranslationStatus,
} from '../../../../contracts/editorial/translations/translation.js';
import type { StatusCount } from './translation-list.repository.js';

const keys = {
  missing: 'missing',
  in_progress: 'inProgress',
  needs_review: 'needsReview',
  complete: 'complete',
  stale: 'stale',
} as const satisfies Record<TranslationStatus, keyof TranslationCounts>;

export function sumCounts(counts: readonly StatusCount[]): TranslationCounts {
  const sums = { missing: 0, inProgress: 0, needsReview: 0, complete: 0, stale: 0 };
  for (const { status, count } of counts) sums[keys[status]] += count;
  return sums;
}

export interface Coverage extends TranslationCounts {
  readonly total: number;
  readonly coverage: number;
}

/** Nothing to translate is covered. */
export function coverageOf(counts: readonly StatusCount[]): Coverage {
  const sums = sumCounts(counts);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const coverage = total === 0 ? 1 : Math.floor((sums.complete / total) * 10_000) / 10_000;
  return { total, ...sums, coverage };
}

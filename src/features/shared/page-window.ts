/** The rows of a page, counted from the end of a list that is nearer to it. */
export interface PageWindow {
  readonly limit: number;
  readonly offset: number;
  /** Whether the list is walked from its other end; the rows then come in the other order. */
  readonly isReversed: boolean;
}

/**
 * Where a page lies in a list of `total` rows. Rows that are skipped are walked, so a page beyond the
 * middle is reached from the end.
 */
export function pageWindow({ limit, offset }: { limit: number; offset: number }, total: number): PageWindow {
  const isReversed = offset * 2 > total;
  if (!isReversed) return { limit, offset, isReversed };
  const end = Math.min(offset + limit, total);
  return { limit: Math.max(0, end - offset), offset: total - end, isReversed };
}

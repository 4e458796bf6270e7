export interface PageWindow {
  readonly limit: number;
  readonly offset: number;
  /** Whether rows are read from the end, in reverse order. */
  readonly isReversed: boolean;
}

/** Reads pages beyond the middle from the end, because skipped rows are scanned. */
export function pageWindow({ limit, offset }: { limit: number; offset: number }, total: number): PageWindow {
  const isReversed = offset * 2 > total;
  if (!isReversed) return { limit, offset, isReversed };
  const end = Math.min(offset + limit, total);
  return { limit: Math.max(0, end - offset), offset: total - end, isReversed };
}

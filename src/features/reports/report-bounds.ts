/** What reports may cost. */
export interface ReportBounds {
  /** Changed entries whose issues are found when the report of content health is read. */
  readonly healthEntries: number;
  /** Milliseconds that the statement of a custom report may take; undefined: as long as any statement. */
  readonly customMs?: number | undefined;
}

export const defaultReportBounds: ReportBounds = { healthEntries: 1000 };

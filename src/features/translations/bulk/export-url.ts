/** Signs URLs of archives. */
export interface ExportUrls {
  signedExport(path: string, expiresAt: Date): string;
}

export interface ExportAddress {
  readonly projectSlug: string;
  readonly jobId: string;
  readonly fileName: string;
}

/** Below `/media/`, so that what serves files serves archives. */
export const exportPath = ({ projectSlug, jobId, fileName }: ExportAddress): string =>
  `/media/${projectSlug}/exports/${jobId}/${fileName}`;

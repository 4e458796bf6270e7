/** Signs URLs of archives. */
export interface ExportUrls {
  /** @param signing with the key that makes the URL, which ends with it */
  signedExport(path: string, signing: { readonly expiresAt: Date; readonly keyId: string | null }): string;
}

export interface ExportAddress {
  readonly projectSlug: string;
  readonly jobId: string;
  readonly fileName: string;
}

/** Below `/media/`, so that what serves files serves archives. */
export const exportPath = ({ projectSlug, jobId, fileName }: ExportAddress): string =>
  `/media/${projectSlug}/exports/${jobId}/${fileName}`;

/** What changed; all null: anything may have. */
export interface PreviewChange {
  readonly entryId: string | null;
  readonly locale: string | null;
  readonly version: number | null;
}

export interface LivePreviewOptions {
  /** Address of the service, such as `https://cms.example`. */
  readonly url: string;
  readonly project: string;
  /** Slug of the site. */
  readonly site: string;
  /** Of a preview session; absent where the browser has its cookie. */
  readonly previewToken?: string | undefined;
  /** Called after each draft that is saved, and when a connection is back, because changes are not repeated. */
  readonly onChange: (change: PreviewChange) => void;
}

interface Source {
  addEventListener(type: string, listener: (event: { readonly data?: string }) => void): void;
  close(): void;
}

const ANY: PreviewChange = { entryId: null, locale: null, version: null };

/**
 * Listens to the drafts of a site in a browser.
 * @returns what ends it
 */
export function livePreview({ url, project, site, previewToken, onChange }: LivePreviewOptions): () => void {
  const path = `/api/delivery/projects/${encodeURIComponent(project)}/sites/${encodeURIComponent(site)}/preview/stream`;
  const address = new URL(url.replace(/\/+$/, '') + path);
  if (previewToken !== undefined) address.searchParams.set('previewToken', previewToken);
  const { EventSource } = globalThis as unknown as { EventSource: new (address: URL) => Source };
  const stream = new EventSource(address);
  let isMissing = false;
  stream.addEventListener('error', () => {
    isMissing = true;
  });
  stream.addEventListener('open', () => {
    if (isMissing) onChange(ANY);
    isMissing = false;
  });
  stream.addEventListener('changed', ({ data = '{}' }) => onChange(JSON.parse(data) as PreviewChange));
  return () => stream.close();
}

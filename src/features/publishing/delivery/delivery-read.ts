import { AppError } from '../../../../contracts/errors.js';
import type { Catalog, SiteDefinition } from '../../../content/catalog.js';
import { SourceMap } from '../../../content/source-maps.js';
import type { DeliveryTrace, ReadMedia } from './delivery-trace.js';
import type { DocumentSource } from './document.js';
import { EntryText } from './entry-text.js';
import type { RouteSource, SitemapSource } from './route-source.js';
import type { TreeSource } from './tree-source.js';

/** The one entry and locale that a preview token grants. */
export interface PreviewScope {
  readonly entryId: string;
  readonly locale: string;
  /** The path that the draft will have, without locale prefix; undefined without a route. */
  draftPath(): Promise<string | undefined>;
}

/** Context of a delivery use case: a source of documents instead of a transaction, and a trace for the headers. */
export interface DeliveryRead {
  readonly catalog: Catalog;
  readonly source: DocumentSource;
  readonly trace: DeliveryTrace;
  readonly routes: RouteSource;
  readonly sitemap: SitemapSource;
  readonly tree: TreeSource;
  /**
   * Where clients reach the service, for URLs of a site that has none. The response is not stored if that is known from
   * the request alone.
   */
  serviceOrigin(): string;
  readonly media: ReadMedia;
  /** Whether entries are sent as text, and nothing else of them is read. */
  readonly writesText?: boolean | undefined;
  /** Maximum hops of references, whatever the request asks for. */
  readonly maxReferenceDepth: number;
  /** Names of query parameters that the operation does not have. */
  readonly unknownParameters?: readonly string[] | undefined;
  /** Whether what will be published is read. */
  readonly isFuture?: boolean | undefined;
  /** The site of a preview session. */
  readonly onlySiteId?: string | undefined;
  /** Set if a preview token was sent. Over REST the response must be this entry and locale. */
  readonly preview?: PreviewScope | undefined;
}

/**
 * The requested locale; a preview token determines its own.
 * @throws AppError 403 `invalid_preview_token` where the token is for another locale
 */
export function requestedLocale({ preview }: DeliveryRead, locale: string | undefined): string | undefined {
  if (preview === undefined) return locale;
  if (locale !== undefined && locale !== preview.locale) throw new AppError('invalid_preview_token');
  return preview.locale;
}

/** @throws AppError 403 `invalid_preview_token` where the token is for another entry */
export function assertPreviewed({ preview }: DeliveryRead, entryId: string): void {
  if (preview !== undefined && preview.entryId !== entryId) throw new AppError('invalid_preview_token');
}

/**
 * The site of a delivery path.
 * @throws AppError 404 `site_not_found`; 403 `invalid_preview_token` for another one than that of a preview session
 */
export function siteOf({ catalog, trace, onlySiteId }: DeliveryRead, siteSlug: string): SiteDefinition {
  const site = catalog.siteBySlug(siteSlug);
  if (onlySiteId !== undefined && site?.id !== onlySiteId) throw new AppError('invalid_preview_token');
  if (site === undefined) throw new AppError('site_not_found');
  trace.addSite(site.slug);
  return site;
}

/** A list whose cursors are valid in one environment, for published content, for drafts or for what will be published. */
export const listNamed = (name: string, { catalog, source, isFuture }: DeliveryRead) => ({
  name: source.isPreview ? `${name} drafts` : isFuture === true ? `${name} to come` : name,
  scope: {
    tenantId: catalog.data.tenant.id,
    projectId: catalog.data.project.id,
    environmentId: catalog.data.environment.id,
  },
});

interface Mappable {
  readonly contentSourceMaps?: 'json' | 'stega' | undefined;
}

interface Mapped {
  readonly data: unknown;
  readonly meta?: object | undefined;
}

const plain = (value: unknown): unknown => (value instanceof EntryText ? value.entry : value);

/**
 * A use case whose result says of which fields its values are, where the request asks for it.
 * @param readOf what the use case reads
 * @throws AppError 403 `preview_not_allowed` for published content
 */
export const withSourceMaps =
  <R, I extends Mappable, O extends Mapped>(
    useCase: (read: R, input: I) => Promise<O>,
    readOf: (read: R) => DeliveryRead,
  ) =>
  async (read: R, input: I): Promise<O> => {
    const { contentSourceMaps: form } = input;
    if (form === undefined) return useCase(read, input);
    const { source, catalog, isFuture } = readOf(read);
    if (!source.isPreview && isFuture !== true) throw new AppError('preview_not_allowed');
    const output = await useCase(read, input);
    const map = new SourceMap(catalog, form === 'stega');
    const data = map.map(Array.isArray(output.data) ? output.data.map(plain) : plain(output.data));
    if (form === 'stega') return { ...output, data };
    return { ...output, data, meta: { ...output.meta, contentSourceMaps: map.sources } };
  };

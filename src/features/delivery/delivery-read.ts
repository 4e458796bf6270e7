import { AppError } from '../../../contracts/errors.js';
import type { Catalog, SiteDefinition } from '../../content/catalog.js';
import type { DeliveryTrace } from './delivery-trace.js';
import type { DocumentSource } from './document.js';
import type { RouteSource } from './route-source.js';
import type { SitemapSource } from './sitemap-source.js';

/** All that a preview token lets its holder see. */
interface PreviewScope {
  readonly entryId: string;
  readonly locale: string;
}

/** What a delivery use case works with: no transaction, a source of documents, and a trace for the headers. */
export interface DeliveryRead {
  readonly catalog: Catalog;
  readonly source: DocumentSource;
  readonly trace: DeliveryTrace;
  readonly routes: RouteSource;
  readonly sitemap: SitemapSource;
  /** Hops of references that any answer follows at most, whatever is asked for. */
  readonly maxReferenceDepth: number;
  /** Set where a preview token was sent: the answer must be about this entry and locale. */
  readonly preview?: PreviewScope;
}

/**
 * The locale that is asked for; a preview token names its own.
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

/** The site of a delivery path. */
export function siteOf({ catalog, trace }: DeliveryRead, siteSlug: string): SiteDefinition {
  const site = catalog.siteBySlug(siteSlug);
  if (site === undefined) throw new AppError('site_not_found');
  trace.addSite(site.slug);
  return site;
}

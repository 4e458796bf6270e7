import type { graphqlReads } from '../../../../contracts/publishing/delivery/graphql.contract.js';
import { invalidInput } from '../../../../contracts/errors.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { EntryContent, ReadOrigin } from '../../../../contracts/publishing/delivery/content-entry.js';
import { RoutePath } from '../../../../contracts/publishing/delivery/route.js';
import { siteOf, type DeliveryRead } from './delivery-read.js';
import { findRoute } from './find-route.js';
import { localesOf } from './locale-chains.js';
import { presentContent } from './present-content.js';
import { previewedRoute } from './previewed-route.js';

interface RouteRead {
  readonly data: {
    readonly kind: 'entry' | 'redirect';
    readonly entry: EntryContent | null;
    readonly target: string | null;
    readonly status: number | null;
  } | null;
  readonly meta: ReadOrigin;
}

const invalidPath = () =>
  invalidInput({ path: ['path'], code: 'invalid_format', message: 'A path must start with "/".' });

/**
 * Resolves a path in a locale; null where nothing matches or the entry's content type was deleted.
 * @throws AppError 404 `site_not_found`, `locale_not_found`; 422 `validation_failed` for an ill-formed path
 */
export async function readRoute(
  read: DeliveryRead,
  { siteSlug, locale, path }: InputOf<typeof graphqlReads.resolveRoute>,
): Promise<RouteRead> {
  const { catalog, source } = read;
  const { isPreview } = source;
  const site = siteOf(read, siteSlug);
  localesOf(catalog, site, locale);
  if (!RoutePath.safeParse(path).success) throw invalidPath();
  const isPreviewed = read.preview?.locale === locale;
  const found =
    (isPreviewed ? await previewedRoute(read, site, path) : undefined) ??
    (await findRoute(read, { site, path, locale }));
  if (found === undefined) return { data: null, meta: { isPreview, locales: [] } };
  if (!('document' in found)) {
    const { target, status } = found;
    return { data: { kind: 'redirect', entry: null, target, status }, meta: { isPreview, locales: [] } };
  }
  const entry = presentContent(found.document, catalog);
  return {
    data: entry && { kind: 'entry', entry, target: null, status: null },
    meta: { isPreview, locales: found.locales },
  };
}

import { Readable } from 'node:stream';
import { toAppError, type InputOf } from '../../../../contracts/procedure.js';
import { failureBody } from '../../../../contracts/errors.js';
import type { SitemapUrl } from '../../../../contracts/publishing/delivery/route.js';
import type { deliveryReads } from '../../../../contracts/publishing/delivery/delivery.contract.js';
import {
  deliveryRead,
  enterFuture,
  mapDatabaseErrors,
  type OperationScope,
} from '../../../procedures/index.js';
import { EntryText, openSitemap, type OpenSitemap } from '../../../features/publishing/delivery/index.js';
import {
  JSON_MEDIA_TYPE,
  type HttpAnswer,
  type HeaderList,
  type StreamBody,
  type WholeBody,
} from '../../http/answer.js';
import type { Exchange } from '../../http/exchange.js';
import { failureAnswer } from '../../http/failure-answer.js';

const VARY = 'Authorization, Accept-Encoding, X-Preview-Token';

/** Cache headers (specification section 8). */
function deliveryHeaders({ trace, catalog }: OperationScope): string[] {
  const key = trace.surrogateKey(catalog?.data.project.slug ?? '');
  const headers = ['Surrogate-Key', key, 'Vary', VARY];
  if (trace.isPreview) headers.push('Cache-Control', 'private, no-store', 'X-Robots-Tag', 'noindex');
  else headers.push('Cache-Control', `public, max-age=${trace.maxAgeSeconds}, stale-while-revalidate=3600`);
  return headers;
}

/** Entries are sent as the text that they are. */
export function deliveryBody(output: unknown): WholeBody {
  const written = EntryText.envelope(output as Readonly<Record<string, unknown>>);
  if (written === undefined) return { json: output };
  return { text: written.text, mediaType: JSON_MEDIA_TYPE, identity: written.identity };
}

/** Public unless it shows a draft. */
export const deliveryAnswer = (
  scope: OperationScope,
  body: WholeBody | StreamBody,
  headers: HeaderList = [],
): HttpAnswer => ({
  status: 200,
  headers: [...deliveryHeaders(scope), ...headers],
  body,
  isPublic: !scope.trace.isPreview,
  isCompressible: true,
  delivery: scope,
});

/** Shared caches may store only `route_not_found` and `route_gone` (rules delivery/caching and routing/redirect-targets). */
export function deliveryFailure(exchange: Exchange, scope: OperationScope, failure: unknown): HttpAnswer {
  const error = toAppError(failure);
  if (error.code !== 'route_not_found' && error.code !== 'route_gone')
    return { ...failureAnswer(exchange, failure), delivery: scope };
  return {
    ...deliveryAnswer(scope, { json: failureBody(error) }),
    status: error.status,
  };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

const sitemapHead = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
`;
const sitemapFoot = '</urlset>\n';

/** One `<url>` with its alternates (sitemaps.org). */
function urlElement({ loc, lastModified, alternates }: SitemapUrl): string {
  const links = alternates.map(
    ({ hreflang, href }) =>
      `<xhtml:link rel="alternate" hreflang="${escapeXml(hreflang)}" href="${escapeXml(href)}"/>`,
  );
  return `<url><loc>${escapeXml(loc)}</loc><lastmod>${lastModified}</lastmod>${links.join('')}</url>\n`;
}

async function* xml({ chunks }: OpenSitemap): AsyncGenerator<string> {
  yield sitemapHead;
  for await (const urls of chunks) yield urls.map(urlElement).join('');
  yield sitemapFoot;
}

async function* json({ chunks, meta }: OpenSitemap): AsyncGenerator<string> {
  yield '{"data":[';
  let separator = '';
  for await (const urls of chunks) {
    yield separator + urls.map((url) => JSON.stringify(url)).join(',');
    separator = ',';
  }
  yield `],"meta":${JSON.stringify(meta)}}`;
}

function nextLink(url: string, page: number): string {
  const [path = '', search = ''] = url.split('?');
  const parameters = new URLSearchParams(search);
  parameters.set('page', String(page));
  return `<${path}?${parameters.toString()}>; rel="next"`;
}

/** Streams a sitemap. */
export async function sitemapAnswer(
  { request }: Exchange,
  scope: OperationScope,
  input: InputOf<typeof deliveryReads.getSitemap>,
): Promise<HttpAnswer> {
  await enterFuture(scope, input);
  const sitemap = await mapDatabaseErrors(() => openSitemap(deliveryRead(scope), input));
  const { page, pages } = sitemap.meta;
  const isJson = input.format === 'json';
  const stream = Readable.from(isJson ? json(sitemap) : xml(sitemap));
  const mediaType = `application/${isJson ? 'json' : 'xml'}; charset=utf-8`;
  const link = page < pages ? ['Link', nextLink(request.url ?? '', page + 1)] : [];
  return deliveryAnswer(scope, { stream, mediaType }, link);
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { deliveryReads } from '../../../../contracts/delivery/delivery.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { openSitemap, type OpenSitemap } from '../../../features/delivery/index.js';
import { deliveryRead, mapDatabaseErrors, type OperationScope } from '../../../procedures/index.js';
import { setDeliveryHeaders } from '../delivery-headers.js';
import { sitemapFoot, sitemapHead, urlElement } from './sitemap-xml.js';
import { streamText } from './stream-text.js';

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

/** The address of the next page: this one's with another `page`. */
function nextLink(url: string, page: number): string {
  const [path = '', search = ''] = url.split('?');
  const parameters = new URLSearchParams(search);
  parameters.set('page', String(page));
  return `<${path}?${parameters.toString()}>; rel="next"`;
}

/** Sends a sitemap while it is read, so that it never stands in memory as a whole. */
export async function sendSitemap(
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  scope: OperationScope,
  input: InputOf<typeof deliveryReads.getSitemap>,
): Promise<void> {
  const sitemap = await mapDatabaseErrors(() => openSitemap(deliveryRead(scope), input));
  setDeliveryHeaders(response, scope);
  const { page, pages } = sitemap.meta;
  if (page < pages) response.setHeader('Link', nextLink(request.url ?? '', page + 1));
  const isJson = input.format === 'json';
  response.setHeader('Content-Type', `application/${isJson ? 'json' : 'xml'}; charset=utf-8`);
  await streamText({ request, response }, isJson ? json(sitemap) : xml(sitemap));
}

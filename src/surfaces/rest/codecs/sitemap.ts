import { Readable } from 'node:stream';
import type { deliveryReads } from '../../../../contracts/delivery/delivery.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import { openSitemap, type OpenSitemap } from '../../../features/delivery/index.js';
import { deliveryRead, mapDatabaseErrors, type OperationScope } from '../../../procedures/index.js';
import type { Answer } from '../../http/answer.js';
import type { Exchange } from '../../http/exchange.js';
import { deliveryAnswer } from './delivery-answer.js';
import { sitemapFoot, sitemapHead, urlElement } from './sitemap-xml.js';

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
): Promise<Answer> {
  const sitemap = await mapDatabaseErrors(() => openSitemap(deliveryRead(scope), input));
  const { page, pages } = sitemap.meta;
  const isJson = input.format === 'json';
  const stream = Readable.from(isJson ? json(sitemap) : xml(sitemap));
  const mediaType = `application/${isJson ? 'json' : 'xml'}; charset=utf-8`;
  const link = page < pages ? ['Link', nextLink(request.url ?? '', page + 1)] : [];
  return deliveryAnswer(scope, { stream, mediaType }, link);
}

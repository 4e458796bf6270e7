import { AppError } from '../../../contracts/errors.js';
import { isUuid } from '../../infrastructure/ids.js';
import { admitFileReader, mapDatabaseErrors, type Services } from '../../procedures/index.js';
import type { Catalog } from '../../content/catalog.js';
import type { FileOutcome } from '../../features/media/index.js';
import type { Answer } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { methodNotAllowed } from '../http/failure-answer.js';
import { fileAnswer } from './file-answer.js';

const ROUTE = '/media/{projectSlug}/{assetId}/{hash}/{fileName}';
const PATH = /^\/media\/([a-z0-9-]{1,200})\/([0-9a-f-]{36})\/([0-9a-f]{12})\/([^/]{1,1800})$/;

interface Address {
  readonly projectSlug: string;
  readonly assetId: string;
  readonly hash: string;
  readonly fileName: string;
  readonly search: string;
}

/** @throws AppError 404 `not_found` */
function addressIn(url: string): Address {
  const at = url.indexOf('?');
  const [, projectSlug = '', assetId = '', hash = '', name = ''] =
    PATH.exec(at < 0 ? url : url.slice(0, at)) ?? [];
  if (!isUuid(assetId)) throw new AppError('not_found');
  try {
    const fileName = decodeURIComponent(name);
    return { projectSlug, assetId, hash, fileName, search: at < 0 ? '' : url.slice(at + 1) };
  } catch {
    throw new AppError('not_found');
  }
}

const EMPTY_QUERY = new URLSearchParams();

/** The URL may change again. */
const redirectTo = (location: string): Answer => ({
  status: 302,
  headers: ['Location', location, 'Cache-Control', 'no-store'],
  body: null,
});

/** Serves files and renditions at `/media/…`, without a credential. */
export class MediaSurface {
  constructor(private readonly services: Services) {}

  /** @throws AppError 403, 404, 422, 503 */
  answer(exchange: Exchange): Answer | Promise<Answer> {
    const { method, url = '' } = exchange.request;
    const { record } = exchange;
    record.surface = 'media';
    record.operation = 'media.file';
    record.route = ROUTE;
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(exchange, ['GET']);
    const address = addressIn(url);
    const admission = admitFileReader(this.services, address.projectSlug, exchange.ip);
    if (!(admission instanceof Promise)) return this.#find(exchange, address, admission);
    return admission.then((catalog) => this.#find(exchange, address, catalog));
  }

  #find(exchange: Exchange, address: Address, { data }: Catalog): Answer | Promise<Answer> {
    exchange.setDataRegion(data.tenant.dataRegion);
    exchange.record.tenantId = data.tenant.id;
    exchange.record.project = data.project.slug;
    const { search, ...target } = address;
    const outcome = this.services.media.files.serve({
      ...target,
      query: search === '' ? EMPTY_QUERY : new URLSearchParams(search),
      accept: exchange.request.headers.accept,
      now: this.services.clock(),
    });
    if (!(outcome instanceof Promise)) return this.#serve(exchange, outcome, address);
    return mapDatabaseErrors(() => outcome).then((found) => this.#serve(exchange, found, address));
  }

  #serve(exchange: Exchange, outcome: FileOutcome, { projectSlug }: Address): Answer | Promise<Answer> {
    if ('redirect' in outcome) return redirectTo(outcome.redirect);
    const answer = fileAnswer({ exchange, file: outcome.file, projectSlug });
    return answer instanceof Promise ? mapDatabaseErrors(() => answer) : answer;
  }
}

import { AppError } from '../../../contracts/errors.js';
import { admitFileReader, mapDatabaseErrors, type Services } from '../../procedures/index.js';
import type { Catalog } from '../../content/catalog.js';
import type { FileOutcome } from '../../features/media/media/index.js';
import type { HttpAnswer } from '../http/answer.js';
import { isRead, type Exchange } from '../http/exchange.js';
import { methodNotAllowed } from '../http/failure-answer.js';
import { archiveAnswer, archiveIn, ARCHIVE_ROUTE, fileAnswer } from './file-answer.js';
import { addressIn, type FileAddress } from './file-hits.js';

const ROUTE = '/media/{projectSlug}/{assetId}/{hash}/{fileName}';

const EMPTY_QUERY = new URLSearchParams();

/** The URL may change again. */
const redirectTo = (location: string): HttpAnswer => ({
  status: 302,
  headers: ['Location', location, 'Cache-Control', 'no-store'],
  body: null,
});

/** Serves files, renditions and archives of translations at `/media/…`, without a credential. */
export class MediaSurface {
  constructor(private readonly services: Services) {}

  /** @throws AppError 403, 404, 422, 503 */
  answer(exchange: Exchange): HttpAnswer | Promise<HttpAnswer> {
    const { method, url = '' } = exchange.request;
    const { record } = exchange;
    record.surface = 'media';
    record.operation = 'media.file';
    record.route = ROUTE;
    if (!isRead(method)) return methodNotAllowed(exchange, ['GET']);
    const address = addressIn(url);
    if (address === undefined) return this.#download(exchange, url);
    const admission = admitFileReader(this.services, address.projectSlug, exchange.ip);
    if (!(admission instanceof Promise)) return this.#find(exchange, address, admission);
    return admission.then((catalog) => this.#find(exchange, address, catalog));
  }

  /** @throws AppError 404 `not_found` unless it is the URL of an archive */
  async #download(exchange: Exchange, url: string): Promise<HttpAnswer> {
    const address = archiveIn(url);
    if (address === undefined) throw new AppError('not_found');
    exchange.record.operation = 'media.archive';
    exchange.record.route = ARCHIVE_ROUTE;
    const catalog = await admitFileReader(this.services, address.projectSlug, exchange.ip);
    this.#note(exchange, catalog);
    return archiveAnswer(exchange, address, { services: this.services, catalog });
  }

  #note(exchange: Exchange, { data }: Catalog): void {
    exchange.setDataRegion(data.tenant.dataRegion);
    exchange.record.tenantId = data.tenant.id;
    exchange.record.project = data.project.slug;
  }

  #find(exchange: Exchange, address: FileAddress, catalog: Catalog): HttpAnswer | Promise<HttpAnswer> {
    this.#note(exchange, catalog);
    const { search, ...target } = address;
    const query = search === '' ? EMPTY_QUERY : new URLSearchParams(search);
    const outcome = this.services.media.files.serve({
      ...target,
      query,
      accept: exchange.request.headers.accept,
      now: this.services.clock(),
    });
    if (query.has('key'))
      return mapDatabaseErrors(async () => {
        const found = await outcome;
        await this.services.keyActivity.assertActive(query.get('key'), catalog.data, 'invalid_signature');
        return this.#serve(exchange, found, address);
      });
    if (!(outcome instanceof Promise)) return this.#serve(exchange, outcome, address);
    return mapDatabaseErrors(() => outcome).then((found) => this.#serve(exchange, found, address));
  }

  #serve(
    exchange: Exchange,
    outcome: FileOutcome,
    { projectSlug }: FileAddress,
  ): HttpAnswer | Promise<HttpAnswer> {
    if ('redirect' in outcome) return redirectTo(outcome.redirect);
    const answer = fileAnswer({ exchange, file: outcome.file, projectSlug });
    return answer instanceof Promise ? mapDatabaseErrors(() => answer) : answer;
  }
}

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AppError, invalidInput } from '../../../contracts/errors.js';
import { audiences, type Audience } from '../../../contracts/metadata.js';
import { lazy, type Lazy } from '../../infrastructure/lazy.js';
import { builtFile, WorkerCallFailure, WorkerCalls } from '../../infrastructure/worker-calls.js';
import { createDocs, wantsPage, type Docs, type OfferedKeys } from '../../surfaces/docs/handler.js';
import { JSON_MEDIA_TYPE, type HttpAnswer, type HeaderList } from '../../surfaces/http/answer.js';
import { isRead, type Exchange } from '../../surfaces/http/exchange.js';
import { methodNotAllowed } from '../../surfaces/http/failure-answer.js';

const ASSETS = '/docs/assets/';
const GUIDES = '/docs/guides/';
const PREVIEW_SCRIPT = '/preview.js';
const FOR_AN_HOUR = ['Cache-Control', 'public, max-age=3600'];
const SCRIPT_MEDIA_TYPE = 'text/javascript; charset=utf-8';

/** Documentation pages and their files. */
export interface Pages {
  /** Responds outside `/api/`. @throws AppError 404 `not_found` */
  route(exchange: Exchange, path: string): Promise<HttpAnswer | undefined>;
  /** The GraphQL explorer. */
  explorer(exchange: Exchange): Promise<undefined>;
  /** URL of the files of pages, with a slash at its end. */
  assets(this: void): Promise<string>;
  offer(this: void, keys: OfferedKeys): void;
}

/** The route of a page in log and metrics. */
function pageAt(path: string): string | undefined {
  const files = [ASSETS, GUIDES].find((prefix) => `${path}/`.startsWith(prefix));
  if (files !== undefined) return files;
  return ['/', '/openapi.json', PREVIEW_SCRIPT, '/docs', '/docs/'].includes(path) ? path : undefined;
}

/** Few processes ever serve a page, and none needs Express to start. @param onWritten called with each response */
async function pageApp(docs: Docs, onWritten: WeakMap<object, () => void>): Promise<RequestHandler> {
  const { default: express } = await import('express');
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing');
  for (const [address, send] of Object.entries({ '/': docs.start, '/docs': docs.reference }))
    app.get(address, async (request: Request, response: Response) => {
      await send(request, response);
      onWritten.get(response)?.();
    });
  app.use(ASSETS, async (request: Request, response: Response) => {
    await docs.asset(request, response, request.baseUrl + request.path);
    onWritten.get(response)?.();
  });
  app.use(GUIDES, async (request: Request, response: Response) => {
    // Addresses in the pages are relative to the folder.
    if (request.originalUrl === GUIDES.slice(0, -1)) response.redirect(308, GUIDES);
    else await docs.guide(request, response, request.path.slice(1));
    onWritten.get(response)?.();
  });
  return app;
}

const fileAnswer = (body: { bytes: Buffer; mediaType: string }, headers: HeaderList = []): HttpAnswer => ({
  status: 200,
  headers: ['Vary', 'Accept-Encoding', ...headers],
  body,
  isCompressible: true,
});

/** @throws AppError 422 for an unknown audience */
function audienceIn({ request: { url = '' } }: Exchange): Audience | undefined {
  const given = new URLSearchParams(url.split('?')[1]).get('audience');
  if (given === null) return undefined;
  const audience = audiences.find((one) => one === given);
  if (audience !== undefined) return audience;
  const message = `Must be one of ${audiences.join(', ')}.`;
  throw invalidInput({ path: ['audience'], code: 'invalid_value', message });
}

const DESCRIBING_MS = 60_000;

/** The OpenAPI document of one audience or of all, made in a thread: it takes a processor for seconds. */
async function openApiDocument(audience: Audience | undefined): Promise<Buffer> {
  const file = builtFile('openapi-thread');
  const calls = new WorkerCalls<Audience | null, string>({
    file,
    milliseconds: DESCRIBING_MS,
    maximumWaiting: 1,
  });
  try {
    return Buffer.from(await calls.call(audience ?? null));
  } catch (error) {
    throw error instanceof WorkerCallFailure ? new AppError('service_unavailable') : error;
  } finally {
    await calls.close();
  }
}

/** Makes each document once. */
function openApiDocuments(): (audience: Audience | undefined) => Promise<Buffer> {
  const documents = new Map<Audience | undefined, Lazy<Buffer>>();
  return (audience) => {
    const document = documents.get(audience) ?? lazy(() => openApiDocument(audience));
    documents.set(audience, document);
    return document.get();
  };
}

export function pagesOf(): Pages {
  const openApi = openApiDocuments();
  const docs = createDocs(ASSETS);
  const script = lazy(async () => ({ bytes: await docs.previewScript(), mediaType: SCRIPT_MEDIA_TYPE }));
  const onWritten = new WeakMap<object, () => void>();
  const app = lazy(() => pageApp(docs, onWritten));
  /** Resolves when the response is written, read or not; Express calls back only if it has none. */
  const inExpress = async ({ request, response }: Exchange): Promise<undefined> => {
    const handle = await app.get();
    if (response.closed) return undefined;
    return new Promise((resolve, reject) => {
      const done = (): void => {
        resolve(undefined);
      };
      onWritten.set(response, done);
      response.once('close', done);
      const refuse: NextFunction = (failure?: unknown) => {
        reject(failure instanceof Error ? failure : new AppError('not_found'));
      };
      void handle(request as Request, response as Response, refuse);
    });
  };
  return {
    route: async (exchange, path) => {
      const page = pageAt(path);
      if (page === undefined || (page === '/' && !wantsPage(exchange.request)))
        throw new AppError('not_found');
      Object.assign(exchange.record, { surface: 'service', operation: page, route: page });
      const { method } = exchange.request;
      if (!isRead(method)) return methodNotAllowed(exchange, ['GET']);
      if (page === '/openapi.json')
        return fileAnswer({ bytes: await openApi(audienceIn(exchange)), mediaType: JSON_MEDIA_TYPE });
      if (page === PREVIEW_SCRIPT) return { ...fileAnswer(await script.get(), FOR_AN_HOUR), isPublic: true };
      exchange.prepareResponse();
      return inExpress(exchange);
    },
    explorer: async (exchange) => {
      exchange.prepareResponse();
      await docs.explorer(exchange.request, exchange.response);
      return undefined;
    },
    assets: () => docs.assets(),
    offer: (keys) => {
      docs.offer(keys);
    },
  };
}

import { isRead } from '../http/exchange.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../../contracts/errors.js';
import { escapeHtml } from '../../content/rich-text/to-html.js';
import { lazy } from '../../infrastructure/lazy.js';
import type { Asset } from './assets.js';

interface PageParts {
  /** URL of the files, with a trailing slash. */
  readonly assets: string;
  /** Initial value of the key field. */
  readonly key: string | undefined;
}

function page(title: string, { assets, key = '' }: PageParts, parts: { head: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" type="image/svg+xml" href="${assets}favicon.svg" />
    <link rel="stylesheet" href="${assets}page.css" />
    ${parts.head}
  </head>
  <body data-assets="${escapeHtml(assets)}" data-key="${escapeHtml(key)}">
    ${parts.body}
  </body>
</html>
`;
}

/** Shows `/openapi.json` and calls its operations. */
function referencePage(parts: PageParts): string {
  const { assets, key = '' } = parts;
  return page('Headwater API', parts, {
    head: '',
    body: `<main class="sheet">
      <h1>Headwater API</h1>
      <div class="bar">
        <input name="filter" type="search" placeholder="Filter operations" aria-label="Filter operations" />
        <input name="key" type="password" autocomplete="off" placeholder="API key or session token"
          aria-label="API key" value="${escapeHtml(key)}" />
      </div>
      <div id="reference"></div>
      <p><a href="/docs/guides/">Documentation</a> · <a href="/openapi.json">openapi.json</a></p>
    </main>
    <script type="module" src="${assets}reference.js"></script>`,
  });
}

/** Prompts for a key and opens the explorer on the project in the URL. */
function explorerPage(parts: PageParts): string {
  const { assets, key = '' } = parts;
  return page('Headwater GraphQL', parts, {
    head: '',
    body: `<form class="entrance">
      <h1>GraphQL</h1>
      <p>Enter a preview or management key of this project to explore the schema. The key stays on this page and is
        sent only to this service.</p>
      <input name="key" type="password" required autocomplete="off" placeholder="hwp_… or hwm_…"
        aria-label="API key" value="${escapeHtml(key)}" />
      <button>Open</button>
      <output></output>
    </form>
    <div id="explorer" class="workbench"></div>
    <script type="module" src="${assets}explorer.js"></script>`,
  });
}

/** What the service shows to people. */
function startPage(parts: PageParts, project: string | undefined): string {
  const explorer =
    project === undefined
      ? '<code>/api/graphql/{project}</code>: the GraphQL explorer of a project'
      : `<a href="/api/graphql/${escapeHtml(project)}">GraphQL explorer</a> of the project ${escapeHtml(project)}`;
  const demo =
    project === undefined
      ? ''
      : '<li><a href="/demo">Demo site</a>: what the demo has published, as its readers see it</li>';
  return page('Headwater', parts, {
    head: '',
    body: `<main class="sheet">
      <h1>Headwater</h1>
      <ul>
        <li><a href="/admin">Admin app</a>: write, translate and publish content</li>
        ${demo}
        <li><a href="/docs/guides/">Documentation</a>: guides, rules and a reference, with search</li>
        <li><a href="/docs">API reference</a>: every REST operation</li>
        <li>${explorer}</li>
        <li><a href="/openapi.json">openapi.json</a></li>
        <li><a href="/healthz">Health</a> and <a href="/readyz">readiness</a></li>
      </ul>
    </main>`,
  });
}

/** Keys of a demo, filled in for requests from the same machine. */
export interface OfferedKeys {
  /** Slug of their project. */
  readonly project: string;
  readonly reference: string;
  readonly explorer: string;
}

/** The API reference and the GraphQL explorer. */
export interface Docs {
  /** `GET /docs` */
  reference(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** `GET /` from a browser. */
  start(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** `GET /api/graphql/{slug}` from a browser; equal for every slug but the demo's, so it reveals no project. */
  explorer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Files of both pages. @throws AppError 404 `not_found` */
  asset(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
  /** A page or file of the documentation. @throws AppError 404 `not_found` */
  guide(request: IncomingMessage, response: ServerResponse, name: string): Promise<void>;
  /** URL of the files, with a slash at its end. */
  assets(): Promise<string>;
  /** `GET /preview.js`, for sites that show drafts. */
  previewScript(): Promise<Buffer>;
  offer(keys: OfferedKeys): void;
}

const YEAR_SECONDS = 31_536_000;
/** Their addresses stay with a new release. */
const GUIDE_SECONDS = 300;

/** Only the service's own files run. The editors set inline styles that cannot be listed. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const loopback = /^(?:127(?:\.\d+){3}|\[?::1\]?|localhost)$/;
/** Set by proxies and content delivery networks. */
const forwarding =
  /^(?:forwarded|via|cdn-loop|x-(?:forwarded|original|envoy|real)-.*|x-forwarded|x-(?:cluster-)?client-ip|(?:true|fastly)-client-ip|cf-.*)$/;

/**
 * Whether the request comes directly from this machine: loopback peer, local host name, no header of a proxy, and
 * HTTP/1.1, because a proxy that adds no header commonly speaks HTTP/1.0.
 */
function isLocal({ headers, httpVersion, socket }: IncomingMessage): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const isForwarded = httpVersion === '1.0' || Object.keys(headers).some((name) => forwarding.test(name));
  return loopback.test(address) && loopback.test(host) && !isForwarded;
}

/** Whether a browser requests a page, rather than a program data. */
export function wantsPage({ method, headers }: IncomingMessage): boolean {
  return isRead(method) && /\btext\/html\b/i.test(headers.accept ?? '');
}

function sendPage(response: ServerResponse, html: string): void {
  const bytes = Buffer.from(html, 'utf8');
  // A page may contain a key, so no other site may read it.
  response.removeHeader('Access-Control-Allow-Origin');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.setHeader('Cache-Control', 'no-store');
  response.appendHeader('Vary', 'Accept');
  response.end(bytes);
}

const encodingsOf = ({ headers }: IncomingMessage): string => String(headers['accept-encoding'] ?? '');

/** @throws AppError 404 `not_found` */
function sendAsset(response: ServerResponse, asset: Asset | undefined, caching: string): void {
  if (asset === undefined) throw new AppError('not_found');
  response.setHeaders(new Map(Object.entries(asset.headers)));
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Content-Length', asset.content.length);
  response.setHeader('Cache-Control', caching);
  response.appendHeader('Vary', 'Accept-Encoding');
  response.end(asset.content);
}

/** Serves the pages' files below `prefix`, which ends with a slash. */
export function createDocs(prefix: string): Docs {
  const assets = lazy(async () => new (await import('./assets.js')).Assets(prefix));
  const guides = lazy(async () => (await import('./assets.js')).openGuides());
  let offered: OfferedKeys | undefined;
  const partsFor = async (request: IncomingMessage, page: 'reference' | 'explorer'): Promise<PageParts> => ({
    assets: (await assets.get()).base,
    key: isLocal(request) ? offered?.[page] : undefined,
  });
  return {
    reference: async (request, response) => {
      sendPage(response, referencePage(await partsFor(request, 'reference')));
    },
    start: async (request, response) => {
      const parts = { assets: (await assets.get()).base, key: undefined };
      sendPage(response, startPage(parts, isLocal(request) ? offered?.project || undefined : undefined));
    },
    explorer: async (request, response) => {
      const parts = await partsFor(request, 'explorer');
      const slug = (request.url ?? '').split('?')[0]?.split('/').at(-1);
      sendPage(response, explorerPage(slug === offered?.project ? parts : { ...parts, key: undefined }));
    },
    asset: async (request, response, path) => {
      const asset = await (await assets.get()).find(path, encodingsOf(request));
      sendAsset(response, asset, `public, max-age=${String(YEAR_SECONDS)}, immutable`);
    },
    guide: async (request, response, name) => {
      const asset = await (await guides.get()).find(name === '' ? 'index.html' : name, encodingsOf(request));
      sendAsset(response, asset, `public, max-age=${String(GUIDE_SECONDS)}`);
    },
    assets: async () => (await assets.get()).base,
    previewScript: async () => (await import('./assets.js')).readPreviewScript(),
    offer: (keys) => {
      offered = keys;
    },
  };
}

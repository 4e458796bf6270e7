import { AppError } from '../../../contracts/errors.js';
import type { DeliveryEntry } from '../../../contracts/publishing/delivery/content-entry.js';
import type { RouteResult, SiteTreeNode } from '../../../contracts/publishing/delivery/route.js';
import type { ContentSource } from '../../../contracts/publishing/delivery/source-map.js';
import { isPreviewSession } from '../../access/signed-token.js';
import type { Catalog, SiteDefinition } from '../../content/catalog.js';
import { escapeHtml as escaped } from '../../content/rich-text/to-html.js';
import { normalizeRoutePath, splitPublicPath } from '../../content/route-path.js';
import {
  admit,
  previewInto,
  type BoundOperation,
  type OperationScope,
  type Services,
} from '../../procedures/index.js';
import type { HttpAnswer, HeaderList } from '../http/answer.js';
import { isRead, callOf, previewSessionIn, type Exchange } from '../http/exchange.js';
import { methodNotAllowed } from '../http/failure-answer.js';
import { pageHeaders } from '../http/shared-headers.js';
import { EntryHtml, titleOf } from './entry-html.js';
import { DEMO_ROUTE, hrefOf, PREVIEW_ROUTE, siteRequestOf, type SiteRequest } from './site-request.js';
import {
  frameHtml,
  languageName,
  linkHtml,
  newNonce,
  policyOf,
  pageHtml,
  wordIn,
  type PageLink,
  type PageParts,
} from './page-html.js';

const FRAME_ROUTE = '/preview-frame';
const HTML = 'text/html; charset=utf-8';

const operationNames = ['getEntry', 'resolveRoute', 'getTree'] as const;
type Reads = Readonly<Record<(typeof operationNames)[number], BoundOperation>>;

/** What pages of a request are read with. */
interface Visit extends SiteRequest {
  readonly scope: OperationScope;
  readonly catalog: Catalog;
  readonly site: SiteDefinition;
  readonly isDraft: boolean;
  /** Token of a preview link, which shows one entry; undefined for a session. */
  readonly linkToken: string | undefined;
  readonly locale: string;
}

/** What a page shows. */
type Found =
  | {
      readonly entry: DeliveryEntry;
      readonly at: string;
      readonly sources: Readonly<Record<string, ContentSource>>;
    }
  | { readonly redirect: string };

interface SiteParts {
  readonly services: Services;
  readonly operations: readonly BoundOperation[];
  /** URL of the files of pages. */
  readonly assets: () => Promise<string>;
}

/** Failures that a page says in words. */
const shownStatuses: ReadonlySet<number> = new Set([403, 404, 410]);

const textOf = (value: string | null): string | undefined =>
  value === null || value === '' ? undefined : value;

/** Sites that the service renders itself: previews of sites without a preview address, and that of the demo. */
export class SiteSurface {
  readonly #reads: Reads;
  #demoProject: string | undefined;

  constructor(private readonly parts: SiteParts) {
    const named = operationNames.map((verb) => {
      const operation = parts.operations.find(({ name }) => name === `delivery.${verb}`);
      if (operation === undefined) throw new Error(`delivery.${verb} is not bound`);
      return [verb, operation] as const;
    });
    this.#reads = Object.fromEntries(named) as unknown as Reads;
  }

  /** From now on `/demo` shows the main site of this project. */
  offerDemo(project: string): void {
    this.#demoProject = project === '' ? undefined : project;
  }

  /** Null for paths of other surfaces. */
  answer(exchange: Exchange, path: string): Promise<HttpAnswer> | HttpAnswer | null {
    const search = exchange.request.url?.split('?')[1] ?? '';
    const request = siteRequestOf(path, search, this.#demoProject);
    if (request === null && path !== FRAME_ROUTE) return null;
    const call = callOf(exchange, 'rest');
    const route = request?.route ?? FRAME_ROUTE;
    Object.assign(exchange.record, { operation: route, route });
    const { method } = exchange.request;
    if (!isRead(method)) return methodNotAllowed(exchange, ['GET']);
    const previewSession = previewSessionIn(exchange.request, search);
    if (request === null) return this.#frame(exchange, previewSession ?? '');
    // A browser sends no key; what a proxy adds is for the proxy.
    return this.#page(exchange, request, { ...call, authorization: undefined, previewSession });
  }

  /**
   * A page with a page of the site in a frame: the admin app permits frames of the service only.
   * @throws AppError 403 `invalid_preview_token`, also without a preview address
   */
  async #frame(exchange: Exchange, token: string): Promise<HttpAnswer> {
    const { services, assets } = this.parts;
    const { siteOrigin } = await services.previewSessions.verify(token, services.clock());
    if (siteOrigin === undefined) throw new AppError('invalid_preview_token');
    const nonce = newNonce();
    return {
      status: 200,
      shared: pageHeaders(exchange.sharedHeaders, policyOf(nonce, [`frame-src ${siteOrigin}`])),
      headers: cacheHeaders(true),
      body: { text: frameHtml(nonce, await assets()), mediaType: HTML },
    };
  }

  async #page(exchange: Exchange, request: SiteRequest, call: OperationScope['call']): Promise<HttpAnswer> {
    let visit: Visit | undefined;
    try {
      visit = await this.#visit(request, call);
      const found = await this.#find(visit);
      if ('redirect' in found) return redirectTo(visit, found.redirect);
      return await this.#entryPage(exchange, visit, found);
    } catch (failure) {
      if (!(failure instanceof AppError) || !shownStatuses.has(failure.status)) throw failure;
      return this.#refusal(exchange, visit ?? request, failure);
    }
  }

  /** @throws AppError 403 `invalid_preview_token` for a preview without a token */
  async #visit(request: SiteRequest, call: OperationScope['call']): Promise<Visit> {
    const { projectSlug, siteSlug, path, query } = request;
    const admission = { operation: this.#reads.getEntry.meta, projectSlug };
    const admitted = await admit(this.parts.services, call, admission);
    const named = textOf(query.get('previewToken'));
    const linkToken = named === undefined || isPreviewSession(named) ? undefined : named;
    const isDraft = linkToken !== undefined || admitted.principal.kind === 'preview';
    if (!isDraft && request.route === PREVIEW_ROUTE) throw new AppError('invalid_preview_token');
    const { scope, catalog } =
      linkToken === undefined
        ? { scope: admitted, catalog: admitted.catalog }
        : await previewInto(admitted, linkToken);
    const site = catalog?.siteBySlug(siteSlug);
    if (catalog === null || site === undefined) throw new AppError('site_not_found');
    const asked = scope.mode.preview?.locale ?? textOf(query.get('locale'));
    const { locale } = splitPublicPath(site, normalizeRoutePath(path) ?? '/', asked);
    return { ...request, scope, catalog, site, isDraft, linkToken, locale };
  }

  async #find(visit: Visit): Promise<Found> {
    const { scope, path, query, isDraft, linkToken: previewToken, locale } = visit;
    const shape = { include: 2, blocks: 'all', paths: true, links: 'path' };
    const sources = isDraft ? { contentSourceMaps: 'json' } : {};
    const { projectSlug, siteSlug } = visit;
    const input = { projectSlug, siteSlug, ...shape, ...sources, previewToken };
    const id = textOf(query.get('entry'));
    type Mapped<D> = {
      readonly data: D;
      readonly meta?: { contentSourceMaps?: Record<string, ContentSource> };
    };
    if (id !== undefined) {
      const read = await this.#reads.getEntry.run(scope, { ...input, id, locale });
      const { data, meta } = read as Mapped<DeliveryEntry>;
      return { entry: data, at: '', sources: meta?.contentSourceMaps ?? {} };
    }
    const named = textOf(query.get('locale'));
    const read = await this.#reads.resolveRoute.run(scope, { ...input, path, locale: named });
    const { data, meta } = read as Mapped<RouteResult>;
    if (data.kind === 'redirect') return { redirect: data.target };
    return { entry: data.entry, at: '/entry', sources: meta?.contentSourceMaps ?? {} };
  }

  async #entryPage(
    exchange: Exchange,
    visit: Visit,
    { entry, at, sources }: Exclude<Found, { readonly redirect: string }>,
  ): Promise<HttpAnswer> {
    const { catalog } = visit;
    const html = new EntryHtml({ catalog, sources, hrefOf: (path) => hrefOf(visit, path) });
    const body = `<article lang="${escaped(entry._locale)}">\n${html.entry(entry, at)}\n</article>`;
    const languages = await this.#languages(visit, entry);
    const title = titleOf(catalog, entry);
    return this.#answer(exchange, visit, { title, body, languages, origins: html.origins, status: 200 });
  }

  async #refusal(exchange: Exchange, request: SiteRequest | Visit, failure: AppError): Promise<HttpAnswer> {
    const isRefused = failure.status === 403;
    const locale = 'locale' in request ? request.locale : (textOf(request.query.get('locale')) ?? 'en');
    const title = wordIn(locale, isRefused ? 'refused' : 'notFound');
    const hint = wordIn(locale, isRefused ? 'refusedHint' : 'notFoundHint');
    const body = `<h1>${escaped(title)}</h1>\n<p>${escaped(hint)}</p>`;
    return this.#answer(exchange, request, {
      title,
      body,
      languages: [],
      origins: [],
      status: failure.status,
    });
  }

  async #answer(
    exchange: Exchange,
    request: SiteRequest | Visit,
    page: Pick<PageParts, 'title' | 'body' | 'languages'> & { origins: Iterable<string>; status: number },
  ): Promise<HttpAnswer> {
    const visit = 'scope' in request ? request : undefined;
    const nonce = newNonce();
    const images = ["img-src 'self'", ...page.origins].join(' ');
    const locale = visit?.locale ?? 'en';
    const text = pageHtml({
      ...page,
      locale,
      nonce,
      site: { href: hrefOf(request, '/') ?? '#', text: visit?.site.name ?? 'Headwater' },
      assets: await this.parts.assets(),
      nodes: visit === undefined ? [] : await this.#nodes(visit),
      hrefOf: (path) => hrefOf(request, path),
      foot: visit === undefined ? '' : footOf(visit),
      script: visit?.isDraft === true ? scriptOf(visit) : undefined,
    });
    return {
      status: page.status,
      shared: pageHeaders(exchange.sharedHeaders, policyOf(nonce, [images])),
      headers: cacheHeaders(visit?.isDraft !== false),
      body: { text, mediaType: HTML },
    };
  }

  /** The menu; none where the tree is too large for one, or the token is for one entry. */
  async #nodes({ scope, projectSlug, siteSlug, locale, linkToken }: Visit): Promise<readonly SiteTreeNode[]> {
    if (linkToken !== undefined) return [];
    const input = { projectSlug, siteSlug, locale, depth: 2, menu: true };
    try {
      return ((await this.#reads.getTree.run(scope, input)) as { data: SiteTreeNode[] }).data;
    } catch (failure) {
      if (failure instanceof AppError && failure.status < 500) return [];
      throw failure;
    }
  }

  /** The entry in each locale of the site that has it. */
  async #languages(visit: Visit, { _id: id }: DeliveryEntry): Promise<PageLink[]> {
    const { scope, projectSlug, siteSlug, site, locale: current, linkToken } = visit;
    const { principal } = scope;
    const locales = (principal.kind === 'preview' ? principal.locales : null) ?? site.locales;
    if (linkToken !== undefined || locales.length < 2) return [];
    const links = locales.map(async (locale): Promise<PageLink | undefined> => {
      try {
        const input = { projectSlug, siteSlug, id, locale, paths: true };
        const { data } = (await this.#reads.getEntry.run(scope, input)) as { data: DeliveryEntry };
        const own = visit.query.has('entry') ? null : data._path;
        const href = hrefOf({ ...visit, locale, id: typeof own === 'string' ? undefined : id }, own ?? '/');
        return { href: href ?? '', text: languageName(locale), lang: locale, isCurrent: locale === current };
      } catch (failure) {
        if (failure instanceof AppError && failure.status < 500) return undefined;
        throw failure;
      }
    });
    const found = (await Promise.all(links)).filter((link) => link !== undefined);
    return found.length > 1 ? found : [];
  }
}

const cacheHeaders = (isPrivate: boolean): HeaderList => [
  ...['Cache-Control', isPrivate ? 'private, no-store' : 'no-cache'],
  ...['X-Robots-Tag', 'noindex', 'Vary', 'X-Preview-Token, Cookie'],
];

function redirectTo(visit: Visit, target: string): HttpAnswer {
  const location = target.startsWith('/') ? (hrefOf(visit, target) ?? visit.base) : target;
  return { status: 302, headers: ['Location', location, ...cacheHeaders(visit.isDraft)], body: null };
}

function footOf({ route, locale, projectSlug, catalog, isDraft }: Visit): string {
  if (route === DEMO_ROUTE) return `<p>${escaped(wordIn(locale, 'demo'))}</p>`;
  if (!isDraft) return '';
  const href = `/admin/${projectSlug}/${catalog.data.environment.slug}/sites`;
  const link = linkHtml({ href, text: wordIn(locale, 'settings') });
  return `<p>${escaped(wordIn(locale, 'hint'))} ${link.replace('<a ', '<a target="_blank" rel="noopener" ')}</p>`;
}

/** The script takes the token from the URL. A preview link has no stream of changes: the admin app reads its page again. */
const scriptOf = ({ projectSlug, siteSlug, catalog, linkToken }: Visit) => ({
  project: projectSlug,
  site: linkToken === undefined ? siteSlug : undefined,
  environment: catalog.data.environment.slug,
});

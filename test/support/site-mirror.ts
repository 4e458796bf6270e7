import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import type { SyncItem } from '../../contracts/publishing/delivery/sync.js';
import type { TestApp } from './app.js';
import { send } from './call.js';
import type { TestProject } from './factories/project.js';

export type Documents = ReadonlyMap<string, unknown>;

export interface SyncPage {
  readonly data: readonly SyncItem[];
  readonly meta: { readonly nextCursor: string; readonly hasMore: boolean };
}

export type Served = Pick<TestProject, 'delivery' | 'slug' | 'tenantId'>;

interface MirrorOptions {
  readonly limit?: number;
  readonly key?: string;
}

export const keyOf = (item: SyncItem): string =>
  [item.kind, item.id, ...('locale' in item && item.locale !== undefined ? [item.locale] : [])].join(' ');

/** The content of a site as a client has it that only syncs. */
export class SiteMirror {
  readonly documents = new Map<string, unknown>();
  cursor: string | undefined;

  constructor(
    private readonly app: TestApp,
    private readonly project: Served,
    private readonly options: MirrorOptions = {},
  ) {}

  /** Reads and applies one page. */
  async page(): Promise<SyncPage> {
    const { limit, key } = this.options;
    const query = new URLSearchParams({
      ...(this.cursor !== undefined && { cursor: this.cursor }),
      ...(limit !== undefined && { limit: String(limit) }),
    });
    const path = `${this.project.delivery}/sync?${query.toString()}`;
    const answer = await send(this.app, { method: 'GET', path, key });
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    const page = answer.body as SyncPage;
    for (const item of page.data) this.#apply(item);
    this.cursor = page.meta.nextCursor;
    return page;
  }

  /** Reads until nothing is left; returns what came. */
  async follow(): Promise<SyncItem[]> {
    const items: SyncItem[] = [];
    for (let hasMore = true; hasMore;) {
      const { data, meta } = await this.page();
      items.push(...data);
      ({ hasMore } = meta);
    }
    return items;
  }

  #apply(item: SyncItem): void {
    const key = keyOf(item);
    if (item.op === 'upsert') {
      expect(item.document).toBeDefined();
      this.documents.set(key, item.document);
      return;
    }
    expect(item.document).toBeUndefined();
    this.documents.delete(key);
    if (item.kind !== 'asset' || item.locale !== undefined) return;
    for (const known of this.documents.keys()) if (known.startsWith(`${key} `)) this.documents.delete(known);
  }
}

interface StoredSite {
  readonly environmentId: string;
  readonly locales: string[];
  readonly defaultLocale: string;
}

interface StoredRedirect {
  readonly id: string;
  readonly source: string;
  readonly locale: string | null;
}

interface Delivered {
  readonly _id: string;
  readonly _locale: string;
  readonly _path?: string | null;
}

interface StoredType {
  readonly apiName: string;
  readonly isLocalized: boolean;
  readonly isPage: boolean;
}

/** Reads the other operations of delivery. */
class DeliveredSite {
  readonly found = new Map<string, unknown>();

  constructor(
    private readonly app: TestApp,
    private readonly project: Served,
    private readonly site: StoredSite,
  ) {}

  async addEntries({ apiName, isLocalized }: StoredType, locale: string): Promise<void> {
    for (const entry of await this.#list(apiName, `locale=${locale}&blocks=all`)) {
      const { _id: id } = entry;
      if (isLocalized && entry._locale === locale) this.found.set(`entry ${id} ${locale}`, entry);
      if (!isLocalized && locale === this.site.defaultLocale) this.found.set(`entry ${id}`, entry);
    }
  }

  /** Of pages that the locale shows by fallback, too. */
  async addRoutes({ apiName }: StoredType, locale: string): Promise<void> {
    for (const { _id: id, _path: path = null } of await this.#list(apiName, `locale=${locale}&paths=true`))
      if (path !== null) this.found.set(`route ${id} ${locale}`, { path, entryId: id });
  }

  async addAsset(id: string, locale: string): Promise<void> {
    const { status, body } = await this.#read(`/media/${id}?locale=${locale}`);
    if (status === 200) this.found.set(`asset ${id} ${locale}`, (body as { data: unknown }).data);
  }

  async addRedirects(stored: readonly StoredRedirect[]): Promise<void> {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { body } = await this.#read(`/redirects?limit=100&page=${String(page)}`);
      const { data, meta } = body as { data: StoredRedirect[]; meta: { pages: number } };
      for (const redirect of data) {
        const isStored = ({ source, locale }: StoredRedirect) =>
          source === redirect.source && locale === redirect.locale;
        this.found.set(`redirect ${stored.find(isStored)?.id ?? redirect.source}`, redirect);
      }
      ({ pages } = meta);
    }
  }

  async #list(apiName: string, query: string): Promise<Delivered[]> {
    const items: Delivered[] = [];
    for (let cursor: string | null = '*'; cursor !== null;) {
      const page = `limit=100&orderBy=createdAt:asc&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await this.#read(`/content/${apiName}?${query}&${page}`);
      const { data, meta } = body as { data: Delivered[]; meta: { nextCursor: string | null } };
      items.push(...data);
      cursor = meta.nextCursor;
    }
    return items;
  }

  #read(path: string): Promise<Response> {
    return send(this.app, { method: 'GET', path: `${this.project.delivery}${path}` });
  }
}

/** Everything that a site delivers, read from the other operations of delivery. */
export async function deliveredDocuments(app: TestApp, project: Served): Promise<Documents> {
  const siteSlug = project.delivery.split('/').at(-1) ?? '';
  const [site] = await app.rows<StoredSite>(
    project.tenantId,
    `SELECT h.environment_id AS "environmentId", s.locales, s.default_locale AS "defaultLocale" FROM environment_heads h
       JOIN sites s ON s.tenant_id = h.tenant_id AND s.project_id = h.project_id AND s.slug = $2
       WHERE h.project_slug = $1 AND h.is_default`,
    [project.slug, siteSlug],
  );
  if (site === undefined) throw new Error(`no site ${siteSlug}`);
  const rows = <Row extends object>(sql: string) =>
    app.rows<Row>(project.tenantId, `${sql} WHERE environment_id = $1`, [site.environmentId]);
  const types = await rows<StoredType>(
    'SELECT api_name AS "apiName", is_localized AS "isLocalized", is_page AS "isPage" FROM content_types',
  );
  const assets = await rows<{ id: string }>('SELECT id FROM media_assets');
  const delivered = new DeliveredSite(app, project, site);
  for (const locale of site.locales) {
    for (const type of types) {
      await delivered.addEntries(type, locale);
      if (type.isPage) await delivered.addRoutes(type, locale);
    }
    for (const { id } of assets) await delivered.addAsset(id, locale);
  }
  await delivered.addRedirects(await rows<StoredRedirect>('SELECT id, source, locale FROM redirects'));
  return delivered.found;
}

const sorted = (documents: Documents): [string, unknown][] =>
  [...documents].sort(([one], [other]) => (one < other ? -1 : 1));

/** The mirror has exactly what the site delivers. */
export async function expectMirrored(app: TestApp, project: Served, mirror: SiteMirror): Promise<void> {
  await mirror.follow();
  expect(sorted(mirror.documents)).toEqual(sorted(await deliveredDocuments(app, project)));
}

import { expect } from '@jest/globals';
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
  readonly siteId: string;
  readonly locales: string[];
}

interface Delivered {
  readonly _locale: string;
  readonly _path?: string | null;
}

/** Everything that a site delivers, read one by one from the other operations of delivery. */
export async function deliveredDocuments(app: TestApp, project: Served, key?: string): Promise<Documents> {
  const found = new Map<string, unknown>();
  const siteSlug = project.delivery.split('/').at(-1) ?? '';
  const [site] = await app.rows<StoredSite>(
    project.tenantId,
    `SELECT h.environment_id AS "environmentId", s.id AS "siteId", s.locales FROM environment_heads h
       JOIN sites s ON s.tenant_id = h.tenant_id AND s.project_id = h.project_id AND s.slug = $2
       WHERE h.project_slug = $1 AND h.is_default`,
    [project.slug, siteSlug],
  );
  if (site === undefined) throw new Error(`no site ${siteSlug}`);
  const rows = <Row extends object>(sql: string) =>
    app.rows<Row>(project.tenantId, sql, [site.environmentId]);
  const read = async <Data>(path: string): Promise<Data | undefined> => {
    const { body } = await send(app, { method: 'GET', path: `${project.delivery}${path}`, key });
    return (body as { data?: Data }).data;
  };
  const entries = await rows<{ id: string; isLocalized: boolean }>(
    `SELECT e.id, t.is_localized AS "isLocalized" FROM entries e JOIN content_types t
       ON t.environment_id = e.environment_id AND t.id = e.content_type_id WHERE e.environment_id = $1`,
  );
  const assets = await rows<{ id: string }>('SELECT id FROM media_assets WHERE environment_id = $1');
  const redirects = await rows<{ id: string; source: string; locale: string | null }>(
    'SELECT id, source, locale FROM redirects WHERE environment_id = $1',
  );
  for (const { id, isLocalized } of entries)
    for (const locale of site.locales) {
      const entry = await read<Delivered>(`/entries/${id}?blocks=all&locale=${locale}`);
      if (isLocalized && entry?._locale === locale) found.set(`entry ${id} ${locale}`, entry);
      const placed = await read<Delivered>(`/entries/${id}?paths=true&locale=${locale}`);
      if (typeof placed?._path === 'string')
        found.set(`route ${id} ${locale}`, { path: placed._path, entryId: id });
    }
  for (const { id, isLocalized } of entries) {
    const entry = isLocalized ? undefined : await read<Delivered>(`/entries/${id}?blocks=all`);
    if (entry !== undefined) found.set(`entry ${id}`, entry);
  }
  for (const { id } of assets)
    for (const locale of site.locales) {
      const asset = await read<object>(`/media/${id}?locale=${locale}`);
      if (asset !== undefined) found.set(`asset ${id} ${locale}`, asset);
    }
  const listed = (await read<{ source: string; locale: string | null }[]>('/redirects?limit=100')) ?? [];
  for (const redirect of listed) {
    const stored = redirects.find(
      ({ source, locale }) => source === redirect.source && locale === redirect.locale,
    );
    found.set(`redirect ${stored?.id ?? redirect.source}`, redirect);
  }
  return found;
}

const sorted = (documents: Documents): [string, unknown][] =>
  [...documents].sort(([one], [other]) => (one < other ? -1 : 1));

/** The mirror has exactly what the site delivers. */
export async function expectMirrored(app: TestApp, project: Served, mirror: SiteMirror): Promise<void> {
  await mirror.follow();
  expect(sorted(mirror.documents)).toEqual(sorted(await deliveredDocuments(app, project)));
}

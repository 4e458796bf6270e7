import type { RightLimit } from '../../../contracts/access/me/caller.js';
import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import {
  ASSET_TAG,
  type AssetLine,
  type RedirectLine,
  type SettingLine,
  type TreeLine,
} from './export-format.js';
import { everyItem } from '../client/rest-operations.js';
import { EntryReader, isPartial, walk, type ExportedProject } from './read-entries.js';

const LIMIT = limits.pageLimitMaximum;

/** Locales and fields limit what is written. */
const isLimit = ({ siteIds, treeNodeIds, ownOnly, draftsOnly }: RightLimit): boolean =>
  siteIds !== undefined || treeNodeIds !== undefined || ownOnly || draftsOnly;

/** Reads a project through public operations. */
export class ProjectReader {
  /** Of the sites that are exported; all if it is not limited. */
  readonly #siteIds: string[] = [];
  /** Reads after the settings, and before the assets and the tree. */
  readonly entries: EntryReader;

  constructor(private readonly project: ExportedProject) {
    this.entries = new EntryReader(project, this.#siteIds);
  }

  async *settings(): AsyncGenerator<SettingLine> {
    const { client, projectSlug } = this.project;
    const paging = { projectSlug, limit: LIMIT } as const;
    yield { kind: 'project', slug: projectSlug, name: await this.#projectName() };
    for await (const locale of everyItem((page) => client.call('locales', 'list', { ...paging, page })))
      yield { kind: 'locale', ...locale };
    const sites: string[] = [];
    const byDate = { orderBy: 'createdAt:asc' } as const;
    for await (const site of everyItem((page) =>
      client.call('sites', 'list', { ...paging, ...byDate, page }),
    )) {
      if (this.project.scope.sites.length > 0 && !this.project.scope.sites.includes(site.slug)) continue;
      sites.push(site.slug);
      this.#siteIds.push(site.id);
      const { createdAt: _createdAt, updatedAt: _updatedAt, ...rest } = site;
      yield { kind: 'site', ...rest };
    }
    const missing = this.project.scope.sites.find((slug) => !sites.includes(slug));
    if (missing !== undefined) throw new Error(`The project ${projectSlug} has no site ${missing}.`);
    const { data: exported } = await client.call('schema', 'export', { projectSlug });
    yield { kind: 'schema', schema: exported.schema };
    const { data: settings } = await client.call('search', 'settings', { projectSlug });
    yield { kind: 'search', settings };
    for await (const { id, name, parentId } of this.#folders()) yield { kind: 'folder', id, name, parentId };
    for await (const { name, resource, filters, columns, orderBy, visibility, isDefault } of everyItem(
      (page) => client.call('views', 'list', { ...paging, ...byDate, page }),
    ))
      yield { kind: 'view', view: { name, resource, filters, columns, orderBy, visibility, isDefault } };
    for await (const hook of everyItem((page) =>
      client.call('webhooks', 'list', { ...paging, ...byDate, page }),
    )) {
      const { name, url, events, filters, headers, payload, enabled, batchWindowSeconds } = hook;
      const webhook = { name, url, events, filters, headers, payload, enabled, batchWindowSeconds };
      yield { kind: 'webhook', webhook };
    }
  }

  /** What the caller may not read of the entries, a sentence for each content type. */
  async leftOut(): Promise<string[]> {
    const { client, projectSlug } = this.project;
    const { data } = await client.call('me', 'rights', { projectSlug });
    const { limits: places = [] } = data.operations.find(({ name }) => name === 'entries.list') ?? {};
    if (places.length === 0) return [];
    const types = everyItem((page) =>
      client.call('contentTypes', 'list', { projectSlug, limit: LIMIT, page }),
    );
    const sentences: string[] = [];
    for await (const { apiName } of types) {
      const own = places.filter(({ contentTypes }) => contentTypes?.includes(apiName) ?? true);
      if (own.length === 0)
        sentences.push(`Entries of the type ${apiName} were left out: you may not read them.`);
      else if (own.every(isLimit))
        sentences.push(`Some entries of the type ${apiName} were left out: you may not read all of them.`);
    }
    return sentences;
  }

  /** Only users read it. */
  async #projectName(): Promise<string> {
    const { client, projectSlug } = this.project;
    const read = everyItem((page) => client.call('me', 'projects', { limit: LIMIT, page }));
    try {
      for await (const { slug, name } of read) if (slug === projectSlug) return name;
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
    }
    return projectSlug;
  }

  /** Parents first. */
  async *#folders(): AsyncGenerator<{ id: string; name: string; parentId: string | null }> {
    const { client, projectSlug } = this.project;
    const all = [];
    for await (const folder of everyItem((page) =>
      client.call('mediaFolders', 'list', { projectSlug, limit: LIMIT, orderBy: 'createdAt:asc', page }),
    ))
      all.push(folder);
    yield* all.sort((one, other) => one.path.split('/').length - other.path.split('/').length);
  }

  /** Assets that are linked, if the export is limited to types. @param store keeps the file of an asset */
  async *assets(
    store: (asset: { id: string; checksum: string; isPrivate: boolean; url: string }) => Promise<void>,
  ): AsyncGenerator<AssetLine> {
    const { client, projectSlug } = this.project;
    const list = walk((cursor) =>
      client.call('media', 'list', { projectSlug, orderBy: 'createdAt:asc', limit: LIMIT, cursor }),
    );
    for await (const asset of list) {
      const { id, fileName, checksum, folderId, siteIds, focalPoint, visibility, url } = asset;
      if (this.project.scope.types.length > 0 && !this.entries.linked.has(id)) continue;
      if (
        this.project.scope.sites.length > 0 &&
        siteIds.length > 0 &&
        !siteIds.some((one) => this.#siteIds.includes(one))
      )
        continue;
      await store({ id, checksum, isPrivate: visibility === 'private', url });
      const { data: overlays } = await client.call('media', 'listLocales', { projectSlug, id });
      const own = overlays.filter(
        ({ locale }) =>
          this.project.scope.locales.length === 0 || this.project.scope.locales.includes(locale),
      );
      const locales = own.map(
        ({ locale, altText, title, description }) => [locale, { altText, title, description }] as const,
      );
      const tags = asset.tags.filter((tag) => !tag.startsWith(ASSET_TAG));
      const externalId = asset.tags.find((tag) => tag.startsWith(ASSET_TAG))?.slice(ASSET_TAG.length) ?? null;
      const places = { folderId, tags, siteIds, focalPoint, visibility };
      yield { id, externalId, fileName, checksum, ...places, locales: Object.fromEntries(locales) };
    }
  }

  async *tree(): AsyncGenerator<TreeLine> {
    const { client, projectSlug } = this.project;
    const query = { projectSlug, flat: true } as const;
    for await (const { slug, id } of everyItem((page) =>
      client.call('sites', 'list', { projectSlug, orderBy: 'createdAt:asc', limit: LIMIT, page }),
    ))
      if (this.#isOfScope(id))
        yield* this.#nodes((await client.call('tree', 'get', { ...query, siteSlug: slug })).data);
    yield* this.#nodes((await client.call('tree', 'getGlobal', query)).data);
  }

  #isOfScope(siteId: string): boolean {
    return this.project.scope.sites.length === 0 || this.#siteIds.includes(siteId);
  }

  *#nodes(nodes: readonly TreeLine[]): Generator<TreeLine> {
    for (const { id, siteId, parentId, type, entryId, name, slug, url, hideInMenu } of nodes)
      if (!isPartial(this.project.scope) || entryId === null || this.entries.ids.has(entryId))
        yield { id, siteId, parentId, type, entryId, name, slug, url, hideInMenu };
  }

  /** In the order of their creation, which patterns apply in. */
  async *redirects(): AsyncGenerator<RedirectLine> {
    const { client, projectSlug, scope } = this.project;
    const list = walk((cursor) =>
      client.call('redirects', 'list', { projectSlug, orderBy: 'createdAt:asc', limit: LIMIT, cursor }),
    );
    for await (const {
      siteId,
      source,
      target,
      status,
      matchType,
      queryMatch,
      locale,
      isActive,
      note,
    } of list)
      if (
        this.#isOfScope(siteId) &&
        (locale === null || scope.locales.length === 0 || scope.locales.includes(locale))
      )
        yield { siteId, source, target, status, matchType, queryMatch, locale, isActive, note };
  }
}

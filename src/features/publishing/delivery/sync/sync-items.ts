import type { SyncItem, SyncKind } from '../../../../../contracts/publishing/delivery/sync.js';
import type { SiteDefinition } from '../../../../content/catalog.js';
import type { DeliveryRead } from '../delivery-read.js';
import type { StoredDocument } from '../document.js';
import { publicPaths } from '../entry-paths.js';
import { chainOf, servedLocales } from '../locale-chains.js';
import { presentEntries } from '../write-entries.js';
import type { SyncSource } from './sync-changes.repository.js';

/** What may have changed. */
export interface SyncKey {
  readonly kind: SyncKind;
  readonly id: string;
  /** Null: the same in every locale, or an asset, which is read in each. */
  readonly locale: string | null;
}

export interface ItemParts {
  readonly read: DeliveryRead;
  readonly source: SyncSource;
  readonly site: SiteDefinition;
  /** Locales that the site served before. */
  readonly left: readonly string[];
}

const deletion = ({ kind, id, locale }: SyncKey): SyncItem =>
  kind === 'redirect'
    ? { kind, op: 'delete', id }
    : { kind, op: 'delete', id, ...(locale !== null && { locale }) };

const ofKind = (keys: readonly SyncKey[], kind: SyncKind): SyncKey[] =>
  keys.filter((key) => key.kind === kind);

/** Whether the document is what the key names: its type may have got or lost its locales since then. */
function isNamed({ read, site }: ItemParts, { locale }: SyncKey, document: StoredDocument): boolean {
  const type = read.catalog.contentTypeById(document.contentTypeId);
  const isOwn = document.siteId === site.id && document.ownerId === undefined;
  return isOwn && type?.isLocalized === (locale !== null);
}

/** In the form of `GET entries/{id}?blocks=all`, which depends on the document and its type only. */
async function entriesIn(
  parts: ItemParts,
  locale: string | null,
  keys: readonly SyncKey[],
): Promise<SyncItem[]> {
  const { read, site } = parts;
  const served = servedLocales(read.catalog, site);
  const requested = locale ?? (served.includes(site.defaultLocale) ? site.defaultLocale : served[0]);
  if (requested === undefined || !served.includes(requested)) return keys.map(deletion);
  const ids = keys.map(({ id }) => id);
  const found = new Map(
    (await read.source.byIds(ids, [requested])).map((document) => [document.id, document]),
  );
  const named = keys.flatMap((key) => {
    const document = found.get(key.id);
    return document !== undefined && isNamed(parts, key, document) ? [document] : [];
  });
  const request = { siteSlug: site.slug, include: 0, blocks: 'all', paths: false, links: 'path' } as const;
  const entries = await presentEntries(read, { request, locales: [requested] }, named);
  const byId = new Map(entries.map((entry) => [entry._id, entry]));
  return keys.map((key) => {
    const document = byId.get(key.id);
    const own = { kind: 'entry' as const, id: key.id, ...(locale !== null && { locale }) };
    return document === undefined ? deletion(key) : { ...own, op: 'upsert', document };
  });
}

async function entryItems(parts: ItemParts, keys: readonly SyncKey[]): Promise<SyncItem[]> {
  const byLocale = Map.groupBy(keys, ({ locale }) => locale);
  const items = await Promise.all([...byLocale].map(([locale, some]) => entriesIn(parts, locale, some)));
  return items.flat();
}

/** An asset has a document in each locale that the site serves, and a deletion where it has left one. */
async function assetItems({ read, site, left }: ItemParts, keys: readonly SyncKey[]): Promise<SyncItem[]> {
  const ids = keys.map(({ id }) => id);
  if (ids.length === 0) return [];
  const locales = servedLocales(read.catalog, site);
  const found = await Promise.all(
    locales.map((locale) => read.media(ids, chainOf(read.catalog, site, locale), site.id)),
  );
  const former = left.filter((locale) => !locales.includes(locale));
  return ids.flatMap((id): SyncItem[] => {
    const upserts = locales.flatMap((locale, place): SyncItem[] => {
      const document = found[place]?.get(id);
      return document === undefined ? [] : [{ kind: 'asset', op: 'upsert', id, locale, document }];
    });
    if (upserts.length === 0) return [deletion({ kind: 'asset', id, locale: null })];
    return [...former.map((locale) => deletion({ kind: 'asset', id, locale })), ...upserts];
  });
}

async function routeItems({ read, site }: ItemParts, keys: readonly SyncKey[]): Promise<SyncItem[]> {
  const served = servedLocales(read.catalog, site);
  const asked = keys.flatMap(({ id, locale }) =>
    locale !== null && served.includes(locale) ? [{ id, siteId: site.id, locale, requested: locale }] : [],
  );
  const paths = await publicPaths({ catalog: read.catalog, routes: read.routes, isPreview: false }, asked);
  const byKey = new Map(asked.map(({ id, locale }, place) => [`${id} ${locale}`, paths[place] ?? null]));
  return keys.map((key) => {
    const { id, locale } = key;
    const path = byKey.get(`${id} ${String(locale)}`) ?? null;
    if (path === null || locale === null) return deletion(key);
    return { kind: 'route', op: 'upsert', id, locale, document: { path, entryId: id } };
  });
}

async function redirectItems({ source, site }: ItemParts, keys: readonly SyncKey[]): Promise<SyncItem[]> {
  const found = await source.redirectsOf(
    keys.map(({ id }) => id),
    site,
  );
  return keys.map((key) => {
    const document = found.get(key.id);
    return document === undefined ? deletion(key) : { kind: 'redirect', op: 'upsert', id: key.id, document };
  });
}

/** The present state of what the keys name, which is at least as new as the reads before. Deletions come first. */
export async function itemsOf(parts: ItemParts, keys: readonly SyncKey[]): Promise<SyncItem[]> {
  const items = (
    await Promise.all([
      entryItems(parts, ofKind(keys, 'entry')),
      assetItems(parts, ofKind(keys, 'asset')),
      routeItems(parts, ofKind(keys, 'route')),
      redirectItems(parts, ofKind(keys, 'redirect')),
    ])
  ).flat();
  return [...items.filter(({ op }) => op === 'delete'), ...items.filter(({ op }) => op === 'upsert')];
}

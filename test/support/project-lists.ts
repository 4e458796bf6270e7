import { expect } from '@jest/globals';
import type { Entry } from '../../contracts/entries/entries/entry.js';
import { limits } from '../../contracts/limits.js';
import type { MediaAsset } from '../../contracts/media/media/media-asset.js';
import { everyItem, type Operations } from '../../src/cli/client/rest-operations.js';
import { ASSET_TAG } from '../../src/cli/export/export-format.js';

const PAGE = limits.pageLimitMaximum;

/** A project of a service. */
export interface DeliveredProject {
  readonly client: Operations;
  readonly baseUrl: string;
  readonly projectSlug: string;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Names an entry in both projects, and an asset, which an import tags with its id in the export. */
const keyOf = ({ contentTypeApiName, externalId, id }: Entry): string =>
  `${contentTypeApiName} ${externalId ?? id}`;
const assetKeyOf = ({ id, tags }: Pick<MediaAsset, 'id' | 'tags'>): string =>
  tags.find((tag) => tag.startsWith(ASSET_TAG))?.slice(ASSET_TAG.length) ?? id;

const inOrder = <T>(items: readonly T[], key: (item: T) => string): T[] =>
  items.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));

/** What the tests compare of a project besides what it delivers. */
export async function listsOf({ client, projectSlug }: DeliveredProject) {
  const of = { projectSlug, limit: PAGE } as const;
  const byDate = { ...of, orderBy: 'createdAt:asc' } as const;
  const sites = await collect(
    everyItem((page) => client.call('sites', 'list', { ...of, page, orderBy: 'slug:asc' })),
  );
  const nodes = new Map<string, Awaited<ReturnType<typeof treeOf>>>();
  const treeOf = async (siteSlug: string) =>
    (await client.call('tree', 'get', { projectSlug, siteSlug, flat: true })).data;
  for (const { slug } of sites) nodes.set(slug, await treeOf(slug));
  const entries = await collect(everyItem((page) => client.call('entries', 'list', { ...byDate, page })));
  const assets = await collect(everyItem((page) => client.call('media', 'list', { ...byDate, page })));
  return {
    sites,
    nodes,
    types: await collect(
      everyItem((page) => client.call('contentTypes', 'list', { ...of, page, orderBy: 'name:asc' })),
    ),
    entries: inOrder(entries, keyOf),
    assets: inOrder(assets, assetKeyOf),
    redirects: await collect(everyItem((page) => client.call('redirects', 'list', { ...byDate, page }))),
  };
}
export type Lists = Awaited<ReturnType<typeof listsOf>>;

/** Ids of one project by those of another one that was imported from it. */
export function idsOf(is: Lists, was: Lists): Map<string, string> {
  const ids = new Map<string, string>();
  const own = new Map(was.entries.map((entry) => [keyOf(entry), entry.id]));
  for (const entry of is.entries) ids.set(entry.id, own.get(keyOf(entry)) ?? entry.id);
  for (const asset of is.assets) ids.set(asset.id, assetKeyOf(asset));
  const pair = (mine: readonly { id: string }[], theirs: readonly { id: string }[] = []): void => {
    expect(mine.length).toBe(theirs.length);
    for (const [index, { id }] of mine.entries()) ids.set(id, theirs[index]?.id ?? id);
  };
  pair(is.sites, was.sites);
  pair(is.redirects, was.redirects);
  for (const [slug, nodes] of is.nodes) pair(nodes, was.nodes.get(slug));
  return ids;
}

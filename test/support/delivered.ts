import type { Operations } from '../../src/cli/client/rest-operations.js';

interface Place {
  readonly client: Operations;
  readonly baseUrl: string;
  readonly projectSlug: string;
  readonly deliveryKey: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Everything that a project delivers, by request. */
export async function delivered({
  client,
  baseUrl,
  projectSlug,
  deliveryKey,
}: Place): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>();
  const get = async (path: string): Promise<unknown> => {
    const address = `${baseUrl}/api/delivery/projects/${projectSlug}/sites/${path}`;
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${deliveryKey}` },
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const answer = isJson ? (JSON.parse(text) as Json) : text;
    all.set(path, { status: response.status, answer });
    return answer;
  };
  const { data: types } = await client.call('contentTypes', 'list', {
    projectSlug,
    limit: 100,
    orderBy: 'name:asc',
  });
  const { data: sites } = await client.call('sites', 'list', {
    projectSlug,
    limit: 100,
    orderBy: 'slug:asc',
  });
  for (const { slug, locales } of sites) {
    const { data: nodes } = await client.call('tree', 'get', { projectSlug, siteSlug: slug, flat: true });
    for (const locale of locales) {
      for (const { apiName } of types)
        for (const order of ['_publishedAt:asc', '_slug:desc'])
          await get(
            `${slug}/content/${apiName}?locale=${locale}&include=2&blocks=all&paths=true&limit=100&orderBy=${order}`,
          );
      await get(`${slug}/tree?locale=${locale}`);
      await get(`${slug}/redirects?locale=${locale}`);
      for (const { path } of nodes)
        for (const route of new Set(Object.values(path)))
          await get(`${slug}/routes?path=${encodeURIComponent(route)}&locale=${locale}&include=2`);
      const redirects = await client.call('redirects', 'list', {
        projectSlug,
        limit: 100,
        orderBy: 'source:asc',
      });
      for (const { source } of redirects.data)
        await get(`${slug}/routes?path=${encodeURIComponent(source)}&locale=${locale}`);
    }
    await get(`${slug}/sitemap`);
    await get(`${slug}/sitemap?fallbacks=true`);
  }
  return all;
}

/** Answers with other ids, and without the times at which assets were stored. */
export function withIds(
  answers: ReadonlyMap<string, unknown>,
  ids: ReadonlyMap<string, string>,
): Map<string, unknown> {
  return new Map(
    [...answers].map(([path, answer]) => {
      const text = JSON.stringify(answer)
        .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => ids.get(id) ?? id)
        .replaceAll(/"(updatedAt|createdAt)":"[^"]*"/g, '"$1":""')
        .replaceAll(/\/media\/[\w-]+\//g, '/media/project/')
        .replaceAll(/https?:\/\/127\.0\.0\.1:\d+/g, 'http://service');
      return [path, JSON.parse(text) as unknown];
    }),
  );
}

/** Ids of one project by those of another one that was imported from it. */
export async function idsOf(
  client: Operations,
  projectSlug: string,
  source: { client: Operations; projectSlug: string },
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, meta } = await client.call('entries', 'list', { projectSlug, limit: 100, page });
    for (const { id, externalId } of data) ids.set(id, externalId ?? id);
    pages = meta.pages;
  }
  const { data: assets } = await client.call('media', 'list', { projectSlug, limit: 100 });
  for (const { id, tags } of assets)
    ids.set(id, tags.find((tag) => tag.startsWith('headwater:'))?.slice(10) ?? id);
  const listed = { limit: 100, orderBy: 'slug:asc' } as const;
  const { data: sites } = await client.call('sites', 'list', { projectSlug, ...listed });
  const { data: own } = await source.client.call('sites', 'list', {
    projectSlug: source.projectSlug,
    ...listed,
  });
  for (const [index, { id, slug }] of sites.entries()) {
    ids.set(id, own[index]?.id ?? id);
    const { data: nodes } = await client.call('tree', 'get', { projectSlug, siteSlug: slug, flat: true });
    const theirs = await source.client.call('tree', 'get', {
      projectSlug: source.projectSlug,
      siteSlug: slug,
      flat: true,
    });
    for (const [at, node] of nodes.entries()) ids.set(node.id, theirs.data[at]?.id ?? node.id);
  }
  const order = { limit: 100, orderBy: 'source:asc' } as const;
  const { data: redirects } = await client.call('redirects', 'list', { projectSlug, ...order });
  const before = await source.client.call('redirects', 'list', { projectSlug: source.projectSlug, ...order });
  for (const [index, { id }] of redirects.entries()) ids.set(id, before.data[index]?.id ?? id);
  return ids;
}

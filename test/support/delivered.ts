import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
} from 'graphql';
import { idsOf, listsOf, type DeliveredProject, type Lists } from './project-lists.js';

type Json = Readonly<Record<string, unknown>>;

/** Requests that wait for responses at the same time. */
const AT_ONCE = 6;
const PAGE = 100;
/** Levels of objects in a query, and entries of its page, within what a query may cost. */
const LEVELS = 3;
const QUERY_PAGE = 10;
/** With more pages, paths are resolved in their locales only. So many entries are read by id in each locale. */
const FEW = 100;
const WORDS = 8;
/** Files are compared of all assets, renditions of the first. */
const RENDERED_ASSETS = 20;
const VARIANTS = ['', '?w=128&fm=webp', '?w=64&h=64&fit=fill&fm=png'];

async function inParallel<T>(items: Iterable<T>, use: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  const work = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await use(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Every field that needs no argument, with those of what it refers to. */
function selectionOf(type: GraphQLObjectType | GraphQLInterfaceType, levels: number): string {
  const selected = Object.values(type.getFields()).flatMap(({ name, args, type: own }) => {
    const named = getNamedType(own);
    if (args.some(isRequiredArgument)) return [];
    if (isLeafType(named)) return [name];
    if (isObjectType(named) || isInterfaceType(named))
      return levels === 0 ? [] : [`${name} { ${selectionOf(named, levels - 1)} }`];
    return [`${name} { __typename }`];
  });
  return ['__typename', ...selected].join(' ');
}

/** Reads everything that a project delivers. */
class DeliveryReader {
  readonly answers = new Map<string, unknown>();
  readonly #keys = { delivery: '', preview: '' };

  private constructor(
    private readonly project: DeliveredProject,
    private readonly lists: Lists,
  ) {}

  static async of(project: DeliveredProject): Promise<DeliveryReader> {
    const reader = new DeliveryReader(project, await listsOf(project));
    for (const type of ['delivery', 'preview'] as const) {
      const { projectSlug } = project;
      const created = await project.client.call('apiKeys', 'create', { projectSlug, name: type, type });
      reader.#keys[type] = created.data.secret;
    }
    return reader;
  }

  #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#keys.delivery}`, ...init.headers };
    return fetch(`${this.project.baseUrl}${path}`, { redirect: 'manual', ...init, headers });
  }

  /** @returns the answer, which is kept by its path */
  async #get(path: string): Promise<Json> {
    const response = await this.#fetch(`/api/delivery/projects/${this.project.projectSlug}/sites/${path}`);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const answer = (isJson ? JSON.parse(text) : { text }) as Json;
    if (![200, 404, 410].includes(response.status)) throw new Error(`${path}: ${text}`);
    this.answers.set(path, { status: response.status, answer });
    return answer;
  }

  /** Every page of a list. */
  async #all(path: string): Promise<void> {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { meta } = await this.#get(`${path}&page=${String(page)}`);
      pages = (meta as { pages?: number } | undefined)?.pages ?? 1;
    }
  }

  /** Requests for what a site delivers in a locale. */
  #paths(site: string, locale: string): string[] {
    const { types, entries, redirects, assets, nodes: trees } = this.lists;
    const nodes = trees.get(site) ?? [];
    const isFew = nodes.length <= FEW;
    const routes = nodes.flatMap(({ path }) => (isFew ? Object.values(path) : (path[locale] ?? [])));
    const titles = entries.map(({ fields: { title } }) => (typeof title === 'string' ? title : ''));
    const words = [...new Set(titles.map((title) => title.split(' ')[0] ?? ''))].filter(Boolean);
    const within = `locale=${locale}`;
    return [
      ...types.flatMap(({ apiName }) =>
        ['updatedAt:asc', 'createdAt:desc'].map(
          (order) =>
            `content/${apiName}?${within}&include=2&blocks=all&paths=true&limit=${String(PAGE)}&orderBy=${order}`,
        ),
      ),
      ...entries.slice(0, FEW).map(({ id }) => `entries/${id}?${within}&include=1&links=absolute`),
      ...assets.slice(0, FEW).map(({ id }) => `media/${id}?${within}`),
      ...[...new Set([...routes, ...redirects.map(({ source }) => source)])].map(
        (path) => `routes?path=${encodeURIComponent(path)}&${within}&include=2`,
      ),
      ...words
        .slice(0, WORDS)
        .flatMap((word) => [
          `search?q=${encodeURIComponent(word)}&${within}&limit=${String(PAGE)}&facets=contentType&highlight=true`,
          `search/suggest?q=${encodeURIComponent(word.slice(0, 3))}&${within}`,
        ]),
      `tree?${within}`,
      `redirects?${within}&limit=${String(PAGE)}`,
      `sitemap?format=json&${within}`,
    ];
  }

  async rest(): Promise<void> {
    for (const { slug, locales } of this.lists.sites) {
      for (const locale of locales)
        await inParallel(this.#paths(slug, locale), (path) =>
          /^(?:content|redirects|sitemap)/.test(path)
            ? this.#all(`${slug}/${path}`)
            : this.#get(`${slug}/${path}`),
        );
      await this.#get(`${slug}/sitemap`);
      await this.#get(`${slug}/sitemap?fallbacks=true`);
    }
  }

  /** Documents for copies of the site, without order. */
  async sync(): Promise<void> {
    for (const { slug } of this.lists.sites)
      for (let cursor: string | null = '*'; cursor !== null;) {
        const query: string = cursor === '*' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
        const response = await this.#fetch(
          `/api/delivery/projects/${this.project.projectSlug}/sites/${slug}/sync${query}`,
        );
        expect(response.status).toBe(200);
        const { data, meta } = (await response.json()) as {
          data: { kind: string; id: string; locale?: string; op: string }[];
          meta: { nextCursor: string; hasMore: boolean };
        };
        for (const { kind, id, locale = '', ...item } of data)
          this.answers.set(`${slug}/sync ${kind} ${id} ${locale}`, item);
        cursor = meta.hasMore ? meta.nextCursor : null;
      }
  }

  async graphql(): Promise<void> {
    const path = `/api/graphql/${this.project.projectSlug}`;
    const authorization = `Bearer ${this.#keys.preview}`;
    const sdl = await (await this.#fetch(`${path}/schema.graphql`, { headers: { authorization } })).text();
    const roots = Object.values(buildSchema(sdl).getQueryType()?.getFields() ?? {});
    const collections = roots.filter(({ name }) => name.endsWith('Collection'));
    for (const { slug: site, locales } of this.lists.sites)
      for (const locale of locales)
        await inParallel(collections, async ({ name, type }) => {
          const root = getNamedType(type);
          if (!isObjectType(root)) throw new Error(`${name} is no object`);
          const query = `query ($site: String!, $locale: String!, $skip: Int!) { list: ${name}(site: $site, locale: $locale, limit: ${String(QUERY_PAGE)}, skip: $skip) { ${selectionOf(root, LEVELS)} } }`;
          for (let skip = 0, total = 1; skip < total; skip += QUERY_PAGE) {
            const body = JSON.stringify({ query, variables: { site, locale, skip } });
            const headers = { 'content-type': 'application/json' };
            const response = await this.#fetch(path, { method: 'POST', headers, body });
            const answer = (await response.json()) as { errors?: unknown; data?: { list: Json } };
            expect(answer.errors).toBeUndefined();
            this.answers.set(`${site}/graphql ${name} ${locale} ${String(skip)}`, answer.data);
            total = Number(answer.data?.list.total);
          }
        });
  }

  /** Hashes of files and of their renditions. */
  async files(): Promise<void> {
    const pictures = this.lists.assets.filter(({ mimeType }) => mimeType.startsWith('image/'));
    const rendered = new Set(pictures.slice(0, RENDERED_ASSETS));
    await inParallel(this.lists.assets, async (asset) => {
      const { id, url, visibility } = asset;
      const { pathname } = new URL(url, this.project.baseUrl);
      for (const variant of rendered.has(asset) ? VARIANTS : ['']) {
        const response = await this.#fetch(`${pathname}${variant}`);
        expect([response.status, visibility]).toEqual(
          response.status === 200 ? [200, 'public'] : [403, 'private'],
        );
        const bytes = Buffer.from(await response.arrayBuffer());
        this.answers.set(`file ${id} ${variant}`, {
          type: response.headers.get('content-type'),
          sha256: response.status === 200 && createHash('sha256').update(bytes).digest('hex'),
        });
      }
    });
  }
}

/** Everything that a project delivers, by request. */
export async function delivered(project: DeliveredProject): Promise<Map<string, unknown>> {
  const reader = await DeliveryReader.of(project);
  await reader.rest();
  await reader.sync();
  await reader.graphql();
  await reader.files();
  return reader.answers;
}

/** Answers with other ids, and without the times at which assets were stored. */
function withIds(
  answers: ReadonlyMap<string, unknown>,
  ids: ReadonlyMap<string, string>,
): Map<string, unknown> {
  const named = (text: string): string =>
    text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => ids.get(id) ?? id);
  const known = [...answers].map(([path, answer]) => {
    const text = named(JSON.stringify(answer))
      .replaceAll(/"(updatedAt|createdAt)":"[^"]*"/g, '"$1":""')
      .replaceAll(/\/media\/[\w-]+\//g, '/media/project/')
      .replaceAll(/https?:\/\/127\.0\.0\.1:\d+/g, 'http://service');
    return [named(path), JSON.parse(text) as unknown] as const;
  });
  return new Map(known.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Compares everything that two services deliver. @returns the number of answers */
export async function expectEqualDelivery(was: DeliveredProject, is: DeliveredProject): Promise<number> {
  const ids = idsOf(await listsOf(is), await listsOf(was));
  const [before, after] = [withIds(await delivered(was), new Map()), withIds(await delivered(is), ids)];
  expect([...after.keys()]).toEqual([...before.keys()]);
  const unequal = [...before].filter(([path, answer]) => !isDeepStrictEqual(answer, after.get(path)));
  expect(unequal.map(([path]) => path)).toEqual([]);
  return before.size;
}

import { seededId } from '../seed/bulk-entries.js';
import { authorsOf, body, pathOf, prefixes } from './content.js';
import { middleCursor } from './middle-cursor.js';
import { PROJECT, type Ask, type Service, type Stage } from './stage.js';

/** An operation measured at each size in turn. */
export interface Operation {
  readonly name: string;
  /** Served from the response cache; each request is sent once before. */
  readonly isHit?: boolean;
  /** Requests per turn, by default 20. */
  readonly requests?: number;
  /** Divides the times before comparison. */
  per?(stage: Stage): number;
  /** `turn` differs in every call. */
  run(service: Service, stage: Stage, turn: number): Promise<unknown>;
}

const delivery = `/api/delivery/projects/${PROJECT}/sites/main`;
const management = `/api/v1/projects/${PROJECT}`;

/** An article number, spread over all articles. */
const articleOf = ({ count }: Stage, turn: number): number => 1 + ((turn * 7919) % count);
const idOf = (stage: Stage, turn: number): string => seededId(prefixes.article, articleOf(stage, turn));
/** A page number that exists at every size. */
const pageOf = (turn: number): string => String(1 + (turn % 40));
const pagesOf = ({ count }: Stage): number => Math.floor(count / 25);

const query = `query($skip: Int) { articleCollection(site: "main", limit: 25, skip: $skip) {
  total items { _id title author { name } categories { name } } } }`;

const get =
  (key: Ask['key'], path: (stage: Stage, turn: number) => string): Operation['run'] =>
  (service, stage, turn) =>
    service.ask({ method: 'GET', path: path(stage, turn), key });

const graphql: Operation['run'] = (service, _stage, turn) => {
  const variables = { skip: (turn % 40) * 25 };
  const path = `/api/graphql/${PROJECT}`;
  return service.ask({ method: 'POST', path, key: 'delivery', body: { query, variables } });
};

const reads: readonly Operation[] = [
  { name: 'entry', run: get('delivery', (stage, turn) => `${delivery}/entries/${idOf(stage, turn)}`) },
  {
    name: 'entry with include=1',
    run: get('delivery', (stage, turn) => `${delivery}/entries/${idOf(stage, turn)}?include=1`),
  },
  {
    name: 'list of 25',
    run: get('delivery', (_stage, turn) => `${delivery}/content/article?page=${pageOf(turn)}`),
  },
  {
    name: 'route',
    run: get('delivery', (stage, turn) => `${delivery}/routes?path=${pathOf(articleOf(stage, turn))}`),
  },
  { name: 'GraphQL list of 25', run: graphql },
];

/** Sitemap entries per page, at most 50,000; times are compared per entry. */
const addresses = ({ count }: Stage): number => Math.min(50_000, count);
const lastPage = ({ count }: Stage): string => String(Math.ceil(count / 50_000));

const misses: readonly Operation[] = [
  ...reads,
  {
    name: 'list of 25, oldest first',
    run: get(
      'delivery',
      (_s, turn) => `${delivery}/content/article?orderBy=createdAt:asc&page=${pageOf(turn)}`,
    ),
  },
  {
    name: 'list of 25, last page',
    run: get('delivery', (stage) => `${delivery}/content/article?page=${String(pagesOf(stage))}`),
  },
  {
    name: 'list of 25, page in the middle',
    requests: 4,
    run: get(
      'delivery',
      (stage) => `${delivery}/content/article?page=${String(Math.ceil(pagesOf(stage) / 2))}`,
    ),
  },
  {
    name: 'list of 25, cursor page in the middle',
    run: async (service, stage, turn) => {
      const path = `${delivery}/content/article?fields=title`;
      const cursor = await middleCursor(service, stage, { path, turn });
      return service.ask({
        method: 'GET',
        path: `${delivery}/content/article?cursor=${cursor}`,
        key: 'delivery',
      });
    },
  },
  {
    name: 'list of one title',
    requests: 1,
    run: get(
      'delivery',
      (stage, turn) =>
        `${delivery}/content/article?filter[title][eq]=Article%20${String(articleOf(stage, turn))}`,
    ),
  },
  {
    name: 'list of one author, 20 articles',
    requests: 1,
    run: get(
      'delivery',
      (stage, turn) =>
        `${delivery}/content/article?filter[author][eq]=${seededId(prefixes.author, 1 + ((turn * 7919) % authorsOf(stage.count)))}`,
    ),
  },
  {
    name: 'sitemap page, an address',
    requests: 1,
    per: addresses,
    run: get('delivery', () => `${delivery}/sitemap?format=json`),
  },
  {
    name: 'last sitemap page, an address',
    requests: 1,
    per: addresses,
    run: get('delivery', (stage) => `${delivery}/sitemap?format=json&page=${lastPage(stage)}`),
  },
];

async function create(service: Service, { siteId, count }: Stage, turn: number): Promise<string> {
  const title = `New ${String(turn)} ${Math.random().toString(36).slice(2)}`;
  const categories = [1, 2, 3].map((n) => ({ _ref: seededId(prefixes.category, n) }));
  const author = { _ref: seededId(prefixes.author, 1 + (turn % authorsOf(count))) };
  const text = await service.ask({
    method: 'POST',
    path: `${management}/entries`,
    key: 'management',
    status: 201,
    body: { contentTypeApiName: 'article', siteId, fields: { title, body, author, categories } },
  });
  return (JSON.parse(text) as { data: { id: string } }).data.id;
}

const managed: readonly Operation[] = [
  {
    name: 'management: entry',
    run: get('management', (stage, turn) => `${management}/entries/${idOf(stage, turn)}`),
  },
  {
    name: 'management: list of 25',
    run: get(
      'management',
      (_stage, turn) => `${management}/entries?contentTypeApiName=article&page=${pageOf(turn)}`,
    ),
  },
  { name: 'create', requests: 10, run: create },
  {
    name: 'create and publish',
    requests: 10,
    run: async (service, stage, turn) => {
      const id = await create(service, stage, turn);
      const path = `${management}/entries/${id}/publish`;
      await service.ask({ method: 'POST', path, key: 'management', body: {} });
    },
  },
];

/** All operations in report order. */
export const operations: readonly Operation[] = [
  ...misses.map((work) => ({ ...work, name: `${work.name}, miss` })),
  ...reads.map((work) => ({ ...work, name: `${work.name}, hit`, isHit: true })),
  ...managed,
];

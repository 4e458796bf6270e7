import { send } from '../support/call.js';
import type { TestApp } from '../support/app.js';
import { createType, type TestEntry } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { createLivePage } from '../support/factories/tree.js';
import { ReleaseDesk } from '../management/releases/release-desk.js';

const LOCALES = ['en', { code: 'de', fallbackCode: 'en' }, { code: 'fr', fallbackCode: 'de' }];
/** Requests of a batch. */
const AT_ONCE = 8;
const CODES = ['en', 'de'];

/** Differ between a preview of a publication and the publication. */
const TIMES = new Set(['_publishedAt', '_updatedAt', 'lastModified', 'updatedAt', 'nextCursor']);

/** A response without the times at which something is published. */
function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([key]) => !TIMES.has(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutTimes(one)]));
}

const FIELDS = '{ _id _slug _locale _path }';

/** What delivery says of a project, by request. */
export type Answers = ReadonlyMap<string, unknown>;

/** What differs, by request. */
export const differences = (one: Answers, other: Answers): Record<string, unknown> =>
  Object.fromEntries(
    [...other].flatMap(([request, answer]) =>
      JSON.stringify(one.get(request)) === JSON.stringify(answer)
        ? []
        : [[request, { was: one.get(request), is: answer }]],
    ),
  );

/** A project whose whole delivery is read. */
export class FutureDesk {
  readonly #ids = new Set<string>();
  readonly #paths = new Set<string>(['/']);
  readonly #assets = new Set<string>();

  private constructor(
    readonly app: TestApp,
    readonly scene: ReleaseDesk,
  ) {}

  /** With articles, which fall back field by field, and pages. */
  static async open(app: TestApp): Promise<FutureDesk> {
    const project = await createProject(app, { locales: LOCALES });
    await createType(app, project, {
      apiName: 'page',
      isPage: true,
      fields: [
        { apiName: 'title', type: 'text', required: true },
        { apiName: 'noindex', type: 'boolean' },
      ],
    });
    await createType(app, project, {
      apiName: 'article',
      fieldFallback: true,
      fields: [
        { apiName: 'title', type: 'text', required: true },
        { apiName: 'intro', type: 'text' },
        { apiName: 'rank', type: 'number', localized: false },
        { apiName: 'picture', type: 'media' },
        {
          apiName: 'related',
          type: 'reference',
          isList: true,
          settings: { contentTypes: ['article', 'page'] },
        },
      ],
    });
    return new FutureDesk(app, ReleaseDesk.over(app, project));
  }

  get project(): TestProject {
    return this.scene.desk.project;
  }

  watch({ id }: { readonly id: string }, ...paths: string[]): void {
    this.#ids.add(id);
    for (const path of paths) this.#paths.add(path);
  }

  watchAsset({ id }: { readonly id: string }): void {
    this.#assets.add(id);
  }

  async article(fields: Record<string, unknown>): Promise<TestEntry> {
    const article = await this.scene.article(fields);
    this.watch(article);
    return article;
  }

  async livePage(slug: string, parent?: { readonly treeNodeId: string }) {
    const page = await createLivePage(this.app, this.project, {
      slug,
      treeParentId: parent?.treeNodeId ?? null,
    });
    this.watch(page);
    return page;
  }

  /** Every answer of REST and GraphQL. @param query of every URL */
  async answers(query: Readonly<Record<string, string>> = {}): Promise<Answers> {
    await this.app.composition.jobs.indexSearch();
    const answers = new Map<string, unknown>();
    const requests = this.#requests();
    for (let at = 0; at < requests.length; at += AT_ONCE) {
      const some = requests.slice(at, at + AT_ONCE);
      const read = await Promise.all(some.map((path) => this.#read(path, query)));
      some.forEach((path, index) => answers.set(path, read[index]));
    }
    const search = new URLSearchParams(query).toString();
    const graphql = await this.ask(this.#query(), search === '' ? '' : `?${search}`);
    answers.set('graphql', withoutTimes(graphql.body));
    return answers;
  }

  get(
    path: string,
    query: Readonly<Record<string, string>> = {},
    key: string | undefined = this.project.keys.preview,
  ) {
    const more = new URLSearchParams(query).toString();
    const url = `${this.project.delivery}/${path}${more === '' ? '' : `${path.includes('?') ? '&' : '?'}${more}`}`;
    return send(this.app, { method: 'GET', path: url, ...(key !== '' && { key }) });
  }

  ask(query: string, search = '', key = this.project.keys.preview) {
    const path = `/api/graphql/${this.project.slug}${search}`;
    return send(this.app, { method: 'POST', path, key, body: { query } });
  }

  async #read(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
    // Published content is read as readers do.
    const key = Object.keys(query).length === 0 ? this.project.keys.delivery : this.project.keys.preview;
    const { status, body } = await this.get(path, query, key);
    const { requestId: _id, ...shown } = body as Record<string, unknown>;
    return [status, withoutTimes(shown)];
  }

  #requests(): string[] {
    const each = CODES.flatMap((locale) => [
      ...[...this.#ids].map((id) => `entries/${id}?locale=${locale}&include=2&paths=true`),
      ...[...this.#paths].map((path) => `routes?path=${encodeURIComponent(path)}&locale=${locale}`),
      `tree?locale=${locale}`,
      `content/article?locale=${locale}&limit=100&paths=true`,
      `content/page?locale=${locale}&limit=100&paths=true`,
      `content/article?locale=${locale}&orderBy=createdAt:asc&filter[rank][gte]=2`,
      `content/article?locale=${locale}&orderBy=createdAt:asc&limit=2&page=2`,
      `content/article?locale=${locale}&filter[title][contains]=new`,
      `search?locale=${locale}&q=new&facets=contentType`,
      `search?locale=${locale}&sort=createdAt:asc&limit=100`,
      ...[...this.#assets].map((id) => `media/${id}?locale=${locale}`),
    ]);
    return [
      ...each,
      'content/article?locale=fr&limit=100&include=1',
      'tree?locale=fr',
      'redirects?limit=100',
      'sitemap?format=json',
      'sitemap?format=json&fallbacks=true',
    ];
  }

  #query(): string {
    const paths = [...this.#paths].map(
      (path, at) =>
        `r${String(at)}: resolveRoute(site: "main", locale: "en", path: ${JSON.stringify(path)}) { target status entry ${FIELDS} }`,
    );
    const media = [...this.#assets].map(
      (id, at) => `m${String(at)}: asset(id: "${id}") { id url fileName checksum }`,
    );
    return `{ articles: articleCollection(locale: "de", limit: 100) { total items { _id title intro rank related ${FIELDS} } }
      pages: pageCollection(site: "main", limit: 100) { total items { _id title _path } }
      search(site: "main", locale: "en", q: "new") { total items { title entry ${FIELDS} } }
      tree(site: "main", locale: "en") { id path name children { id path name children { id path } } }
      redirects(site: "main") { total items { source target } }
      ${[...paths, ...media].join('\n')} }`;
  }
}

import pg from 'pg';
import { systemScope } from '../../src/persistence/work/unit-of-work.js';
import { OperationsClient } from '../../src/cli/client/operations-client.js';
import { compose } from '../../src/process/compose.js';
import { writeBodies } from '../../src/features/publishing/delivery/index.js';
import { createSuperAdmin } from '../../src/features/access/sessions/index.js';
import { createLogger } from '../../src/infrastructure/logger.js';
import { newId } from '../../src/infrastructure/ids.js';
import type { Values } from './scenarios.js';
import { testMedia } from '../support/test-media.js';

/** Session secret shared by server and seed. */
export const sessionSecret = 'a secret of the benchmark, more than thirty-two bytes long';

/** Seeded articles; there are a tenth as many authors and a hundredth as many categories. */
export const ARTICLES = 10_000;
const AUTHORS = 500;
const CATEGORIES = 100;
const PAGES = 200;

const prefixes = {
  article: '01900000-0000-7000-a000-',
  author: '01900000-0000-7000-b000-',
  category: '01900000-0000-7000-8000-',
} as const;

export const idOf = (type: keyof typeof prefixes, n: number): string =>
  prefixes[type] + n.toString(16).padStart(12, '0');

/** 2 KB. */
const text = 'The quick brown fox jumps over the lazy dog, again. '.repeat(40).slice(0, 2048);

const sqlId = (type: keyof typeof prefixes, n: string): string =>
  `('${prefixes[type]}' || lpad(to_hex(${n}), 12, '0'))::uuid`;

interface Rows {
  readonly type: keyof typeof prefixes;
  readonly count: number;
  /** SQL of the delivered values of entry `n`, and of its title. */
  readonly fields: string;
  readonly title: string;
}

const link = (type: keyof typeof prefixes, n: string): string =>
  `jsonb_build_object('_ref', ${sqlId(type, n)}, '_type', '${type}')`;

const rows: readonly Rows[] = [
  {
    type: 'author',
    count: AUTHORS,
    title: "'Author ' || n",
    fields: "jsonb_build_object('name', 'Author ' || n)",
  },
  {
    type: 'category',
    count: CATEGORIES,
    title: "'Category ' || n",
    fields: "jsonb_build_object('name', 'Category ' || n)",
  },
  {
    type: 'article',
    count: ARTICLES,
    title: "'Article ' || n",
    fields: `jsonb_build_object('title', 'Article ' || n, 'body', $4::text, 'author', ${link('author', `1 + n % ${AUTHORS}`)},
      'categories', jsonb_build_array(${[0, 1, 2].map((step) => link('category', `1 + (n + ${step}) % ${CATEGORIES}`)).join(', ')}))`,
  },
];

/** Inserts published entries with few statements, equal to what the service would write. */
async function insertEntries(client: pg.Client, environmentId: string): Promise<void> {
  for (const { type, count, fields, title } of rows) {
    await client.query(
      `WITH place AS (SELECT h.tenant_id, h.environment_id, t.id AS type_id, s.id AS site_id
          FROM environment_heads h JOIN content_types t ON t.environment_id = h.environment_id AND t.api_name = $2
          JOIN sites s ON s.tenant_id = h.tenant_id AND s.project_id = h.project_id WHERE h.environment_id = $1),
        given AS MATERIALIZED (SELECT place.*, n, ${sqlId(type, 'n')} AS id, ${fields} AS fields, ${title} AS title,
          '2026-01-01'::timestamptz + n * interval '1 second' AS at,
          '{"type": "system", "id": null, "name": "bench"}'::jsonb AS by, $4::text AS body
          FROM place, generate_series(1, $3::int) AS n),
        entry AS (INSERT INTO entries (tenant_id, environment_id, id, content_type_id, site_id, version, shared_fields,
            created_at, created_by, updated_at, updated_by)
          SELECT tenant_id, environment_id, id, type_id, site_id, 1, '{}', at, by, at, by FROM given),
        locale AS (INSERT INTO entry_locales (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, slug,
            title, fields, shared_hash, is_shown, published_content_hash, published_shared_hash, published_version, published_at,
            first_published_at, created_at, updated_at)
          SELECT tenant_id, environment_id, id, 'en', type_id, site_id, '${type}-' || n, title, fields, md5('{}'), true,
            md5('${type}-' || n || chr(10) || fields::text), md5('{}'), 1, at, at, at, at FROM given),
        version AS (INSERT INTO entry_versions (tenant_id, environment_id, entry_id, version_num, locale, change_type,
            slug, fields, shared_fields, changed_fields, created_at, created_by)
          SELECT tenant_id, environment_id, id, 1, 'en', 'create', '${type}-' || n, fields, '{}', '{}', at, by FROM given)
        INSERT INTO published_entries (environment_id, entry_id, locale, content_type_id, site_id, slug, fields, version,
          created_at, published_at, first_published_at)
        SELECT environment_id, id, 'en', type_id, site_id, '${type}-' || n, fields, 1, at, at, at FROM given`,
      [environmentId, type, count, text],
    );
  }
  await client.query('ANALYZE');
}

const types = [
  { apiName: 'author', name: 'Author', fields: [{ apiName: 'name', type: 'text' }] },
  { apiName: 'category', name: 'Category', fields: [{ apiName: 'name', type: 'text' }] },
  {
    apiName: 'article',
    name: 'Article',
    fields: [
      { apiName: 'title', type: 'text', required: true },
      { apiName: 'body', type: 'longText' },
      { apiName: 'author', type: 'reference', settings: { contentTypes: ['author'] } },
      { apiName: 'categories', type: 'reference', isList: true, settings: { contentTypes: ['category'] } },
    ],
  },
  { apiName: 'page', name: 'Page', isPage: true, fields: [{ apiName: 'title', type: 'text' }] },
] as const;

/** Publishes a page for every path of the sitemap. */
async function publishPages(client: OperationsClient, siteId: string): Promise<void> {
  const projectSlug = 'bench';
  for (let n = 1; n <= PAGES; n += 1) {
    const { data } = await client.call('entries', 'create', {
      projectSlug,
      siteId,
      contentTypeApiName: 'page',
      slug: `page-${n}`,
      fields: { title: `Page ${n}` },
    });
    await client.call('entries', 'publish', { projectSlug, id: data.id });
  }
}

export const composeOptions = (url: string) => ({
  serviceUrl: url,
  readUrl: url,
  poolSize: 4,
  tokens: {
    algorithm: 'HS256' as const,
    issuer: 'headwater',
    audience: 'headwater',
    secret: Buffer.from(sessionSecret, 'utf8'),
  },
  logger: createLogger('error'),
  mcpAllowedOrigins: [],
  media: testMedia(),
  queryLimits: { maxQueryDepth: 10, maxComplexity: 1000, maxReferenceDepth: 3 },
});

async function makeProject(client: OperationsClient): Promise<string> {
  await client.call('tenants', 'create', {
    slug: 'bench',
    name: 'Bench',
    locales: ['en'],
    project: { slug: 'bench', name: 'Bench' },
  });
  const projectSlug = 'bench';
  const { data } = await client.call('sites', 'create', {
    projectSlug,
    slug: 'main',
    name: 'Main',
    baseUrl: 'https://www.example.com',
  });
  for (const type of types)
    await client.call('contentTypes', 'create', { projectSlug, ...type, fields: [...type.fields] });
  return data.id;
}

const refuse = (error: unknown): never => {
  throw error;
};

/** Fills an empty, migrated database; returns placeholder values for the scenarios. */
export async function seedContent(ownerUrl: string): Promise<Values> {
  const composition = await compose(composeOptions(ownerUrl));
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const login = { email: `bench-${newId()}@example.com`, password: 'a password of the benchmark' };
    const request = { scope: systemScope({ command: 'bench' }), isReadOnly: false, lock: 'none' } as const;
    await composition.services.units.run(request, (work) =>
      createSuperAdmin(work, { ...login, name: 'Bench' }),
    );
    const client = await OperationsClient.login(composition, login);
    const siteId = await makeProject(client);
    const { rows: heads } = await owner.query<{ tenant_id: string; environment_id: string }>(
      "SELECT tenant_id, environment_id FROM environment_heads WHERE project_slug = 'bench'",
    );
    const { tenant_id: tenantId = '', environment_id: environmentId = '' } = heads[0] ?? {};
    await owner.query("SELECT set_config('headwater.tenant_id', $1, false)", [tenantId]);
    await insertEntries(owner, environmentId);
    await writeBodies({ units: composition.services.units, onError: refuse });
    await publishPages(client, siteId);
    // As a service that has run for a while: no first indexing competes with what is measured.
    await composition.jobs.indexSearch();
    await composition.jobs.indexFilters();
    await composition.jobs.assessHealth();
    await owner.query('VACUUM ANALYZE');
    const keyOf = async (type: 'delivery' | 'management') =>
      (await client.call('apiKeys', 'create', { projectSlug: 'bench', name: type, type, rateLimit: 600_000 }))
        .data.secret;
    const { rows: ofType } = await owner.query<{ id: string }>(
      "SELECT id FROM content_types WHERE environment_id = $1 AND api_name = 'article'",
      [environmentId],
    );
    return {
      articleType: ofType[0]?.id ?? '',
      siteId,
      tenantId,
      environmentId,
      deliveryKey: await keyOf('delivery'),
      managementKey: await keyOf('management'),
      author: idOf('author', 7),
      category1: idOf('category', 1),
      category2: idOf('category', 2),
      category3: idOf('category', 3),
      text,
    };
  } finally {
    await owner.end();
    await composition.close();
  }
}

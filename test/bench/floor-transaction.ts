import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import pg from 'pg';

const actor = { type: 'api_key', id: null, name: 'management' };
const record = (table: 'audit_events' | 'outbox_events', values: string): string =>
  table === 'audit_events'
    ? `INSERT INTO audit_events (id, tenant_id, project_id, environment_id, site_id, locale, at, action, actor, target, after,
        changed_fields, context, metadata) ${values}`
    : `INSERT INTO outbox_events (id, tenant_id, project_id, environment_id, type, payload, created_at) ${values}`;

const place = `place AS (SELECT h.*, t.id AS type_id, $2::uuid AS site_id FROM environment_heads h JOIN content_types t
  ON t.environment_id = h.environment_id AND t.api_name = 'article' WHERE h.environment_id = $1)`;

/** Rows of a create: entry, locale, version, links, audit record, outbox event. */
const create = `WITH ${place},
  entry AS (INSERT INTO entries (tenant_id, environment_id, id, content_type_id, site_id, version, shared_fields, created_at,
      created_by, updated_at, updated_by)
    SELECT tenant_id, environment_id, $3::uuid, type_id, site_id, 1, '{}', $4, $5::jsonb, $4, $5::jsonb FROM place),
  locale AS (INSERT INTO entry_locales (tenant_id, environment_id, entry_id, locale, content_type_id, site_id, slug, title,
      fields, shared_hash, is_shown, created_at, updated_at)
    SELECT tenant_id, environment_id, $3::uuid, 'en', type_id, site_id, $6, $7, $8::jsonb, md5('{}'), true, $4, $4 FROM place),
  version AS (INSERT INTO entry_versions (tenant_id, environment_id, entry_id, version_num, locale, change_type, slug, fields,
      shared_fields, changed_fields, created_at, created_by)
    SELECT tenant_id, environment_id, $3::uuid, 1, 'en', 'create', $6, $8::jsonb, '{}', '{title,body,author,categories}', $4, $5::jsonb FROM place),
  link AS (INSERT INTO entry_links (tenant_id, environment_id, entry_id, locale, field_id, target_id)
    SELECT p.tenant_id, p.environment_id, $3::uuid, 'en', f.id, l.target_id FROM place p, unnest($9::text[], $10::uuid[]) AS l (field, target_id)
      JOIN fields f ON f.environment_id = $1 AND f.api_name = l.field AND f.content_type_id = (SELECT type_id FROM place)),
  audit AS (${record('audit_events', "SELECT $11, tenant_id, project_id, environment_id, site_id, 'en', $4, 'entry.create', $5::jsonb, '{}', $8::jsonb, '{id,fields}', '{}', '{}' FROM place")})
  ${record('outbox_events', "SELECT $12, tenant_id, project_id, environment_id, 'entry.created', $8::jsonb, $4 FROM place")}`;

/** Rows of a publish: locale status, publication, published document, audit record, outbox event. */
const publish = `WITH ${place},
  state AS (UPDATE entry_locales SET published_content_hash = content_hash, published_shared_hash = md5('{}'), published_version = 1,
      published_at = $4, first_published_at = coalesce(first_published_at, $4)
    WHERE environment_id = $1 AND entry_id = $3 AND locale = 'en' RETURNING slug, fields, created_at, content_type_id),
  noted AS (INSERT INTO entry_publications (tenant_id, environment_id, entry_id, version_num, locale, kind, at, by)
    SELECT tenant_id, environment_id, $3, 1, 'en', 'publish', $4, $5::jsonb FROM place),
  audit AS (${record('audit_events', "SELECT $6, tenant_id, project_id, environment_id, site_id, 'en', $4, 'entry.publish', $5::jsonb, '{}', (SELECT fields FROM state), '{status}', '{}', '{}' FROM place")}),
  told AS (${record('outbox_events', "SELECT $7, tenant_id, project_id, environment_id, 'entry.published', (SELECT fields FROM state), $4 FROM place")})
  INSERT INTO published_entries (environment_id, entry_id, locale, content_type_id, site_id, slug, fields, version, created_at,
    published_at, first_published_at)
  SELECT $1, $3, 'en', content_type_id, $2, slug, fields, 1, created_at, $4, $4 FROM state
  ON CONFLICT (environment_id, entry_id, locale) DO UPDATE SET fields = excluded.fields, published_at = excluded.published_at`;

interface Draft {
  readonly fields: {
    readonly title: string;
    readonly author: { readonly _ref: string };
    readonly categories: readonly { readonly _ref: string }[];
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

/** node:http and pg: one statement that writes every row the service would write. */
export function transactionFloor(url: string, values: Readonly<Record<string, string>>): RequestListener {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // Row security applies to the owner as well.
  pool.on('connect', (client) => {
    void client.query("SELECT set_config('headwater.tenant_id', $1, false)", [values.tenantId]);
  });
  const { environmentId, siteId } = values;
  const by = JSON.stringify(actor);

  const createOne = async ({ fields }: Draft): Promise<string> => {
    const id = randomUUID();
    const targets = [fields.author, ...fields.categories].map(({ _ref }) => _ref);
    const names = ['author', ...fields.categories.map(() => 'categories')];
    const slug = fields.title.toLowerCase().replaceAll(' ', '-');
    const content = JSON.stringify(fields);
    const bind = [environmentId, siteId, id, new Date(), by, slug, fields.title, content, names, targets];
    await pool.query({ name: 'create', text: create, values: [...bind, randomUUID(), randomUUID()] });
    return id;
  };
  const publishOne = async (id: string): Promise<void> => {
    const bind = [environmentId, siteId, id, new Date(), by, randomUUID(), randomUUID()];
    await pool.query({ name: 'publish', text: publish, values: bind });
  };

  return (request, response) => {
    const answer = async (): Promise<void> => {
      const body = await bodyOf(request);
      const published = /\/entries\/([-0-9a-f]{36})\/publish/.exec(request.url ?? '')?.[1];
      if (published !== undefined) await publishOne(published);
      const id = published ?? (await createOne(body as Draft));
      const text = JSON.stringify({ data: { id, fields: (body as Draft).fields } });
      response.writeHead(published === undefined ? 201 : 200, [
        'content-type',
        'application/json; charset=utf-8',
        'content-length',
        String(Buffer.byteLength(text)),
      ]);
      response.end(text);
    };
    answer().catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  };
}

import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { send } from '../support/call.js';
import { createArticleTypes, createEntry } from '../support/factories/content.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { useOwnApp } from '../support/desk.js';

const app = useOwnApp();
let project: TestProject;

beforeAll(async () => {
  project = await createProject(app());
  await createArticleTypes(app(), project);
});

/** A superuser, whom row-level security does not restrict. */
function superuserUrl(): string {
  const url = new URL(process.env.HEADWATER_TEST_SUPERUSER_URL ?? '');
  url.pathname = new URL(app().databaseUrl).pathname;
  return url.href;
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT set_config('headwater.platform', 'on', false)");
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const changes = ["UPDATE audit_events SET action = 'x'", 'DELETE FROM audit_events', 'TRUNCATE audit_events'];

describe('An audit record', () => {
  verifies('events/audit-append-only', 'events/records');

  it.each(changes)('protects an audit record against %s by the owner of the table', async (sql) => {
    await expect(run(app().databaseUrl, sql)).rejects.toThrow('audit records cannot be changed or deleted');
  });

  it.each(changes)('protects an audit record against %s by a superuser', async (sql) => {
    await expect(run(superuserUrl(), sql)).rejects.toThrow('audit records cannot be changed or deleted');
  });

  it('records who changed what, from where, and the state before', async () => {
    const { management, keys, tenantId, siteId } = project;
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'Before' },
    });
    const response = await send(app(), {
      method: 'PUT',
      path: `${management}/entries/${id}`,
      key: keys.management,
      body: { version: 1, fields: { title: 'After' } },
    });
    const requestId = String(response.headers['x-request-id']);
    const [record, ...more] = await app().rows<Record<string, unknown>>(
      tenantId,
      "SELECT * FROM audit_events WHERE context ->> 'requestId' = $1",
      [requestId],
    );
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      action: 'entry.update',
      tenant_id: tenantId,
      project_id: project.projectId,
      site_id: siteId,
      locale: 'en',
      actor: { type: 'api_key', name: 'management' },
      target: { type: 'entry', id, name: 'After' },
      before: { version: 1, fields: { title: 'Before' } },
      after: { version: 2, fields: { title: 'After' } },
      context: { requestId, interface: 'management', ip: '127.0.0.1' },
      metadata: {},
    });
    expect(record?.changed_fields).toEqual(expect.arrayContaining(['fields', 'version']));
  });

  it('never stores the secret or the hash of a key in an audit record', async () => {
    const { management, keys, tenantId } = project;
    const body = { name: 'Quiet', type: 'delivery' };
    const path = `${management}/api-keys`;
    const made = await send(app(), { method: 'POST', path, key: keys.management, body });
    const [record] = await app().rows<{ after: Record<string, unknown> }>(
      tenantId,
      "SELECT * FROM audit_events WHERE context ->> 'requestId' = $1",
      [made.headers['x-request-id']],
    );
    expect(record?.after.secretHash).toBe('[redacted]');
    expect(JSON.stringify(record)).not.toContain(made.body.data.secret);
  });

  it('writes no audit record for a change that fails', async () => {
    const { management, keys, tenantId } = project;
    const body = { name: 'Article', apiName: 'article' };
    const path = `${management}/content-types`;
    const refused = await send(app(), { method: 'POST', path, key: keys.management, body });
    expect(refused.status).toBe(409);
    const rows = await app().rows(tenantId, "SELECT 1 FROM audit_events WHERE context ->> 'requestId' = $1", [
      refused.headers['x-request-id'],
    ]);
    expect(rows).toEqual([]);
  });
});

describe('An outbox row', () => {
  it('writes an outbox row in the transaction of the change it reports', async () => {
    const { tenantId } = project;
    const { id } = await createEntry(app(), project, {
      contentTypeApiName: 'article',
      fields: { title: 'Told' },
    });
    const rows = await app().rows<{ type: string; payload: Record<string, unknown> }>(
      tenantId,
      "SELECT type, payload FROM outbox_events WHERE payload -> 'data' ->> 'entryId' = $1",
      [id],
    );
    expect(rows).toEqual([
      {
        type: 'entry.created',
        payload: expect.objectContaining({
          project: { slug: project.slug },
          environment: 'main',
          data: expect.objectContaining({ contentTypeApiName: 'article', version: 1, status: 'draft' }),
        }),
      },
    ]);
  });
});

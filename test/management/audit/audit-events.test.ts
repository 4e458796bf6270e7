import { describe, expect, it } from '@jest/globals';
import { OperationsClient } from '../../../src/cli/client/operations-client.js';
import { send } from '../../support/call.js';
import { column, Desk, openDesk, outcome, useApp } from '../../support/desk.js';
import { createEntry } from '../../support/factories/content.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const withTitle = (title: string) => ({ contentTypeApiName: 'article', fields: { title } });

describe('GET audit-logs', () => {
  verifies('events/audit-logs-stub');

  it('returns an empty list from the documented stub with any parameters', async () => {
    const desk = await openDesk(app());
    for (const path of ['/audit-logs', '/audit-logs?page=2&limit=7&cursor=x']) {
      const { status, text } = await desk.get(path);
      expect([status, text]).toEqual([200, '{"data":[]}']);
    }
  });
});

describe('GET audit-events', () => {
  verifies('events/audit-read');

  it('lists events, latest first, with every key of a record', async () => {
    const desk = await openDesk(app());
    const { slug, siteId, tenantId } = desk.project;
    const { id } = await createEntry(desk.app, desk.project, withTitle('One'));
    const put = await desk.put(`/entries/${id}`, { version: 1, fields: { title: 'Two' } });
    const { body } = await desk.get(`/audit-events?targetId=${id}`);
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'entry.update',
      'entry.create',
    ]);
    expect(body.data[0]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      action: 'entry.update',
      cause: null,
      actor: { type: 'api_key', id: expect.any(String), name: 'management' },
      target: { type: 'entry', id, name: 'Two' },
      tenantId,
      projectSlug: slug,
      environment: 'main',
      siteId,
      locale: 'en',
      before: expect.objectContaining({ version: 1 }),
      after: expect.objectContaining({ version: 2 }),
      changedFields: expect.arrayContaining(['fields', 'version']),
      context: {
        ip: '127.0.0.1',
        userAgent: null,
        requestId: put.headers['x-request-id'],
        interface: 'management',
      },
      metadata: {},
    });
  });

  it('distinguishes commands of the service from clients', async () => {
    const { project } = await openDesk(app());
    const client = new OperationsClient(app().composition, project.keys.management);
    await client.call('sites', 'create', { projectSlug: project.slug, slug: 'shell', name: 'Shell' });
    const { body } = await new Desk(app(), project).get('/audit-events?interface=cli');
    expect((body as { data: { action: string }[] }).data.map(({ action }) => action)).toEqual([
      'site.create',
    ]);
  });

  it('pages by cursor through every event once', async () => {
    const desk = await openDesk(app());
    for (const title of ['a', 'b', 'c', 'd', 'e'])
      await createEntry(desk.app, desk.project, withTitle(title));
    const seen: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await desk.get(`/audit-events?action=entry.create&limit=2${cursor}`);
      seen.push(...body.data.map(({ target }: { target: { name: string } }) => target.name));
      const { nextCursor, limit } = body.meta as { nextCursor: string | null; limit: number };
      expect(limit).toBe(2);
      cursor = nextCursor === null ? null : `&cursor=${nextCursor}`;
    }
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  it('filters events by each filter', async () => {
    const desk = await openDesk(app());
    const { id } = await createEntry(desk.app, desk.project, withTitle('Kept'));
    const all = (await desk.get('/audit-events?limit=100')).body.data as {
      at: string;
      actor: { id: string; name: string };
      target: { id: string };
    }[];
    const actorId = all.find(({ target }) => target.id === id)?.actor.id ?? '';
    const actions = async (query: string) =>
      column(await desk.get(`/audit-events?limit=100&${query}`), 'action');
    expect(await actions(`actorId=${actorId}&action=entry.create`)).toEqual(['entry.create']);
    expect(new Set(await actions('targetType=content_type'))).toEqual(new Set(['content_type.create']));
    expect(await actions('interface=mcp')).toEqual([]);
    expect(await actions('interface=management')).toHaveLength(all.length);
    expect(await actions('to=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await actions('from=2020-01-01T00:00:00Z')).toHaveLength(all.length);
    const latest = all[0]?.at ?? '';
    expect(await actions(`to=${encodeURIComponent(latest)}`)).toHaveLength(
      all.filter(({ at }) => at < latest).length,
    );
  });

  it.each(['cursor=nonsense', 'cursor=MS4x', 'limit=101', 'interface=fax', 'from=yesterday'])(
    'returns 422 for %s',
    async (query) => {
      const desk = await openDesk(app());
      expect(outcome(await desk.get(`/audit-events?${query}`))).toEqual([422, 'validation_failed']);
    },
  );

  it('shows a project its own events only and requires the read permission', async () => {
    const [mine, theirs] = [await openDesk(app()), await openDesk(app())];
    const { id } = await createEntry(theirs.app, theirs.project, withTitle('Theirs'));
    expect((await mine.get(`/audit-events?targetId=${id}`)).body.data).toEqual([]);
    const { secret } = await mine.newKey({ type: 'management', permissions: ['publish'] });
    expect(outcome(await mine.as(secret).get('/audit-events'))).toEqual([403, 'permission_denied']);
  });
});

describe('GET audit-events/export', () => {
  verifies('events/audit-export');

  it('streams every event as one line across many pages', async () => {
    const desk = await openDesk(app());
    const { project } = desk;
    const entry = await createEntry(desk.app, project, withTitle('0'));
    for (let version = 1; version < 6; version += 1)
      await desk.put(`/entries/${entry.id}`, { version, fields: { title: String(version) } });
    const { status, text, headers } = await send(app(), {
      method: 'GET',
      path: `${project.management}/audit-events/export?targetId=${entry.id}&limit=2`,
      key: project.keys.management,
    });
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const lines = text.trimEnd().split('\n');
    const names = lines.map((line) => (JSON.parse(line) as { target: { name: string } }).target.name);
    expect(names).toEqual(['5', '4', '3', '2', '1', '0']);
  });

  it('returns the failure envelope for an invalid filter', async () => {
    const desk = await openDesk(app());
    expect(outcome(await desk.get('/audit-events/export?cursor=x'))).toEqual([422, 'validation_failed']);
  });
});

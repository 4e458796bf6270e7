import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { LogLines } from '../support/log-lines.js';
import { bearer, callTool, useDistantService } from '../support/distant-service.js';
import { unique } from '../support/factories/project.js';
import { isCompletion, isStatement } from '../support/postgres-messages.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const lines = new LogLines();
const distant = useDistantService({ logger: lines.logger });

type Moment = 'before COMMIT reaches the database' | 'before the answer to COMMIT reaches the service';
const moments: readonly Moment[] = [
  'before COMMIT reaches the database',
  'before the answer to COMMIT reaches the service',
];

/** Loses the connection of the next write; resolves when the database has ended its session. */
function loseConnection(moment: Moment): Promise<void> {
  const { proxy } = distant();
  const cut = proxy.cutBefore((message) =>
    moment === moments[0]
      ? message.sender === 'service' && isStatement(message, 'COMMIT')
      : message.sender === 'database' && isCompletion(message, 'COMMIT'),
  );
  return cut.then((pid) => distant().watch.sessionEnd(pid));
}

const article = (title: string) => ({
  contentTypeApiName: 'article',
  siteId: distant().project.siteId,
  fields: { title },
});

/** Entries with this title in the database. */
async function entriesCalled(title: string): Promise<number> {
  const { app, project } = distant();
  const sql = "SELECT 1 FROM entry_locales WHERE tenant_id = $1 AND fields->>'title' = $2";
  return (await app.rows(project.tenantId, sql, [project.tenantId, title])).length;
}

function create(title: string, headers: Record<string, string> = {}): Promise<Response> {
  const { request, project } = distant();
  const path = `${project.management}/entries`;
  return Promise.resolve(
    request
      .post(path)
      .set({ ...bearer(project.keys.management), ...headers })
      .send(article(title)),
  );
}

const surfaces: Readonly<Record<string, (title: string) => Promise<{ status: unknown; details: unknown }>>> =
  {
    REST: async (title) => {
      const { status, body } = await create(title);
      return { status, details: body.details };
    },
    tRPC: async (title) => {
      const { request, project } = distant();
      const { status, body } = await request
        .post('/api/trpc/entries.create')
        .set(bearer(project.keys.management))
        .send({ projectSlug: project.slug, ...article(title) });
      return { status, details: body.error.data.details };
    },
    MCP: async (title) => {
      const { body } = await callTool(distant(), 'create_entry', article(title));
      const { isError, structuredContent } = body.result;
      return { status: isError === true && structuredContent.error, details: structuredContent.details };
    },
  };

describe('A connection lost at COMMIT', () => {
  verifies('http/idempotency-unknown-outcome');

  it.each(moments.flatMap((moment) => Object.keys(surfaces).map((surface) => [surface, moment] as const)))(
    'makes %s report an unknown outcome when it is lost %s',
    async (surface, moment) => {
      const title = unique();
      const ended = loseConnection(moment);
      const answer = await surfaces[surface]?.(title);
      await ended;
      expect(answer).toEqual({
        status: surface === 'MCP' ? 'service_unavailable' : 503,
        details: { outcome: 'unknown' },
      });
      expect(await entriesCalled(title)).toBe(moment === moments[0] ? 0 : 1);
    },
  );

  it.each(moments)(
    'lets a retry with the same Idempotency-Key apply the change once if lost %s',
    async (moment) => {
      const [title, key] = [unique(), unique()];
      const ended = loseConnection(moment);
      const lost = await create(title, { 'Idempotency-Key': key });
      await ended;
      expect([lost.status, lost.body.details, lost.headers['retry-after']]).toEqual([
        503,
        { outcome: 'unknown' },
        '2',
      ]);
      const again = await create(title, { 'Idempotency-Key': key });
      const replayed = moment === moments[0] ? undefined : 'true';
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, replayed]);
      const third = await create(title, { 'Idempotency-Key': key });
      expect([third.body, third.headers['idempotent-replayed']]).toEqual([again.body, 'true']);
      expect(await entriesCalled(title)).toBe(1);
    },
  );

  it('shows the change in cached responses if the database had committed it', async () => {
    const { request, project, entryId, app } = distant();
    const path = `${project.delivery}/entries/${entryId}`;
    const title = async () => (await request.get(path)).body.data.fields.title as string;
    const previous = await title();
    const { management, keys } = project;
    const { body } = await app.request.get(`${management}/entries/${entryId}`).set(bearer(keys.management));
    const renamed = unique();
    await app.request
      .put(`${management}/entries/${entryId}`)
      .set(bearer(keys.management))
      .send({ version: body.data.version, fields: { title: renamed } });
    expect(await title()).toBe(previous);
    const ended = loseConnection('before the answer to COMMIT reaches the service');
    const publish = request.post(`${management}/entries/${entryId}/publish`).set(bearer(keys.management));
    expect((await publish.send({})).body.details).toEqual({ outcome: 'unknown' });
    await ended;
    await waitFor('the published title is served', async () => (await title()) === renamed);
  });

  it('names no outcome when the connection is lost before COMMIT is sent, as nothing is committed then', async () => {
    const title = unique();
    const { proxy } = distant();
    const ended = proxy
      .cutBefore(({ sender, index }) => sender === 'service' && index === 1)
      .then((pid) => distant().watch.sessionEnd(pid));
    const { status, body } = await create(title);
    await ended;
    expect([status, body.details]).toEqual([503, undefined]);
    expect(await entriesCalled(title)).toBe(0);
  });

  it('names no outcome for a read', async () => {
    const { request, project, proxy } = distant();
    proxy.cut();
    const { status, body } = await request
      .get(`${project.management}/entries`)
      .set(bearer(project.keys.management));
    expect([status, body.details]).toEqual([503, undefined]);
  });

  it('logs that the outcome is unknown, without statement or values', () => {
    const logged = lines.of('database unavailable').map((line) => JSON.stringify(line));
    expect(logged.filter((line) => line.includes('outcome unknown')).length).toBeGreaterThan(0);
    for (const line of logged) expect(line).not.toMatch(/INSERT|SELECT set_config/);
  });
});

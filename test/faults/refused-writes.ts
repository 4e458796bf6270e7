import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import pg from 'pg';
import type { Desk } from '../support/desk.js';
import { paragraphs } from '../support/factories/content.js';
import type { LogLines } from '../support/log-lines.js';
import { waitFor } from '../support/wait-for.js';

export async function asSuperuser(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.HEADWATER_TEST_SUPERUSER_URL });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Larger than the free space in any page, and not compressible. */
export const create = (desk: Desk) =>
  desk.post('/entries', {
    contentTypeApiName: 'article',
    siteId: desk.project.siteId,
    fields: { title: 'Large', body: paragraphs(randomBytes(20_000).toString('hex')) },
  });

const reads = ({ app, project }: Desk) => {
  const { delivery, management, keys, slug } = project;
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
  return [
    app.request.get(`${management}/entries`).set(bearer(keys.management)),
    app.request.get(`${delivery}/content/article`).set(bearer(keys.delivery)),
    app.request
      .post(`/api/graphql/${slug}`)
      .set(bearer(keys.delivery))
      .send({ query: '{ articleCollection { total } }' }),
  ];
};

/** Writes are refused with 503 and the cause is logged; reads go on, and readiness names the part. */
export async function expectReadsOnly(desk: Desk, lines: LogLines, code: string): Promise<void> {
  const { app } = desk;
  const entries = async () => (await desk.get('/entries')).body.meta.total as number;
  const before = await entries();
  for (let n = 0; n < 3; n += 1) {
    const { status, body, headers } = await create(desk);
    expect([status, body.error, body.details, headers['retry-after']]).toEqual([
      503,
      'service_unavailable',
      undefined,
      '2',
    ]);
    const causes = lines
      .of('database unavailable')
      .filter(({ requestId }) => requestId === headers['x-request-id']);
    expect(causes).toMatchObject([{ err: { cause: { code } } }]);
    expect(JSON.stringify(causes)).not.toMatch(/INTO entries|set_config/);
  }
  for (const read of reads(desk)) expect((await read).status).toBe(200);
  // A busy machine answers a check of a part too late at times.
  await waitFor('the service is ready for reads', async () => {
    return (await app.request.get('/readyz?for=reads')).status === 200;
  });
  expect(await entries()).toBe(before);
  for (let n = 0; n < 3; n += 1) {
    const { status, body } = await app.request.get('/readyz');
    expect([status, body.details]).toMatchObject([503, { checks: { writes: 'failing' } }]);
  }
  // A busy machine answers a check of another part too late at times, and the first part that fails is the reason.
  await waitFor('only writes fail', async () => {
    const { body } = await app.request.get('/readyz');
    return body.details?.reason === 'writes';
  });
  expect(lines.of('the database refuses writes')).toMatchObject([{ err: { cause: { code } } }]);
}

export const probesOf = ({ app }: Desk) => app.rows(null, 'SELECT 1 FROM write_probes LIMIT 1');
export const isReadyOf =
  ({ app }: Desk) =>
  async () =>
    (await app.request.get('/readyz')).status === 200;

export async function expectRecovery(desk: Desk, lines: LogLines): Promise<void> {
  const isReady = isReadyOf(desk);
  await waitFor('the service is ready', isReady);
  expect(lines.of('the database accepts writes again')).toHaveLength(1);
  await waitFor('the probes are removed', async () => (await probesOf(desk)).length === 0);
  await waitFor('an entry is created', async () => (await create(desk)).status === 201);
  await waitFor('the service is ready', isReady);
}

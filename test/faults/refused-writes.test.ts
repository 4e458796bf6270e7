import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { withSnapshot } from '../../src/persistence/archive/export-rows.js';
import { startBeside, type TestApp } from '../support/app.js';
import { Desk, openDesk, useOwnApp } from '../support/desk.js';
import { paragraphs } from '../support/factories/content.js';
import { LogLines } from '../support/log-lines.js';
import { SmallDisk } from '../support/small-disk.js';
import { runCommand } from '../support/service-process.js';
import { testMedia } from '../support/test-media.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

async function asSuperuser(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: process.env.HEADWATER_TEST_SUPERUSER_URL });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Larger than the free space in any page, and not compressible. */
const create = (desk: Desk) =>
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
async function expectReadsOnly(desk: Desk, lines: LogLines, code: string): Promise<void> {
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
  // A busy machine opens a connection in place of a broken one too late at times, and answers a check of a part too late.
  await waitFor('reads are served', async () =>
    (await Promise.all(reads(desk))).every(({ status }) => status === 200),
  );
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

const probesOf = ({ app }: Desk) => app.rows(null, 'SELECT 1 FROM write_probes LIMIT 1');
const isReadyOf =
  ({ app }: Desk) =>
  async () =>
    (await app.request.get('/readyz')).status === 200;

async function expectRecovery(desk: Desk, lines: LogLines): Promise<void> {
  const isReady = isReadyOf(desk);
  await waitFor('the service is ready', isReady);
  expect(lines.of('the database accepts writes again')).toHaveLength(1);
  await waitFor('the probes are removed', async () => (await probesOf(desk)).length === 0);
  await waitFor('an entry is created', async () => (await create(desk)).status === 201);
  await waitFor('the service is ready', isReady);
}

describe('A database that becomes read-only', () => {
  verifies('operation/refused-writes');
  const lines = new LogLines();
  const direct = useOwnApp();
  let app: TestApp;
  let desk: Desk;

  afterAll(async () => {
    await app.close();
  });

  it('serves reads, refuses writes with 503, says so in readiness, and recovers', async () => {
    const { project } = await openDesk(direct());
    const name = new URL(direct().databaseUrl).pathname.slice(1);
    await direct().rows(null, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    app = await startBeside(direct(), { logger: lines.logger });
    desk = new Desk(app, project);
    await expectReadsOnly(desk, lines, '25006');
    const { code, output } = await runCommand(direct().databaseUrl, ['migrate']);
    expect([code, output.trim()]).toEqual([
      1,
      expect.stringMatching(
        /^headwater: The database cannot be used: it is read-only: DATABASE_URL must name the primary\./,
      ),
    ]);
    await asSuperuser(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await expectRecovery(desk, lines);
  });

  it('recovers while a backup reads every table', async () => {
    const name = new URL(direct().databaseUrl).pathname.slice(1);
    await asSuperuser(
      `ALTER DATABASE ${name} SET default_transaction_read_only = on`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
    );
    await waitFor('writes are refused', async () => {
      await create(desk);
      const { body } = await app.request.get('/readyz');
      return body.details?.reason === 'writes';
    });
    await withSnapshot(direct().databaseUrl, async () => {
      await asSuperuser(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
      await waitFor('the service is ready', isReadyOf(desk));
      // The backup keeps the table's rows from being removed, and nothing waits for it.
      await waitFor('an entry is created', async () => (await create(desk)).status === 201);
      expect(await probesOf(desk)).toHaveLength(1);
    });
    expect(lines.of('the database accepts writes again').length).toBeGreaterThan(1);
    await waitFor('the service is ready', isReadyOf(desk));
  });
});

const obstacle = SmallDisk.obstacle();
const TABLESPACE = `small_${randomBytes(4).toString('hex')}`;
const rateDefaults = {
  delivery: 1000,
  preview: 1000,
  management: 1000,
  session: 1000,
  anonymous: 1000,
  login: 1000,
};

(obstacle === undefined ? describe : describe.skip)(
  `A database whose disk is full${obstacle === undefined ? '' : ` (skipped: ${obstacle})`}`,
  () => {
    verifies('operation/refused-writes');
    const lines = new LogLines();
    let disk: SmallDisk;
    let database: TestDatabase;
    let app: TestApp;

    beforeAll(async () => {
      database = await createTestDatabase();
      let directory: string;
      ({ disk, directory } = await SmallDisk.mount(64));
      const name = new URL(database.url).pathname.slice(1);
      await asSuperuser(
        `CREATE TABLESPACE ${TABLESPACE} LOCATION '${directory}'`,
        `ALTER DATABASE ${name} SET TABLESPACE ${TABLESPACE}`,
      );
      const options = { logger: lines.logger, rateDefaults };
      app = await startBeside({ databaseUrl: database.url, media: testMedia() }, options);
    });

    afterAll(async () => {
      await disk.free();
      await app.close();
      await database.drop();
      await asSuperuser(`DROP TABLESPACE ${TABLESPACE}`);
      disk.unmount();
    });

    it('serves reads, refuses writes with 503, says so in readiness, and recovers when space is freed', async () => {
      const desk = await openDesk(app);
      expect((await create(desk)).status).toBe(201);
      await disk.fill();
      await expectReadsOnly(desk, lines, '53100');
      await disk.free();
      await expectRecovery(desk, lines);
    });
  },
);

import { afterAll, describe, expect, it } from '@jest/globals';
import { withSnapshot } from '../../src/persistence/archive/export-rows.js';
import { startBeside, type TestApp } from '../support/app.js';
import { Desk, openDesk, useOwnApp } from '../support/desk.js';
import { LogLines } from '../support/log-lines.js';
import { runCommand } from '../support/service-process.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';
import {
  asSuperuser,
  create,
  expectReadsOnly,
  expectRecovery,
  isReadyOf,
  probesOf,
} from './refused-writes.js';

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

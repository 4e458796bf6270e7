import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startBeside, type TestApp } from '../support/app.js';
import { openDesk } from '../support/desk.js';
import { LogLines } from '../support/log-lines.js';
import { SmallDisk } from '../support/small-disk.js';
import { testMedia } from '../support/test-media.js';
import { createTestDatabase, type TestDatabase } from '../support/test-postgres.js';
import { verifies } from '../support/verifies.js';
import { asSuperuser, create, expectReadsOnly, expectRecovery } from './refused-writes.js';

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

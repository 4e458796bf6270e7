import { rm } from 'node:fs/promises';
import { closeWorker } from './worker-state.js';

/** Runs after the reporters: stops what the tests of this process share and the database server, deletes records. */
export default async function globalTeardown() {
  await closeWorker();
  await globalThis.disposeTestTemplate?.();
  for (const name of ['HEADWATER_SECRET_RECORDS', 'HEADWATER_ANSWER_RECORDS']) {
    const records = process.env[name];
    if (records !== undefined) await rm(records, { recursive: true, force: true });
  }
}

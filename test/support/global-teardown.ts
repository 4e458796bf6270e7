import { rm } from 'node:fs/promises';

/** Runs after the reporters: stops the database server and deletes the records of the watches. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.disposeTestTemplate?.();
  for (const name of ['HEADWATER_SECRET_RECORDS', 'HEADWATER_ANSWER_RECORDS']) {
    const records = process.env[name];
    if (records !== undefined) await rm(records, { recursive: true, force: true });
  }
}

import { rm } from 'node:fs/promises';

/** Runs once, after all tests and reports: stops the database server and removes what the suites have noted. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.disposeTestTemplate?.();
  const records = process.env.HEADWATER_SECRET_RECORDS;
  if (records !== undefined) await rm(records, { recursive: true, force: true });
}

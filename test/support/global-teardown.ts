import { rm } from 'node:fs/promises';

/** Runs after the reporters: stops the database server and deletes the secret watch's records. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.disposeTestTemplate?.();
  const records = process.env.HEADWATER_SECRET_RECORDS;
  if (records !== undefined) await rm(records, { recursive: true, force: true });
}

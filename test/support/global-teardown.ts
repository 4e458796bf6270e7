/** Runs once, after all tests: stops the database server. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.disposeTestTemplate?.();
}

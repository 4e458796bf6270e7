import { startEmbeddedPostgres } from '../../src/infrastructure/postgres/embedded-postgres.js';

/** A process for tests to kill: starts the embedded database, prints its URL and waits. */
const [dataDirectory = ''] = process.argv.slice(2);
const { ownerUrl } = await startEmbeddedPostgres({ dataDirectory, log: () => undefined });
process.stdout.write(`${ownerUrl}\n`);
setInterval(() => undefined, 60_000);

import { startEmbeddedPostgres } from '../../src/infrastructure/postgres/embedded-postgres.js';

/** A process to be killed: starts the embedded database in the given directory, prints its URL and stays. */
const [dataDirectory = ''] = process.argv.slice(2);
const { ownerUrl } = await startEmbeddedPostgres({ dataDirectory, log: () => undefined });
process.stdout.write(`${ownerUrl}\n`);
setInterval(() => undefined, 60_000);

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../src/infrastructure/postgres/embedded-postgres.js';

/** An empty database whose owner is not a superuser. */
export interface ScratchDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function createOn(server: string, name: string): Promise<ScratchDatabase> {
  const url = new URL(server);
  url.pathname = `/${name}`;
  await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await onServer(server, `CREATE DATABASE ${name}`);
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function startServer(): Promise<ScratchDatabase> {
  const directory = await mkdtemp(path.join(tmpdir(), 'headwater-growth-'));
  // As root, PostgreSQL runs as another user, who needs access.
  await chmod(directory, 0o711);
  const { ownerUrl, stop } = await startEmbeddedPostgres({ dataDirectory: directory, log: () => undefined });
  const drop = async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  };
  return { url: ownerUrl, drop };
}

/** Uses the server of `GROWTH_DATABASE_URL`, whose user may create databases, or starts one. */
export function scratchDatabase(name: string): Promise<ScratchDatabase> {
  const server = process.env.GROWTH_DATABASE_URL;
  return server === undefined ? startServer() : createOn(server, name);
}

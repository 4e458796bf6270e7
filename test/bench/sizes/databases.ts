import process from 'node:process';
import pg from 'pg';
import { startTestServer } from '../../support/test-server.js';

/** An empty database. */
export interface SizedDatabase {
  /** As the schema's owner. */
  readonly url: string;
  readonly superuserUrl: string;
  drop(): Promise<void>;
}

export interface SizedServer {
  create(name: string): Promise<SizedDatabase>;
  stop(): Promise<void>;
}

const owner = 'headwater_sizes_owner';
const password = 'of a database that is thrown away';

async function asSuperuser(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function createOn(server: string, name: string): Promise<SizedDatabase> {
  await asSuperuser(server, [
    `DO $$ BEGIN CREATE ROLE ${owner}; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
    `ALTER ROLE ${owner} LOGIN CREATEROLE PASSWORD '${password}'`,
    // This database's owner needs the service's roles even if another user created them.
    `DO $$ BEGIN GRANT headwater_service, headwater_reader TO ${owner}; EXCEPTION WHEN undefined_object THEN NULL; END $$`,
    `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
    `CREATE DATABASE ${name} OWNER ${owner} TEMPLATE template0`,
  ]);
  const superuserUrl = new URL(server);
  superuserUrl.pathname = `/${name}`;
  const url = new URL(superuserUrl);
  url.username = owner;
  url.password = password;
  const drop = () => asSuperuser(server, [`DROP DATABASE ${name} WITH (FORCE)`]);
  return { url: url.href, superuserUrl: superuserUrl.href, drop };
}

/** Starts a server without fsync, or uses `SIZES_DATABASE_URL`, which names a superuser. */
export async function startSizedServer(): Promise<SizedServer> {
  const given = process.env.SIZES_DATABASE_URL;
  const { superuserUrl, stop } =
    given === undefined ? await startTestServer() : { superuserUrl: given, stop: () => Promise.resolve() };
  return { create: (name) => createOn(superuserUrl, name), stop };
}

import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrateUp } from '../../src/persistence/migrations/migrator.js';
import { fastDirectory, startTestServer } from './test-server.js';

export interface PreparedTemplate {
  readonly environment: Readonly<Record<string, string>>;
  dispose(): Promise<void>;
}

const owner = 'headwater_test_owner';

async function asSuperuser(superuserUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function ownerUrlOn(superuserUrl: string, password: string, database: string): string {
  const url = new URL(superuserUrl);
  url.username = owner;
  url.password = password;
  url.pathname = `/${database}`;
  return url.href;
}

async function createTemplate(superuserUrl: string): Promise<PreparedTemplate['environment']> {
  // Runs that share a server share the role and its password.
  const password = createHash('sha256').update(`headwater tests on ${superuserUrl}`).digest('base64url');
  const template = `headwater_template_${randomBytes(4).toString('hex')}`;
  await asSuperuser(
    superuserUrl,
    `DO $$ BEGIN CREATE ROLE ${owner}; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
    `ALTER ROLE ${owner} LOGIN CREATEROLE CREATEDB NOSUPERUSER PASSWORD '${password}'`,
    `CREATE DATABASE ${template} OWNER ${owner} TEMPLATE template0 ENCODING 'UTF8'`,
  );
  const ownerUrl = ownerUrlOn(superuserUrl, password, template);
  await migrateUp({ url: ownerUrl });
  return {
    HEADWATER_TEST_SUPERUSER_URL: superuserUrl,
    HEADWATER_TEST_OWNER_URL: ownerUrl,
    HEADWATER_TEST_TEMPLATE: template,
  };
}

/** Drops the template and the databases that were cloned from it and not dropped. */
async function dropDatabases(superuserUrl: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const named = 'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)';
    const { rows } = await client.query<{ name: string }>(named, [template]);
    for (const { name } of rows) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

/** Migrates the template database on a new server, or on `TEST_DATABASE_URL`, which names a superuser. */
export async function prepareTemplate(): Promise<PreparedTemplate> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    const environment = await createTemplate(given);
    return { environment, dispose: () => dropDatabases(given, environment.HEADWATER_TEST_TEMPLATE ?? '') };
  }
  const server = await startTestServer({ parent: await fastDirectory() });
  try {
    return { environment: await createTemplate(server.superuserUrl), dispose: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

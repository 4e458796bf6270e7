import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { secretWatch } from './secrets/secret-watch.js';
import { lookAtRows } from './secrets/stored-rows.js';
import { openRecord } from './secrets/watch-records.js';

/** A migrated, empty database of one test file. */
export interface TestDatabase {
  /** Connects as the owner, who is no superuser, as the service's own owner is none. */
  readonly url: string;
  /** Looks for secrets in it and in all that was said meanwhile; {@link drop} begins with it. */
  look(): Promise<void>;
  drop(): Promise<void>;
}

const objectInUse = '55006';
const insufficientPrivilege = '42501';

function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run tests with npm test, whose global setup sets it.`);
  return value;
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase('postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabase(name: string): string {
  const url = new URL(variable('HEADWATER_TEST_OWNER_URL'));
  url.pathname = `/${name}`;
  return url.href;
}

async function insistently(statement: string, passing: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await onServer(statement);
      return;
    } catch (error) {
      if (attempt >= 100 || !(error instanceof pg.DatabaseError) || error.code !== passing) throw error;
      await delay(50 + Math.random() * 100);
    }
  }
}

/** Two clones of one template at a time disturb each other: PostgreSQL refuses the second, which then tries again. */
function cloneTemplate(name: string): Promise<void> {
  return insistently(`CREATE DATABASE ${name} TEMPLATE ${variable('HEADWATER_TEST_TEMPLATE')}`, objectInUse);
}

/** An autovacuum worker in the database is the superuser's, and may not be ended by the owner: it leaves by itself. */
function dropDatabase(name: string): Promise<void> {
  return insistently(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, insufficientPrivilege);
}

/** Clones the migrated template. Each test file takes one of its own and drops it when it is done. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const worker = process.env.JEST_WORKER_ID ?? '0';
  const name = `headwater_test_${worker}_${randomBytes(6).toString('hex')}`;
  await cloneTemplate(name);
  const url = withDatabase(name);
  secretWatch.learn(decodeURIComponent(new URL(url).password), 'password of the database');
  const record = await openRecord();
  const look = async (): Promise<void> => {
    if (record === undefined) return;
    await lookAtRows(url, secretWatch);
    await record(secretWatch.settle());
  };
  const drop = async (): Promise<void> => {
    await look();
    await dropDatabase(name);
  };
  return { url, look, drop };
}

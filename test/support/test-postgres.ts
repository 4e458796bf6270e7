import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { writeAnswers } from './answers/answer-watch.js';
import { secretWatch } from './secrets/secret-watch.js';
import { lookAtRows } from './secrets/stored-rows.js';
import { openRecord } from './secrets/watch-records.js';

/** A migrated, empty database. */
export interface TestDatabase {
  /** Connects as the owner, who is not a superuser. */
  readonly url: string;
  /** Searches rows, and new log lines and responses, for secrets. */
  look(): Promise<void>;
  /** Searches again, then drops the database. */
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

/** Repeats a statement for up to two minutes while it fails with `retryCode`. */
async function repeatWhile(retryCode: string, statement: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await onServer(statement);
      return;
    } catch (error) {
      if (attempt >= 1200 || !(error instanceof pg.DatabaseError) || error.code !== retryCode) throw error;
      await delay(50 + Math.random() * 100);
    }
  }
}

/** PostgreSQL cannot clone a template twice at once. */
function cloneTemplate(name: string): Promise<void> {
  return repeatWhile(objectInUse, `CREATE DATABASE ${name} TEMPLATE ${variable('HEADWATER_TEST_TEMPLATE')}`);
}

/** Retries, because the owner cannot end the superuser's autovacuum worker. */
function dropDatabase(name: string): Promise<void> {
  return repeatWhile(insufficientPrivilege, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** Starts like those that the end of the run drops. */
const databaseName = (): string =>
  `${variable('HEADWATER_TEST_TEMPLATE')}_${process.env.JEST_WORKER_ID ?? '0'}_${randomBytes(6).toString('hex')}`;

/** Clones the migrated template, for several test files; the end of the run drops it. */
export async function cloneDatabase(): Promise<string> {
  const name = databaseName();
  await cloneTemplate(name);
  const url = withDatabase(name);
  secretWatch.learn(decodeURIComponent(new URL(url).password), 'password of the database');
  return url;
}

/** Clones the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const url = await cloneDatabase();
  const record = await openRecord();
  const look = async (): Promise<void> => {
    if (record === undefined) return;
    await lookAtRows(url, secretWatch);
    await record({ looked: secretWatch.settle() });
  };
  const drop = async (): Promise<void> => {
    await look();
    await writeAnswers();
    await dropDatabase(new URL(url).pathname.slice(1));
  };
  return { url, look, drop };
}

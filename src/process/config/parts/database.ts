import { z } from 'zod';
import { readHosts } from '../../../persistence/connections/pooling.js';
import { definePart, flag, oneOf, url, wholeNumber } from './setting.js';

const postgresUrl = () => url('postgres:', 'postgresql:');

const readUrl = () =>
  z.string().refine((value) => readHosts(value).every((one) => postgresUrl().safeParse(one).success), {
    error: 'must be a URL that begins with postgres:// or postgresql://; its hosts are separated by commas',
  });

export const database = definePart({
  settings: {
    DATABASE_URL: postgresUrl()
      .optional()
      .describe(
        'PostgreSQL to use, as the owner of its schema. Unset: an embedded one in the data directory.',
      ),
    DATABASE_SERVICE_URL: postgresUrl()
      .optional()
      .describe('Login of the service for reads and writes. Unset: DATABASE_URL, then SET ROLE.'),
    DATABASE_READ_URL: readUrl()
      .optional()
      .describe(
        'Login for published reads. Its hosts, separated by commas, may be replicas. Unset: DATABASE_URL, then SET ROLE.',
      ),
    DATABASE_LISTEN_URL: postgresUrl()
      .optional()
      .describe(
        'Direct URL of the primary, for notifications. Required when the other URLs name a pooler in transaction mode.',
      ),
    DATABASE_PREPARED_STATEMENTS: oneOf(['auto', 'on', 'off'])
      .default('auto')
      .describe('Whether statements stay prepared; auto: unless the pooler does not keep them.'),
    DATABASE_MIGRATE: flag()
      .optional()
      .describe('1 applies pending migrations at start. Unset: 1 with the embedded database, else 0.'),
    DATABASE_POOL_SIZE: wholeNumber(1, 1000)
      .default(10)
      .describe('Database connections per pool and process.'),
    DATABASE_QUEUE_SIZE: wholeNumber(1, 100_000)
      .default(200)
      .describe('Requests that may wait for a connection, per pool and process; more receive 503.'),
    DATABASE_START_TIMEOUT_SECONDS: wholeNumber(1, 3600)
      .default(60)
      .describe('Seconds that a start waits for the database, and for migrations of another process.'),
    HEADWATER_SEED_DEMO: flag()
      .optional()
      .describe('1 fills an empty database with demo content. Unset: 1 with the embedded database, else 0.'),
  },
  slice: (read) => ({
    /** Undefined: the embedded database. The owner runs migrations. */
    external:
      read.DATABASE_URL === undefined
        ? undefined
        : {
            ownerUrl: read.DATABASE_URL,
            serviceUrl: read.DATABASE_SERVICE_URL,
            readUrl: read.DATABASE_READ_URL,
            listenUrl: read.DATABASE_LISTEN_URL,
          },
    /** Whether the start applies pending migrations instead of failing. */
    migrateAtStart: read.DATABASE_MIGRATE ?? read.DATABASE_URL === undefined,
    preparedStatements: read.DATABASE_PREPARED_STATEMENTS,
    startTimeoutSeconds: read.DATABASE_START_TIMEOUT_SECONDS,
    poolSize: read.DATABASE_POOL_SIZE,
    queueSize: read.DATABASE_QUEUE_SIZE,
    seedDemo: read.HEADWATER_SEED_DEMO ?? read.DATABASE_URL === undefined,
  }),
  problems: (read) => {
    const needsOwner = (['DATABASE_SERVICE_URL', 'DATABASE_READ_URL', 'DATABASE_LISTEN_URL'] as const).filter(
      (name) => read[name],
    );
    if (read.DATABASE_URL !== undefined || needsOwner.length === 0) return [];
    const names = needsOwner.join(' and ');
    return [`${names} can only be used together with DATABASE_URL: set it to the owner's URL`];
  },
});

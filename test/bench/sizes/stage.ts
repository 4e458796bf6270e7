import { get, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { Client as HttpClient } from 'undici';
import { migrateUp } from '../../../src/persistence/migrations/migrator.js';
import type { Measured } from '../processes.js';
import { makeProject, withOperations, type SeededProject } from '../seed/open-service.js';
import { startService } from '../service.js';
import { types, seedArticles } from './content.js';
import type { SizedDatabase } from './databases.js';
import { ProcessorTime } from '../processor-time.js';

/** The project slug in every database. */
export const PROJECT = 'bench';

/** A request with its expected status. */
export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly key: 'delivery' | 'management';
  readonly body?: object;
  readonly status?: number;
}

/** A service process with one open connection. */
export class Service {
  readonly #http: HttpClient;

  constructor(
    private readonly process: Measured,
    private readonly keys: SeededProject['keys'],
  ) {
    this.#http = new HttpClient(process.url);
  }

  get pid(): number {
    return this.process.pid;
  }

  /** @returns the response body */
  async ask({ method, path, key, body, status = 200 }: Ask): Promise<string> {
    const answer = await this.#http.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${this.keys[key]}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== status)
      throw new Error(`${method} ${path}: ${String(answer.statusCode)} ${text.slice(0, 300)}`);
    return text;
  }

  /** An event stream for the management key. */
  readonly open = async (path: string): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${this.keys.management}`, accept: 'text/event-stream' };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${this.process.url}${path}`, { headers, agent: false }, resolve).once('error', reject);
    });
    if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${String(answer.statusCode)}`);
    return answer;
  };

  async stop(): Promise<void> {
    await this.#http.close();
    await this.process.stop();
  }
}

/** A database of one size with two processes, one with a response cache and one without. */
export interface Stage {
  readonly count: number;
  readonly siteId: string;
  readonly megabytes: number;
  readonly cached: Service;
  readonly uncached: Service;
  /** CPU time of a process and its database connections. */
  processorTime(service: Service): ProcessorTime;
  close(): Promise<void>;
}

async function serviceOver(url: string, cacheMb: string, keys: SeededProject['keys']): Promise<Service> {
  const settings = {
    // Background jobs would add to the cost of requests.
    HEADWATER_ROLE: 'api',
    RATE_LIMITS: '0',
    RESPONSE_CACHE_MB: cacheMb,
  };
  return new Service(await startService(url, settings), keys);
}

async function seed(superuser: pg.Client, siteId: string, count: number): Promise<void> {
  const { rows } = await superuser.query<{ tenant_id: string; environment_id: string }>(
    'SELECT tenant_id, environment_id FROM environment_heads WHERE project_slug = $1',
    [PROJECT],
  );
  const { tenant_id: tenantId = '', environment_id: environmentId = '' } = rows[0] ?? {};
  await seedArticles(superuser, { tenantId, environmentId, siteId }, count);
}

/** Migrates an empty database, seeds `count` published articles and starts the processes. */
export async function openStage({ url, superuserUrl }: SizedDatabase, count: number): Promise<Stage> {
  await migrateUp({ url });
  const { siteId, keys } = await withOperations(url, (client) =>
    makeProject(client, { slug: PROJECT }, types),
  );
  const superuser = new pg.Client({ connectionString: superuserUrl });
  await superuser.connect();
  await seed(superuser, siteId, count).catch(async (error: unknown) => {
    await superuser.end();
    throw error;
  });
  const { rows } = await superuser.query<{ mb: number }>(
    'SELECT pg_database_size(current_database())::float8 / 1048576 AS mb',
  );
  const cached = await serviceOver(url, '64', keys);
  const uncached = await serviceOver(url, '0', keys);
  return {
    count,
    siteId,
    megabytes: rows[0]?.mb ?? 0,
    cached,
    uncached,
    processorTime: ({ pid }) => new ProcessorTime(pid, superuser),
    close: async () => {
      await Promise.all([cached.stop(), uncached.stop()]);
      await superuser.end();
    },
  };
}

import { afterAll, beforeAll } from '@jest/globals';
import type { Response } from 'supertest';
import { startTestApp, type TestApp, type TestAppOptions } from './app.js';
import { send, type RestCall } from './call.js';
import { createArticleTypes } from './factories/content.js';
import { createProject, type ProjectOptions, type TestProject } from './factories/project.js';
import { useWorkerApp, type UsedApp } from './worker-app.js';

/** The service that the test files of a worker share; call the result only inside tests. */
export const useApp = (): (() => TestApp) => using(() => useWorkerApp());

/**
 * A separate service and database. Use it in test files that pass options, run jobs (a job covers all tenants), or read or
 * count the rows of all tenants.
 */
export const useOwnApp = (options: TestAppOptions = {}): (() => TestApp) =>
  using(async () => {
    const app = await startTestApp(options);
    return { app, done: () => app.close() };
  });

/** A service for all tests of a file. */
export function using(open: () => Promise<UsedApp>): () => TestApp {
  let used: UsedApp | undefined;
  beforeAll(async () => {
    used = await open();
  });
  afterAll(() => used?.done());
  return () => {
    if (used === undefined) throw new Error('The service of a test file starts before its tests.');
    return used.app;
  };
}

/** A project and a client of its management API with one credential. */
export class Desk {
  constructor(
    readonly app: TestApp,
    readonly project: TestProject,
    private readonly key: string | undefined = project.keys.management,
    private readonly environment?: string,
  ) {}

  /** The same project with another credential, or none. */
  as(key: string | undefined): Desk {
    return new Desk(this.app, this.project, key ?? '', this.environment);
  }

  /** The same credential, whose calls name an environment. */
  in(environment: string): Desk {
    return new Desk(this.app, this.project, this.key, environment);
  }

  get(path: string): Promise<Response> {
    return this.#call({ method: 'GET', path });
  }

  post(path: string, body?: object): Promise<Response> {
    return this.#call({ method: 'POST', path, body });
  }

  put(path: string, body?: object): Promise<Response> {
    return this.#call({ method: 'PUT', path, body });
  }

  delete(path: string): Promise<Response> {
    return this.#call({ method: 'DELETE', path });
  }

  async newKey(body: object): Promise<{ id: string; secret: string }> {
    const made = await this.post('/api-keys', { name: 'Key', ...body });
    return (made.body as { data: { id: string; secret: string } }).data;
  }

  #call({ method, path, body }: RestCall): Promise<Response> {
    const key = this.key === '' ? undefined : this.key;
    return send(this.app, {
      method,
      path: `${this.project.management}${path}`,
      body,
      key,
      environment: this.environment,
    });
  }
}

/** Creates a project with the types `article` and `author`. */
export async function openDesk(app: TestApp, options?: ProjectOptions): Promise<Desk> {
  const project = await createProject(app, options);
  await createArticleTypes(app, project);
  return new Desk(app, project);
}

export function outcome({ status, body }: Response): [status: number, error: string | undefined] {
  return [status, (body as { error?: string }).error];
}

export function issues({ body }: Response): [path: string, code: string][] {
  const { details } = body as { details?: { issues?: { path: (string | number)[]; code: string }[] } };
  return (details?.issues ?? []).map(({ path, code }) => [path.join('.'), code]);
}

export function column({ body }: Response, key: string): unknown[] {
  return (body as { data: Record<string, unknown>[] }).data.map((item) => item[key]);
}

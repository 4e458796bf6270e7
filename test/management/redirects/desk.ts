import type { Response } from 'supertest';
import { send } from '../../support/call.js';
import { openDesk, type Desk } from '../../support/desk.js';
import type { TestApp } from '../../support/app.js';

export interface TestRedirect {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly locale: string | null;
  readonly [key: string]: unknown;
}

export interface TestReport {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
  readonly deleted: number;
  readonly errors: readonly { line: number; code: string; message: string }[];
  readonly dryRun: boolean;
}

export class RedirectDesk {
  constructor(readonly desk: Desk) {}

  static async open(app: TestApp): Promise<RedirectDesk> {
    return new RedirectDesk(await openDesk(app));
  }

  get siteId(): string {
    return this.desk.project.siteId;
  }

  create(source: string, target: string | null, more: object = {}): Promise<Response> {
    return this.desk.post('/redirects', { siteId: this.siteId, source, target, ...more });
  }

  async made(source: string, target: string, more: object = {}): Promise<TestRedirect> {
    const response = await this.create(source, target, more);
    if (response.status !== 201) throw new Error(response.text);
    return (response.body as { data: TestRedirect }).data;
  }

  /** What delivery answers at a path of the site. */
  route(path: string): Promise<Response> {
    const { app, project } = this.desk;
    const at = `${project.delivery}/routes?path=${encodeURIComponent(path)}`;
    return send(app, { method: 'GET', path: at, key: project.keys.delivery });
  }

  /** The target that a request gets, or the error. */
  async leadsTo(path: string): Promise<unknown> {
    const { status, body } = await this.route(path);
    return status === 200 ? (body.data as { target?: string }).target : [status, body.error];
  }

  /** The target of a new redirect, or the code of its refusal. */
  async codeOf(source: string, target: string | null, more: object = {}): Promise<unknown> {
    const { status, body } = await this.create(source, target, more);
    if (status === 201) return (body as { data: { target: string | null } }).data.target;
    const { error, details } = body as { error: string; details?: { issues?: { code: string }[] } };
    return error === 'validation_failed' ? details?.issues?.[0]?.code : error;
  }

  /** Ordered by source. */
  async all(query = ''): Promise<TestRedirect[]> {
    const { body } = await this.desk.get(`/redirects?limit=100&orderBy=source:asc${query}`);
    return (body as { data: TestRedirect[] }).data;
  }

  async pairs(): Promise<string[]> {
    return (await this.all()).map(({ source, target }) => `${source} ${target}`);
  }

  async import(csv: string | Buffer, query = '', type = 'text/csv'): Promise<Response> {
    const { app, project } = this.desk;
    return app.request
      .post(`${project.management}/redirects/import${query}`)
      .set('Authorization', `Bearer ${project.keys.management}`)
      .set('Content-Type', type)
      .serialize((value: unknown) => value as string)
      .send(csv as string);
  }

  /** Expects success. */
  async imported(csv: string, query = ''): Promise<TestReport> {
    const response = await this.import(csv, query);
    if (response.status !== 200) throw new Error(response.text);
    return (response.body as { data: TestReport }).data;
  }

  async export(query = ''): Promise<Response> {
    return this.desk.get(`/redirects/export${query}`);
  }
}

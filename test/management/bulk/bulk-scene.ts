import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import type { TestApp } from '../../support/app.js';
import { must, send } from '../../support/call.js';
import {
  createArticleTypes,
  createEntry,
  createType,
  type TestEntry,
} from '../../support/factories/content.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';

/** An unknown id. */
export const MISSING = '0198c0de-0000-7000-8000-000000000000';

interface Item {
  entryId: string;
  ok: boolean;
  error?: string;
  newEntryId?: string;
  jobId?: string;
}

export interface Result {
  action: string;
  total: number;
  succeeded: number;
  failed: number;
  results: Item[];
}

/** A project with articles and calls of the bulk operation. */
export class BulkScene {
  private constructor(
    readonly app: TestApp,
    readonly project: TestProject,
  ) {}

  /** With the types `article` and `menu`, whose references restrict articles. */
  static async open(app: TestApp): Promise<BulkScene> {
    const project = await createProject(app);
    await createArticleTypes(app, project);
    const settings = { contentTypes: ['article'], onTargetUnpublish: 'restrict' };
    await createType(app, project, {
      apiName: 'menu',
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'keeps', type: 'reference', settings },
      ],
    });
    return new BulkScene(app, project);
  }

  article(fields: Record<string, unknown> = { title: `Article ${unique()}` }): Promise<TestEntry> {
    return createEntry(this.app, this.project, { contentTypeApiName: 'article', fields });
  }

  async articles(count: number): Promise<TestEntry[]> {
    return Promise.all(Array.from({ length: count }, () => this.article()));
  }

  bulk(body: object, key = this.project.keys.management): Promise<Response> {
    return send(this.app, { method: 'POST', path: `${this.project.management}/entries/bulk`, key, body });
  }

  async outcome(body: object, key?: string): Promise<Result> {
    const response = await this.bulk(body, key);
    expect([response.status, response.body]).toEqual([200, expect.anything()]);
    return (response.body as { data: Result }).data;
  }

  post<T = { id: string }>(suffix: string, body: object): Promise<T> {
    const { management, keys } = this.project;
    return must<T>(this.app, { method: 'POST', path: `${management}${suffix}`, key: keys.management, body });
  }

  read(id: string): Promise<TestEntry> {
    const { management, keys } = this.project;
    return must(this.app, { method: 'GET', path: `${management}/entries/${id}`, key: keys.management });
  }

  async statuses(ids: readonly string[]): Promise<string[]> {
    return (await Promise.all(ids.map((id) => this.read(id)))).map(({ status }) => status);
  }

  records(response: Response): Promise<{ action: string; before: object; after: object }[]> {
    return this.app.rows(
      null,
      "SELECT action, before, after FROM audit_events WHERE context ->> 'requestId' = $1 ORDER BY number",
      [String(response.headers['x-request-id'])],
    );
  }
}

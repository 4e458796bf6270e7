import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import type { Release, ReleaseChange, ReleaseDetail } from '../../../contracts/entries/releases/release.js';
import { createArticleTypes, createEntry, type TestEntry } from '../../support/factories/content.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { createPageType } from '../../support/factories/tree.js';
import { send } from '../../support/call.js';
import { Desk } from '../../support/desk.js';
import type { TestApp } from '../../support/app.js';

interface Issue {
  readonly itemId: string | null;
  readonly code: string;
}

/** A project with articles and pages, and calls on its releases. */
export class ReleaseDesk {
  private constructor(readonly desk: Desk) {}

  static async open(app: TestApp): Promise<ReleaseDesk> {
    const project = await createProject(app);
    await createArticleTypes(app, project);
    await createPageType(app, project);
    return new ReleaseDesk(new Desk(app, project));
  }

  /** Calls on releases of a project that has its types. */
  static over(app: TestApp, project: TestProject): ReleaseDesk {
    return new ReleaseDesk(new Desk(app, project));
  }

  get app(): TestApp {
    return this.desk.app;
  }

  article(fields: Record<string, unknown> = { title: `Article ${unique()}` }): Promise<TestEntry> {
    return createEntry(this.app, this.desk.project, { contentTypeApiName: 'article', fields });
  }

  author(): Promise<TestEntry> {
    const { project } = this.desk;
    return createEntry(this.app, project, { contentTypeApiName: 'author', fields: { name: 'Ann' } });
  }

  /** The body of a call that must succeed. */
  async ok<T>(answer: Promise<Response>, status = 200): Promise<T> {
    const response = await answer;
    expect([response.status, response.body]).toEqual([status, expect.anything()]);
    return response.body as T;
  }

  async data<T>(answer: Promise<Response>, status = 200): Promise<T> {
    return (await this.ok<{ data: T }>(answer, status)).data;
  }

  /** A release of these items. */
  async release(items: readonly object[], more: object = {}): Promise<ReleaseDetail> {
    const body = { name: `Release ${unique()}`, ...more };
    const { id } = await this.data<Release>(this.desk.post('/releases', body), 201);
    if (items.length === 0) return this.read(id);
    return this.data<ReleaseDetail>(this.desk.post(`/releases/${id}/items`, { items }));
  }

  read(id: string): Promise<ReleaseDetail> {
    return this.data(this.desk.get(`/releases/${id}`));
  }

  publish(id: string, body: object = {}): Promise<Response> {
    return this.desk.post(`/releases/${id}/publish`, body);
  }

  async published(
    id: string,
    body: object = {},
  ): Promise<{ data: Release; meta: { changes: ReleaseChange[] } }> {
    return this.ok(this.publish(id, body));
  }

  rollback(id: string): Promise<Response> {
    return this.desk.post(`/releases/${id}/rollback`);
  }

  async edit(entry: { id: string }, body: Record<string, unknown>): Promise<TestEntry> {
    const { version } = await this.data<TestEntry>(this.desk.get(`/entries/${entry.id}`));
    return this.data(this.desk.put(`/entries/${entry.id}`, { version, ...body }));
  }

  publishEntry(entry: { id: string }, body: object = {}): Promise<TestEntry> {
    return this.data(this.desk.post(`/entries/${entry.id}/publish`, body));
  }

  /** What readers see of an entry; undefined if it is not live. */
  async live({ id }: { id: string }, locale = 'en'): Promise<Record<string, unknown> | undefined> {
    const path = `${this.desk.project.delivery}/entries/${id}?locale=${locale}&fallback=false`;
    const { status, body } = await send(this.app, { method: 'GET', path });
    return status === 200 ? (body as { data: Record<string, unknown> }).data : undefined;
  }

  async title(entry: { id: string }, locale = 'en'): Promise<unknown> {
    return ((await this.live(entry, locale))?.fields as { title?: string } | undefined)?.title;
  }

  /** What a path leads to: the id of an entry, `→ target`, or the code of a failure. */
  async route(path: string): Promise<string> {
    const url = `${this.desk.project.delivery}/routes?path=${encodeURIComponent(path)}`;
    const { body } = await send(this.app, { method: 'GET', path: url });
    const { data, error } = body as {
      data?: { entry?: { _id: string }; target?: string };
      error?: string;
    };
    return data?.entry?._id ?? (data?.target === undefined ? (error ?? 'nothing') : `→ ${data.target}`);
  }
}

export const entryItem = (entry: { id: string }, more: object = {}) => ({
  kind: 'entry',
  entryId: entry.id,
  locale: 'en',
  action: 'publish',
  ...more,
});

/** The status and error of a failure, and the codes of the items that it names. */
export function failure({ status, body }: Response): object {
  const { error, details } = body as { error: string; details?: { items?: Issue[] } };
  return { status, error, codes: (details?.items ?? []).map(({ code }) => code) };
}

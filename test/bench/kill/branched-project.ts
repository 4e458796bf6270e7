import { createHash } from 'node:crypto';
import type pg from 'pg';
import { stateBind, stateSql } from '../../support/environment-state.js';
import { waitFor } from '../../support/wait-for.js';
import type { KillCall, KillClient, Reply } from './client.js';
import type { Place } from './place.js';

/** Requests sent at a time. */
const PARALLEL = 8;

interface Environment {
  readonly slug: string;
  readonly status: string;
}

/** A project whose branch changes every entry, the name of their type and of their field. */
export class BranchedProject {
  #projectId = '';

  constructor(
    private readonly client: KillClient,
    private readonly database: pg.Client,
    private readonly place: Place,
  ) {}

  #call(method: KillCall['method'], path: string, body?: object, environment?: string): KillCall {
    return {
      method,
      path: `${this.place.management}${path}`,
      ...(body && { body }),
      ...(environment !== undefined && { environment }),
    };
  }

  /** Creates entries and the branch `redesign`, in which all of them differ. */
  async prepare(entryCount: number): Promise<void> {
    const { rows } = await this.database.query<{ id: string }>('SELECT id FROM projects');
    this.#projectId = rows[0]?.id ?? '';
    const ids: string[] = [];
    const { siteId } = this.place;
    await this.#each(entryCount, async (index) => {
      const body = { contentTypeApiName: 'article', siteId, fields: { title: `Article ${index}` } };
      const { id } = await this.client.must(this.#call('POST', '/entries', body));
      await this.client.must(this.#call('POST', `/entries/${id}/publish`, {}));
      ids.push(id);
    });
    await this.client.must(this.#call('POST', '/environments', { slug: 'redesign', name: 'Redesign' }));
    await this.untilReady('redesign');
    await this.#each(entryCount, async (index) => {
      const body = { version: 1, fields: { title: `Story ${index}` } };
      await this.client.must(this.#call('PUT', `/entries/${ids[index] ?? ''}`, body, 'redesign'));
    });
    const rename = '/content-types/article/fields/title/rename';
    await this.client.must(this.#call('POST', rename, { apiName: 'headline' }, 'redesign'));
    const type = '/content-types/article/rename';
    await this.client.must(this.#call('POST', type, { apiName: 'story' }, 'redesign'));
  }

  async #each(count: number, run: (index: number) => Promise<void>): Promise<void> {
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < count; index = next++) await run(index);
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  }

  copy(slug: string): Promise<Reply> {
    return this.client.send(this.#call('POST', '/environments', { slug, name: slug }));
  }

  promote(): Promise<Reply> {
    return this.client.send(this.#call('POST', '/environments/redesign/promote', { mode: 'full' }));
  }

  /** Of the last promotion that was not rolled back. */
  async rollback(): Promise<Reply> {
    const { rows } = await this.database.query<{ id: string }>(
      'SELECT id FROM promotions WHERE rolled_back_at IS NULL ORDER BY created_at DESC LIMIT 1',
    );
    const body = { promotionId: rows[0]?.id };
    return this.client.send(this.#call('POST', '/environments/main/rollback', body));
  }

  async #environment(slug: string): Promise<Environment | undefined> {
    const all = await this.client.must<Environment[]>(this.#call('GET', '/environments?limit=100'));
    return all.find((one) => one.slug === slug);
  }

  /** Waits for running work on the environment; false if there is no such environment. */
  async untilReady(slug: string): Promise<boolean> {
    let isThere = false;
    await waitFor(`environment ${slug} is ready`, async () => {
      const environment = await this.#environment(slug);
      if (environment?.status === 'failed') throw new Error(`${slug} failed`);
      isThere = environment !== undefined;
      return environment === undefined || environment.status === 'ready';
    });
    return isThere;
  }

  /** Of everything that the environment stores and serves, once the texts of documents whose values changed are written. */
  async state(slug: string): Promise<string> {
    await waitFor(`every document of ${slug} has its text`, async () => {
      const { rowCount } = await this.database.query(
        `SELECT FROM published_entries p JOIN environments e ON e.id = p.environment_id
         WHERE e.project_id = $1 AND e.slug = $2 AND p.body IS NULL LIMIT 1`,
        [this.#projectId, slug],
      );
      return rowCount === 0;
    });
    const { rows } = await this.database.query<{ state: object }>(
      stateSql,
      stateBind(this.#projectId, slug, ['filter_values']),
    );
    return createHash('sha256').update(JSON.stringify(rows[0]?.state)).digest('hex');
  }

  /** Promotions and rollbacks without their audit record, and the other way round. */
  async unrecorded(): Promise<number> {
    const { rows } = await this.database.query<{ wrong: number }>(
      `SELECT (abs(count(*) - (SELECT count(*) FROM audit_events WHERE action = 'environment.promote'))
         + abs(count(rolled_back_at) - (SELECT count(*) FROM audit_events WHERE action = 'environment.rollback')))::int AS wrong
       FROM promotions`,
    );
    return rows[0]?.wrong ?? -1;
  }
}

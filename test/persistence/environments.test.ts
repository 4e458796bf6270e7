import { describe, expect, it } from '@jest/globals';
import { newId } from '../../src/infrastructure/ids.js';
import { systemScope, type Address } from '../../src/persistence/work/unit-of-work.js';
import { RedirectRepository } from '../../src/features/routing/redirects/redirect.repository.js';
import { TreeLockRepository } from '../../src/features/routing/tree/tree-lock.repository.js';
import { send } from '../support/call.js';
import { column, openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createArticleTypes, createEntry, publish } from '../support/factories/content.js';
import type { TestProject } from '../support/factories/project.js';

const app = useOwnApp();

/** Two environments of a project, each with a management and a delivery key. */
interface Environments {
  readonly desk: Desk;
  readonly main: Place;
  readonly other: Place;
}

interface Place {
  readonly address: Address;
  readonly project: TestProject;
  readonly desk: Desk;
  readonly deliveryKey: string;
}

async function boundKey(desk: Desk, type: string, environmentId: string): Promise<string> {
  const { id, secret } = await desk.newKey({ type });
  await app().rows(desk.project.tenantId, 'UPDATE api_keys SET environment_id = $1 WHERE id = $2', [
    environmentId,
    id,
  ]);
  return secret;
}

async function openEnvironments(): Promise<Environments> {
  const desk = await openDesk(app());
  const { tenantId, projectId, slug } = desk.project;
  const rows = <T extends object>(sql: string, values: unknown[]) => app().rows<T>(tenantId, sql, values);
  const [main] = await rows<{ id: string; slug: string }>(
    'SELECT id, slug FROM environments WHERE project_id = $1',
    [projectId],
  );
  const other = { id: newId(), slug: 'other' };
  await rows(
    `INSERT INTO environments (tenant_id, project_id, id, slug, name, is_default, is_protected, created_at, updated_at)
     VALUES ($1, $2, $3, $4, 'Other', false, false, now(), now())`,
    [tenantId, projectId, other.id, other.slug],
  );
  const placeIn = async (environment: { id: string; slug: string }): Promise<Place> => {
    const management = await boundKey(desk, 'management', environment.id);
    return {
      address: { tenant: { id: tenantId }, project: { id: projectId, slug }, environment },
      project: { ...desk.project, keys: { ...desk.project.keys, management } },
      desk: desk.as(management),
      deliveryKey: await boundKey(desk, 'delivery', environment.id),
    };
  };
  return { desk, main: await placeIn(main ?? other), other: await placeIn(other) };
}

describe('Two environments of one project', () => {
  it('separates catalogs and lists of two environments', async () => {
    const { desk, main, other } = await openEnvironments();
    await other.desk.post('/content-types', { apiName: 'leaflet', name: 'Leaflet' });
    expect(column(await desk.get('/content-types'), 'apiName').sort()).toEqual(['article', 'author']);
    expect(column(await main.desk.get('/content-types'), 'apiName').sort()).toEqual(['article', 'author']);
    expect(column(await other.desk.get('/content-types'), 'apiName')).toEqual(['leaflet']);
    const made = await other.desk.post('/entries', {
      contentTypeApiName: 'leaflet',
      siteId: desk.project.siteId,
      fields: {},
    });
    expect([made.status, made.body.data?.environment]).toEqual([201, 'other']);
    expect(column(await other.desk.get('/entries'), 'id')).toEqual([made.body.data.id]);
    expect(column(await desk.get('/entries'), 'id')).toEqual([]);
    expect((await desk.get(`/entries/${String(made.body.data.id)}`)).status).toBe(404);
  });

  it('separates delivered responses of two environments, and a publish purges only its own', async () => {
    const { desk, main, other } = await openEnvironments();
    await createArticleTypes(app(), other.project);
    const published = async (project: TestProject) => {
      const body = { contentTypeApiName: 'article', fields: { title: 'Article' } };
      const { id } = await createEntry(app(), project, body);
      await publish(app(), project, id);
      return id;
    };
    const delivered = (): Promise<unknown[][]> =>
      Promise.all(
        [undefined, main.deliveryKey, other.deliveryKey].map(async (key) =>
          column(
            await send(app(), {
              method: 'GET',
              path: `${desk.project.delivery}/content/article`,
              ...(key && { key }),
            }),
            '_id',
          ),
        ),
      );
    const theirs = await published(other.project);
    await delivered();
    expect(await delivered()).toEqual([[], [], [theirs]]);
    const ours = await published(desk.project);
    expect(await delivered()).toEqual([[ours], [ours], [theirs]]);
  });

  it('takes separate locks for two environments', async () => {
    const { desk, main, other } = await openEnvironments();
    const { units } = app().composition.services;
    const requestIn = ({ address }: Place) =>
      ({ scope: systemScope({ address }), isReadOnly: false, lock: 'content' }) as const;
    const held = await units.run(requestIn(main), async (work) => {
      await work.use(RedirectRepository).lockAll();
      await work.use(TreeLockRepository).lock([desk.project.siteId], 'exclusive');
      // Would deadlock if both environments shared their locks.
      return units.run(requestIn(other), async (inner) => {
        await inner.use(RedirectRepository).lockAll();
        await inner.use(TreeLockRepository).lock([desk.project.siteId], 'exclusive');
        return inner.scope.environmentSlug;
      });
    });
    expect(held).toBe('other');
  });

  it('names the environment in audit records', async () => {
    const { desk, other } = await openEnvironments();
    await other.desk.post('/content-types', { apiName: 'leaflet', name: 'Leaflet' });
    const rows = await app().rows<{ action: string; environment: string }>(
      desk.project.tenantId,
      "SELECT action, environment FROM audit_events WHERE project_id = $1 AND target ->> 'name' = 'Leaflet'",
      [desk.project.projectId],
    );
    expect(rows).toEqual([{ action: 'content_type.create', environment: 'other' }]);
  });
});

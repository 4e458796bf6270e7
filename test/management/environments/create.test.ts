import { describe, expect, it, jest } from '@jest/globals';
import { EnvironmentWork } from '../../../src/features/environments/environments/index.js';
import { column, openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { unique } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';
import { copiesOf, rowsOf } from './copied-rows.js';

const app = useOwnApp();

async function article({ project }: Desk): Promise<string> {
  const { id } = await createEntry(app(), project, {
    contentTypeApiName: 'article',
    fields: { title: 'Article' },
  });
  await publish(app(), project, id);
  return id;
}

const create = (desk: Desk, body: object = {}) =>
  desk.post('/environments', { slug: `e-${unique()}`, name: 'Branch', ...body });

const refuseReady = ({ project }: Desk) =>
  app().rows(
    project.tenantId,
    `DO $do$ BEGIN
       CREATE FUNCTION refuse_ready() RETURNS trigger LANGUAGE plpgsql AS
         $fn$ BEGIN IF NEW.status = 'ready' THEN RAISE 'refused'; END IF; RETURN NEW; END $fn$;
       CREATE TRIGGER refuse_ready BEFORE UPDATE ON environments FOR EACH ROW EXECUTE FUNCTION refuse_ready();
     END $do$`,
  );

const allowReady = ({ project }: Desk) => app().rows(project.tenantId, 'DROP FUNCTION refuse_ready CASCADE');

describe('POST environments', () => {
  verifies('environments/copy-snapshot');

  it('copies every row of the base, and nothing changes there', async () => {
    const desk = await openDesk(app());
    const id = await article(desk);
    await desk.post('/redirects', { siteId: desk.project.siteId, source: '/old', target: '/new' });
    await desk.post('/tree/nodes', { type: 'page', entryId: id, siteId: desk.project.siteId });
    await desk.post(`/entries/${id}/publish`, { scheduledAt: '2099-01-01T00:00:00Z' });
    const made = await create(desk);
    expect([made.status, made.body.data]).toEqual([
      201,
      expect.objectContaining({ status: 'ready', progress: null, baseEnvironment: 'main', entryCount: 1 }),
    ]);
    const { main, copy } = await copiesOf(app(), desk.project, made.body.data.id);
    expect(copy).toEqual(main);
    expect(Object.keys(main)).toEqual(
      expect.arrayContaining(['entries', 'routes', 'redirects', 'translations']),
    );
    const branch = desk.in(made.body.data.slug);
    expect((await branch.get(`/entries/${id}/schedules`)).body.meta.total).toBe(0);
    await branch.put(`/entries/${id}`, { version: 1, locale: 'en', fields: { title: 'Changed' } });
    expect((await copiesOf(app(), desk.project, made.body.data.id)).main).toEqual(main);
    expect((await branch.get(`/entries/${id}`)).body.data.fields.title).toBe('Changed');
  });

  it('copies the schema alone, or starts empty', async () => {
    const desk = await openDesk(app());
    await article(desk);
    const schema = await create(desk, { copyContent: false });
    expect(schema.body.data).toMatchObject({ status: 'ready', entryCount: 0, baseEnvironment: 'main' });
    const types = await desk.in(schema.body.data.slug).get('/content-types');
    expect(column(types, 'apiName').sort()).toEqual(['article', 'author']);
    const empty = await create(desk, { from: null });
    expect(empty.body.data).toMatchObject({ status: 'ready', entryCount: 0, baseEnvironment: null });
    expect((await desk.in(empty.body.data.slug).get('/content-types')).body.meta.total).toBe(0);
    expect(column(await desk.in(empty.body.data.slug).get('/workflows'), 'slug')).toEqual(['default']);
    const copy = await create(desk, { from: schema.body.data.slug });
    expect(copy.body.data.baseEnvironment).toBe(schema.body.data.slug);
  });

  it('refuses taken and reserved slugs, unknown bases and bases that are not ready', async () => {
    const desk = await openDesk(app());
    expect(outcome(await create(desk, { slug: 'main' }))).toEqual([409, 'slug_conflict']);
    expect(outcome(await create(desk, { slug: 'select' }))).toEqual([422, 'reserved_slug']);
    expect(outcome(await create(desk, { from: 'nothing' }))).toEqual([404, 'environment_not_found']);
    const { slug } = (await create(desk)).body.data;
    await app().rows(desk.project.tenantId, "UPDATE environments SET status = 'creating' WHERE slug = $1", [
      slug,
    ]);
    expect(outcome(await create(desk, { from: slug }))).toEqual([409, 'environment_not_ready']);
    expect(outcome(await desk.delete('/environments/main'))).toEqual([409, 'environment_is_default']);
    expect(outcome(await desk.delete(`/environments/${slug}`))).toEqual([409, 'environment_not_ready']);
    expect(outcome(await desk.put(`/environments/${slug}`, { name: 'New' }))).toEqual([
      409,
      'environment_not_ready',
    ]);
  });

  it('shows nothing of an environment before all of it is copied, and ends a copy that was interrupted', async () => {
    const desk = await openDesk(app());
    await article(desk);
    const run = jest.spyOn(EnvironmentWork.prototype, 'run').mockResolvedValue();
    const made = await create(desk).finally(() => {
      run.mockRestore();
    });
    const { id, slug } = made.body.data;
    expect([made.status, made.body.data.status, made.body.data.progress]).toEqual([
      201,
      'creating',
      { done: 0, total: 0 },
    ]);
    expect(outcome(await desk.in(slug).get('/entries'))).toEqual([404, 'environment_not_found']);
    expect(outcome(await desk.post('/environments/select', { slug }))).toEqual([
      409,
      'environment_not_ready',
    ]);
    // As if the process had been killed after the last row: the server rolls back.
    await refuseReady(desk);
    const { jobs } = app().composition;
    expect(await jobs.workOnEnvironments()).toBeGreaterThan(0);
    expect(await rowsOf(app(), desk.project, id)).toEqual({});
    const { status, progress } = (await desk.get(`/environments/${String(slug)}`)).body.data;
    expect([status, progress.done > 0, progress.done < progress.total]).toEqual(['creating', true, true]);
    await allowReady(desk);
    await app().rows(null, "UPDATE environment_jobs SET next_attempt_at = now() - interval '1 second'");
    await jobs.workOnEnvironments();
    expect((await desk.get(`/environments/${String(slug)}`)).body.data).toMatchObject({
      status: 'ready',
      progress: null,
    });
    const { main, copy } = await copiesOf(app(), desk.project, id);
    expect(copy).toEqual(main);
  });

  it('marks a copy that keeps failing as failed, which can be deleted', async () => {
    const desk = await openDesk(app());
    await refuseReady(desk);
    const made = await create(desk);
    expect([made.status, made.body.data.status]).toEqual([201, 'creating']);
    const { id, slug } = made.body.data;
    await app().rows(
      null,
      "UPDATE environment_jobs SET attempts = 3, next_attempt_at = now() - interval '1 second'",
    );
    await app().composition.jobs.workOnEnvironments();
    await allowReady(desk);
    expect((await desk.get(`/environments/${String(slug)}`)).body.data.status).toBe('failed');
    expect((await desk.delete(`/environments/${String(slug)}`)).status).toBe(200);
    await app().composition.jobs.workOnEnvironments();
    expect(await app().rows(desk.project.tenantId, 'SELECT FROM environments WHERE id = $1', [id])).toEqual(
      [],
    );
  });
});

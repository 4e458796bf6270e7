import { describe, expect, it } from '@jest/globals';
import { lastingTables } from '../../../src/features/environments/environments/copy/environment-tables.js';
import { send } from '../../support/call.js';
import { column, openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { superAdmin, unique } from '../../support/factories/project.js';
import { createMember, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { rowsOf } from './copied-rows.js';

const app = useOwnApp();

const editorToken = async ({ project }: Desk): Promise<string> =>
  (await createMember(app(), project, [await systemRoleId(app(), project, 'editor')])).token;

async function branched(): Promise<{ desk: Desk; slug: string; id: string; entryId: string }> {
  const desk = await openDesk(app());
  const body = { contentTypeApiName: 'article', fields: { title: 'Main' } };
  const { id: entryId } = await createEntry(app(), desk.project, body);
  await publish(app(), desk.project, entryId);
  const made = await desk.post('/environments', { slug: `e-${unique()}`, name: 'Branch' });
  const { slug, id } = made.body.data as { slug: string; id: string };
  const branch = desk.in(slug);
  await branch.put(`/entries/${entryId}`, { version: 1, locale: 'en', fields: { title: 'Branch' } });
  await branch.post(`/entries/${entryId}/publish`, {});
  return { desk, slug, id, entryId };
}

const title = async (desk: Desk, entryId: string) =>
  (await desk.get(`/entries/${entryId}`)).body.data?.fields.title;

const delivered = async ({ project }: Desk, key: string | undefined, environment?: string) => {
  const path = `${project.delivery}/content/article`;
  const response = await send(app(), { method: 'GET', path, key, environment });
  return response.status === 200 ? response.body.data[0].fields.title : outcome(response);
};

const graphql = async ({ project }: Desk, key: string, environment?: string) => {
  const response = await send(app(), {
    method: 'POST',
    path: `/api/graphql/${project.slug}`,
    key,
    environment,
    body: { query: '{ articleCollection { items { title } } }' },
  });
  return response.body.data?.articleCollection.items[0].title ?? outcome(response);
};

describe('X-Environment', () => {
  verifies('environments/header', 'environments/choice');

  it('decides for one management call, over REST and tRPC', async () => {
    const { desk, slug, entryId } = await branched();
    expect([await title(desk, entryId), await title(desk.in(slug), entryId)]).toEqual(['Main', 'Branch']);
    expect(outcome(await desk.in('nothing').get('/entries'))).toEqual([404, 'environment_not_found']);
    expect(outcome(await desk.in('x'.repeat(5000)).get('/entries'))).toEqual([404, 'environment_not_found']);
    const input = encodeURIComponent(JSON.stringify({ projectSlug: desk.project.slug, id: entryId }));
    const response = await send(app(), {
      method: 'GET',
      path: `/api/trpc/entries.get?input=${input}`,
      key: desk.project.keys.management,
      environment: slug,
    });
    expect(response.body.result.data.data.environment).toBe(slug);
  });

  it('decides for preview and management keys on delivery and GraphQL, and is refused for the public', async () => {
    const { desk, slug } = await branched();
    const { keys } = desk.project;
    expect(await delivered(desk, keys.preview, slug)).toBe('Branch');
    expect(await delivered(desk, keys.preview)).toBe('Main');
    expect(await graphql(desk, keys.preview, slug)).toBe('Branch');
    expect(await graphql(desk, keys.preview)).toBe('Main');
    for (const key of [undefined, keys.delivery]) {
      expect(await delivered(desk, key, slug)).toEqual([403, 'environment_not_allowed']);
      expect(await delivered(desk, key, 'nothing')).toEqual([403, 'environment_not_allowed']);
      expect(await delivered(desk, key, 'main')).toBe('Main');
      expect(await delivered(desk, key)).toBe('Main');
    }
  });

  it('is refused to keys that are bound to another environment', async () => {
    const { desk, slug, entryId } = await branched();
    const bound = desk.as((await desk.newKey({ type: 'management', environment: slug })).secret);
    expect(await title(bound, entryId)).toBe('Branch');
    expect(await title(bound.in(slug), entryId)).toBe('Branch');
    expect(outcome(await bound.in('main').get('/entries'))).toEqual([403, 'environment_not_allowed']);
    expect(outcome(await bound.in('nothing').get('/entries'))).toEqual([403, 'environment_not_allowed']);
    expect(outcome(await bound.post('/environments/select', { slug: 'main' }))).toEqual([
      403,
      'environment_not_allowed',
    ]);
    const delivery = await desk.newKey({ type: 'delivery', environment: slug });
    expect(await delivered(desk, delivery.secret)).toBe('Branch');
    expect(await graphql(desk, delivery.secret)).toBe('Branch');
    const created = await bound.post('/environments', { slug: `e-${unique()}`, name: 'Branch' });
    expect(outcome(created)).toEqual([403, 'permission_denied']);
  });

  it('decides what a calendar feed shows, whatever is selected when it is read', async () => {
    const { desk, slug } = await branched();
    const urlIn = async (where: Desk): Promise<string> => {
      const { body } = await where.get('/calendar/feed-url');
      return (body as { data: { url: string } }).data.url;
    };
    const feed = async (url: string): Promise<string> =>
      String((await app().request.get(url).responseType('text')).body);
    const [main, branch] = [await urlIn(desk), await urlIn(desk.in(slug))];
    expect([await feed(main), await feed(branch)]).toEqual([
      expect.stringContaining('Published Main (en)'),
      expect.stringContaining('Published Branch (en)'),
    ]);
    const editor = await editorToken(desk);
    const ofUser = await urlIn(desk.as(editor).in(slug));
    expect(await feed(ofUser)).toContain('Published Branch (en)');
  });
});

describe('POST environments/select', () => {
  verifies('environments/choice');

  it('holds for one key, not for others, and not for delivery', async () => {
    const { desk, slug, entryId } = await branched();
    const other = desk.as((await desk.newKey({ type: 'management' })).secret);
    const selected = await desk.post('/environments/select', { slug });
    expect(selected.body.data).toMatchObject({ slug, isSelected: true });
    expect([await title(desk, entryId), await title(other, entryId)]).toEqual(['Branch', 'Main']);
    expect(await title(desk.in('main'), entryId)).toBe('Main');
    expect(await delivered(desk, desk.project.keys.management)).toBe('Main');
    const shown = (await desk.get('/environments')).body.data as { slug: string; isSelected: boolean }[];
    expect(shown.filter(({ isSelected }) => isSelected).map((one) => one.slug)).toEqual([slug]);
    await desk.post('/environments/select', { slug: 'main' });
    expect(await title(desk, entryId)).toBe('Main');
  });

  it('holds for a user in one project', async () => {
    const { desk, slug, entryId } = await branched();
    const user = desk.as(await editorToken(desk));
    expect((await user.post('/environments/select', { slug })).status).toBe(200);
    expect([await title(user, entryId), await title(desk, entryId)]).toEqual(['Branch', 'Main']);
  });
});

describe('A preview link of an entry in a branch', () => {
  verifies('environments/preview-links');

  async function linked() {
    const { desk, slug, entryId } = await branched();
    await desk.in(slug).put(`/entries/${entryId}`, { version: 2, locale: 'en', fields: { title: 'Draft' } });
    const made = await desk.in(slug).post(`/entries/${entryId}/preview`, {});
    const { token } = made.body.data as { token: string };
    const url = `${desk.project.delivery}/entries/${entryId}?previewToken=${token}`;
    const query = `{ entry(id: "${entryId}") { ... on Article { title } } }`;
    const ask = (key: string, headers: object = { 'X-Preview-Token': token }) =>
      app()
        .request.post(`/api/graphql/${desk.project.slug}`)
        .set('Authorization', `Bearer ${key}`)
        .set(headers as Record<string, string>)
        .send({ query });
    return { desk, slug, entryId, url, ask };
  }

  it('shows its draft without a key and leaves the published answer of the default environment', async () => {
    const { desk, slug, entryId, url } = await linked();
    const path = `${desk.project.delivery}/entries/${entryId}`;
    for (const key of [undefined, desk.project.keys.delivery, undefined]) {
      const { status, body, headers } = await send(app(), { method: 'GET', path: url, key });
      expect([status, body.data.fields.title]).toEqual([200, 'Draft']);
      expect(headers['cache-control']).toBe('private, no-store');
      const live = await send(app(), { method: 'GET', path, key });
      expect(live.body.data.fields.title).toBe('Main');
    }
    const named = await send(app(), {
      method: 'GET',
      path: url,
      key: desk.project.keys.preview,
      environment: 'main',
    });
    expect(outcome(named)).toEqual([403, 'invalid_preview_token']);
    const { secret: key } = await desk.newKey({ type: 'delivery', environment: 'main' });
    const bound = await send(app(), { method: 'GET', path: url, key });
    expect(outcome(bound)).toEqual([403, 'invalid_preview_token']);
    const own = (await desk.newKey({ type: 'delivery', environment: slug })).secret;
    expect((await send(app(), { method: 'GET', path: url, key: own })).status).toBe(200);
  });

  it('shows its draft and the schema of the branch over GraphQL', async () => {
    const { desk, slug, ask } = await linked();
    const { delivery } = desk.project.keys;
    const shown = await ask(delivery);
    expect([shown.body.data.entry.title, shown.headers['cache-control']]).toEqual([
      'Draft',
      'private, no-store',
    ]);
    expect((await ask(delivery, {})).body.data.entry.title).toBe('Main');
    await desk.in(slug).post('/content-types/article/fields/title/rename', { apiName: 'heading' });
    expect((await ask(delivery)).body.errors?.[0].message).toContain('title');
    expect((await ask(delivery, {})).body.data.entry.title).toBe('Main');
  });

  it('is refused once the environment is deleted', async () => {
    const { desk, slug, url, ask } = await linked();
    expect((await send(app(), { method: 'GET', path: url })).status).toBe(200);
    await desk.delete(`/environments/${slug}`);
    expect(outcome(await send(app(), { method: 'GET', path: url }))).toEqual([403, 'invalid_preview_token']);
    expect(outcome(await ask(desk.project.keys.delivery))).toEqual([403, 'invalid_preview_token']);
    await desk.post('/environments', { slug, name: 'Again' });
    expect(outcome(await send(app(), { method: 'GET', path: url }))).toEqual([403, 'invalid_preview_token']);
  });
});

describe('DELETE environments/{slug}', () => {
  verifies('environments/deletion');

  it('is gone at once, then with every row; selections fall back and bound keys are refused', async () => {
    const { desk, slug, id, entryId } = await branched();
    const selecting = desk.as((await desk.newKey({ type: 'management' })).secret);
    const bound = desk.as((await desk.newKey({ type: 'management', environment: slug })).secret);
    const editor = desk.as(await editorToken(desk));
    await selecting.post('/environments/select', { slug });
    await editor.post('/environments/select', { slug });
    await desk.in(slug).post(`/entries/${entryId}/unpublish`, { scheduledAt: '2099-01-01T00:00:00Z' });
    const main = (await desk.get('/environments/main')).body.data.id as string;
    const before = await rowsOf(app(), desk.project, main);
    expect((await desk.delete(`/environments/${slug}`)).body.data).toEqual({ id, deleted: true });
    expect(outcome(await desk.get(`/environments/${slug}`))).toEqual([404, 'environment_not_found']);
    expect(outcome(await desk.in(slug).get('/entries'))).toEqual([404, 'environment_not_found']);
    expect(await title(selecting, entryId)).toBe('Main');
    expect(await title(editor, entryId)).toBe('Main');
    expect(outcome(await bound.get('/entries'))).toEqual([403, 'environment_not_allowed']);
    const jobs = await app().rows(
      desk.project.tenantId,
      'SELECT status FROM scheduled_jobs WHERE environment_id = $1',
      [id],
    );
    expect(jobs).toEqual([{ status: 'canceled' }]);
    const again = await desk.post('/environments', { slug, name: 'Again' });
    expect(again.status).toBe(201);
    expect(outcome(await bound.get('/entries'))).toEqual([403, 'environment_not_allowed']);
    await app().composition.jobs.workOnEnvironments();
    await expectNothingOf(desk, id);
    expect(await rowsOf(app(), desk.project, main)).toEqual(before);
    expect(column(await desk.get('/environments'), 'slug')).toEqual(['main', slug]);
  });
});

async function expectNothingOf(desk: Desk, id: string): Promise<void> {
  const tables = await app().rows<{ name: string }>(
    null,
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND column_name = 'environment_id' AND table_type = 'BASE TABLE'
       AND table_name <> ALL ($1::text[])`,
    [[...lastingTables]],
  );
  for (const { name } of tables) {
    const left = await app().rows(desk.project.tenantId, `SELECT 1 FROM ${name} WHERE environment_id = $1`, [
      id,
    ]);
    expect([name, left.length]).toEqual([name, 0]);
  }
}

describe('A protected environment', () => {
  verifies('environments/protection');

  it('asks keys to confirm what is public or irreversible there, and to unprotect it', async () => {
    const { desk, slug, entryId } = await branched();
    const path = `/environments/${slug}`;
    expect((await desk.put(path, { isProtected: true })).body.data.isProtected).toBe(true);
    const branch = desk.in(slug);
    const asked = await branch.post(`/entries/${entryId}/unpublish`, {});
    expect(outcome(asked)).toEqual([409, 'confirmation_required']);
    const { confirmToken } = asked.body.details;
    const confirm = (environment: string) =>
      app()
        .request.post(`${desk.project.management}/entries/${entryId}/unpublish`)
        .set('Authorization', `Bearer ${desk.project.keys.management}`)
        .set('X-Environment', environment)
        .set('X-Confirm-Token', confirmToken)
        .send({});
    const update = { version: 2, locale: 'en', fields: {} };
    expect((await branch.put(`/entries/${entryId}`, update)).status).toBe(200);
    expect(
      (
        await desk
          .as(await editorToken(desk))
          .in(slug)
          .post(`/entries/${entryId}/publish`, {})
      ).status,
    ).toBe(200);
    expect((await confirm(slug)).status).toBe(200);
    expect((await desk.post(`/entries/${entryId}/unpublish`, {})).status).toBe(200);
    expect(outcome(await desk.put(path, { isProtected: false }))).toEqual([409, 'confirmation_required']);
    const owner = desk.as(await superAdmin(app()));
    expect(outcome(await owner.delete(path))).toEqual([409, 'environment_is_protected']);
    expect((await owner.put(path, { isProtected: false })).status).toBe(200);
    expect((await branch.post(`/entries/${entryId}/publish`, {})).status).toBe(200);
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { limits } from '../../../contracts/limits.js';
import { must, send } from '../../support/call.js';
import { column, issues, openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { createEntry, publish } from '../../support/factories/content.js';
import { createProject, superAdmin, unique } from '../../support/factories/project.js';
import { createMember, sessionWith, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';

const app = useOwnApp();
let desk: Desk;
let owner: Desk;

beforeEach(async () => {
  desk = await openDesk(app());
  owner = desk.as(await sessionWith(app(), desk.project, 'owner'));
});

const recordsOf = (requestId: unknown) =>
  app().rows<{ action: string; target: object; before: object | null; after: object | null; locale: string }>(
    null,
    "SELECT * FROM audit_events WHERE context ->> 'requestId' = $1",
    [requestId],
  );

/** Another project of the tenant. */
async function secondProject(): Promise<string> {
  const slug = `p-${unique()}`;
  await must(app(), {
    method: 'POST',
    path: `/api/v1/platform/tenants/${desk.project.tenantSlug}/projects`,
    key: await superAdmin(app()),
    body: { slug, name: 'Second' },
  });
  return slug;
}

describe('An owner of every project of the tenant', () => {
  verifies('localization/locales');

  it('creates a locale, which sites can use at once', async () => {
    const { status, body, headers } = await owner.post('/locales', { code: 'de-CH', fallbackCode: 'de' });
    const created = {
      code: 'de-CH',
      name: 'Swiss High German',
      isDefault: false,
      fallbackCode: 'de',
      isActive: true,
    };
    expect([status, body.data]).toEqual([201, created]);
    expect(headers.location).toBe(`${desk.project.management}/locales/de-CH`);
    expect((await owner.get('/locales/de-CH')).body.data).toEqual(created);
    expect(column(await owner.get('/locales'), 'code')).toEqual(['en', 'de', 'fr', 'de-CH']);
    expect((await desk.put('/sites/main', { locales: ['en', 'de', 'de-CH'] })).status).toBe(200);
    expect(await recordsOf(headers['x-request-id'])).toMatchObject([
      { action: 'locale.create', target: { type: 'locale', id: 'de-CH' }, locale: 'de-CH', before: null },
    ]);
  });

  it('changes a locale as it was read; equal values change nothing', async () => {
    const { data } = (await owner.get('/locales/fr')).body;
    const same = await owner.put('/locales/fr', data);
    expect([same.status, same.body.data]).toEqual([200, data]);
    expect(await recordsOf(same.headers['x-request-id'])).toEqual([]);
    const { body, headers } = await owner.put('/locales/fr', {
      ...data,
      name: 'Français',
      fallbackCode: 'en',
    });
    expect(body.data).toEqual({ ...data, name: 'Français', fallbackCode: 'en' });
    expect(await recordsOf(headers['x-request-id'])).toMatchObject([
      {
        action: 'locale.update',
        before: { name: 'French', fallbackCode: null },
        after: { name: 'Français', fallbackCode: 'en' },
      },
    ]);
    const cleared = await owner.put('/locales/fr', { fallbackCode: null });
    expect(cleared.body.data.fallbackCode).toBeNull();
    expect(issues(await owner.put('/locales/fr', { isDefault: true }))).toEqual([['isDefault', 'read_only']]);
    expect(outcome(await owner.put('/locales/fr', {}))).toEqual([422, 'no_update_fields']);
  });

  it('deletes a locale that nothing uses', async () => {
    await owner.post('/locales', { code: 'it' });
    const { status, body } = await owner.delete('/locales/it');
    expect([status, body.data]).toEqual([200, { id: 'it', deleted: true }]);
    expect(outcome(await owner.get('/locales/it'))).toEqual([404, 'locale_not_found']);
    for (const missing of [owner.delete('/locales/it'), owner.put('/locales/it', { name: 'Italian' })])
      expect(outcome(await missing)).toEqual([404, 'locale_not_found']);
  });

  it('does the same over tRPC', async () => {
    const token = await sessionWith(app(), desk.project, 'owner');
    const call = (verb: string, input: object) =>
      app()
        .request.post(`/api/trpc/locales.${verb}`)
        .set('Authorization', `Bearer ${token}`)
        .send({ projectSlug: desk.project.slug, ...input });
    const made = await call('create', { code: 'it', isActive: false });
    expect(made.body.result.data.data).toMatchObject({ code: 'it', isActive: false });
    const changed = await call('update', { code: 'it', isActive: true, fallbackCode: 'en' });
    expect(changed.body.result.data.data).toMatchObject({ code: 'it', isActive: true, fallbackCode: 'en' });
    const deleted = await call('delete', { code: 'it' });
    expect(deleted.body.result.data.data).toEqual({ id: 'it', deleted: true });
  });

  it('changes delivery, in cached responses too, and the paths of pages by a new fallback', async () => {
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      fields: { title: 'One' },
    });
    await publish(app(), desk.project, id);
    const read = () => app().request.get(`${desk.project.delivery}/entries/${id}?locale=de`);
    expect((await read()).status).toBe(404);
    await owner.put('/locales/de', { fallbackCode: 'en' });
    expect((await read()).body.data._locale).toBe('en');
    await owner.put('/locales/de', { fallbackCode: null });
    expect((await read()).status).toBe(404);
  });

  it('notifies every project of the tenant', async () => {
    const second = await secondProject();
    const key = await superAdmin(app());
    const path = `${desk.project.management}/locales`;
    const calls = [
      { method: 'POST', path, body: { code: 'it' } },
      { method: 'PUT', path: `${path}/it`, body: { fallbackCode: 'en' } },
      { method: 'DELETE', path: `${path}/it` },
    ] as const;
    for (const call of calls) expect((await send(app(), { ...call, key })).status).toBeLessThan(300);
    const events = await app().rows<{ type: string; slug: string; data: object }>(
      desk.project.tenantId,
      `SELECT o.type, p.slug, o.payload -> 'data' AS data FROM outbox_events o JOIN projects p ON p.id = o.project_id
       WHERE o.type LIKE 'locale.%' AND o.payload -> 'project' ->> 'slug' = p.slug ORDER BY o.id`,
    );
    const projects = [desk.project.slug, second];
    for (const type of ['locale.created', 'locale.updated', 'locale.deleted']) {
      const sent = events.filter((event) => event.type === type);
      expect(sent.map(({ slug }) => slug).sort()).toEqual([...projects].sort());
      expect(sent.map(({ data }) => data)).toEqual([{ locale: 'it' }, { locale: 'it' }]);
    }
    expect(events).toHaveLength(6);
  });
});

describe('Others', () => {
  verifies('localization/locales');

  it('may not change locales: other members and keys, whatever they may do', async () => {
    const admin = desk.as(await sessionWith(app(), desk.project, 'admin'));
    for (const caller of [desk, admin]) {
      const attempts = [
        caller.post('/locales', { code: 'it' }),
        caller.put('/locales/fr', { name: 'X' }),
        caller.delete('/locales/fr'),
      ];
      for (const answer of await Promise.all(attempts))
        expect(outcome(answer)).toEqual([403, 'permission_denied']);
      expect((await caller.get('/locales/fr')).status).toBe(200);
    }
    const offered = async (caller: Desk) =>
      ((await caller.get('/me')).body.data.operations as { name: string }[])
        .map(({ name }) => name)
        .filter((name) => name.startsWith('locales.'));
    expect(await offered(admin)).toEqual(['locales.list', 'locales.get']);
    expect(await offered(desk)).toEqual(['locales.list', 'locales.get']);
    expect(await offered(owner)).toContain('locales.create');
  });

  it('may not change locales as owners of some projects of the tenant alone', async () => {
    const { id, token } = await createMember(app(), desk.project, [
      await systemRoleId(app(), desk.project, 'owner'),
    ]);
    const second = await secondProject();
    const some = desk.as(token);
    const refused = await some.put('/locales/fr', { name: 'X' });
    expect(outcome(refused)).toEqual([403, 'permission_denied']);
    expect(refused.body.details).toEqual({ role: 'owner' });
    expect(outcome(await some.post('/locales', { code: 'it' }))).toEqual([403, 'permission_denied']);
    expect(outcome(await some.delete('/locales/fr'))).toEqual([403, 'permission_denied']);
    const there = { ...desk.project, slug: second, management: `/api/v1/projects/${second}` };
    const { email } = (await desk.get(`/users/${id}`)).body.data as { email: string };
    await must(app(), {
      method: 'POST',
      path: `${there.management}/users`,
      key: await superAdmin(app()),
      body: { email, roleIds: [await systemRoleId(app(), there, 'owner')] },
    });
    expect((await some.put('/locales/fr', { name: 'Français' })).status).toBe(200);
  });

  it('of another tenant do not see it', async () => {
    const other = await createProject(app());
    const elsewhere = desk.as(await sessionWith(app(), other, 'owner'));
    expect(outcome(await elsewhere.put('/locales/fr', { name: 'X' }))).toEqual([403, 'wrong_project']);
    expect((await owner.get('/locales/fr')).body.data.name).toBe('French');
  });
});

describe('A change of locales is refused', () => {
  verifies('localization/locales');

  it('with 409 for a locale that the tenant has', async () => {
    expect(outcome(await owner.post('/locales', { code: 'de' }))).toEqual([409, 'locale_conflict']);
  });

  it('with 409 while the locale is in use, with what uses it', async () => {
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      locale: 'fr',
      fields: { title: 'Un' },
    });
    const used = async (change: ReturnType<Desk['put']>) => {
      const answer = await change;
      return [...outcome(answer), answer.body.details?.usedBy];
    };
    const inUse = (...by: string[]) => [409, 'locale_in_use', by];
    expect(await used(owner.delete('/locales/en'))).toEqual(inUse('default', 'sites'));
    expect(await used(owner.delete('/locales/fr'))).toEqual(inUse('sites', 'entries'));
    expect(await used(owner.put('/locales/fr', { isActive: false }))).toEqual(inUse('sites', 'entries'));
    await must(app(), {
      method: 'DELETE',
      path: `${desk.project.management}/entries/${id}`,
      key: desk.project.keys.management,
    });
    expect(await used(owner.delete('/locales/fr'))).toEqual(inUse('sites', 'entries'));
    await owner.post('/locales', { code: 'it' });
    await owner.post('/locales', { code: 'it-CH', fallbackCode: 'it' });
    expect(await used(owner.delete('/locales/it'))).toEqual(inUse('fallback'));
    expect((await owner.put('/locales/it', { isActive: false })).status).toBe(200);
    expect((await owner.delete('/locales/it-CH')).status).toBe(200);
    expect((await owner.delete('/locales/it')).status).toBe(200);
  });

  it('with 404 for an unknown fallback, and 422 for a cycle', async () => {
    for (const answer of [
      await owner.post('/locales', { code: 'it', fallbackCode: 'xx' }),
      await owner.put('/locales/fr', { fallbackCode: 'xx' }),
    ]) {
      expect(outcome(answer)).toEqual([404, 'locale_not_found']);
      expect(answer.body.details).toEqual({ path: ['fallbackCode'] });
    }
    await owner.put('/locales/fr', { fallbackCode: 'de' });
    for (const [code, fallbackCode] of [
      ['de', 'fr'],
      ['en', 'en'],
    ]) {
      const answer = await owner.put(`/locales/${String(code)}`, { fallbackCode });
      expect(issues(answer)).toEqual([['fallbackCode', 'fallback_cycle']]);
    }
    expect(issues(await owner.post('/locales', { code: 'it', fallbackCode: 'it' }))).toEqual([
      ['fallbackCode', 'fallback_cycle'],
    ]);
    expect(issues(await owner.post('/locales', { code: 'IT' }))).toMatchObject([
      ['code', expect.any(String)],
    ]);
  });

  it('with 422 beyond the number of locales that a tenant may have', async () => {
    const codes = Array.from({ length: limits.localesPerTenant - 3 }, (_, index) => ({
      code: `nl-${String(index).padStart(4, '0')}`,
    }));
    const path = `/api/v1/platform/tenants/${desk.project.tenantSlug}`;
    const body = { locales: ['en', 'de', 'fr', ...codes] };
    await must(app(), { method: 'PUT', path, key: await superAdmin(app()), body });
    const answer = await owner.post('/locales', { code: 'it' });
    expect(outcome(answer)).toEqual([422, 'limit_reached']);
    expect(answer.body.details).toEqual({ limit: limits.localesPerTenant });
  });
});

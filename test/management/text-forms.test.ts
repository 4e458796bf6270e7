import { beforeAll, describe, expect, it } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { must, send } from '../support/call.js';
import { column, openDesk, outcome, useOwnApp, type Desk } from '../support/desk.js';
import { createProject, superAdmin, unique } from '../support/factories/project.js';
import { createMember, memberPassword, systemRoleId } from '../support/members.js';
import { textFile } from '../support/factories/media.js';
import { verifies } from '../support/verifies.js';
import { article } from './entries/history.js';

const app = useOwnApp();
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(app());
});

const longForm = (text: string): string => text.normalize('NFD');
const shortForm = (text: string): string => text.normalize('NFC');

/** A name of each form. */
const namesOf = (word: string): string[] =>
  [shortForm, longForm].map((form) => form(`${word} ${unique()} Façade`));

/** What else identifies the resource. */
const identity = (path: string): object => {
  if (path === '/custom-field-types') return { apiName: unique() };
  return ['/sites', '/environments', '/workflows'].includes(path) ? { slug: unique() } : {};
};

type Make = (name: string) => Promise<{ readonly id: string }>;
const posted =
  (path: string, body: object = {}): Make =>
  (name) =>
    must(app(), {
      method: 'POST',
      path: `${desk.project.management}${path}`,
      key: desk.project.keys.management,
      body: { name, ...body, ...identity(path) },
    });

const workflow = {
  states: [
    { key: 'draft', name: 'Draft', isInitial: true },
    { key: 'approved', name: 'Approved', allowsPublish: true },
  ],
  transitions: [{ from: 'draft', to: 'approved', name: 'Approve' }],
};

const lists: readonly [path: string, make: Make][] = [
  ['/entries', (name) => article(desk, { title: name })],
  ['/sites', posted('/sites')],
  ['/environments', posted('/environments')],
  ['/workflows', posted('/workflows', workflow)],
  ['/views', posted('/views', { resource: 'entries' })],
  ['/webhooks', posted('/webhooks', { url: 'https://hooks.example.com/x', events: ['*'] })],
  ['/custom-field-types', posted('/custom-field-types', { jsonSchema: { type: 'string' } })],
  ['/media/folders', posted('/media/folders')],
  [
    '/media',
    async (name) => {
      const asset = await must(app(), {
        method: 'POST',
        path: `${desk.project.management}/media/upload`,
        key: desk.project.keys.management,
        body: { file: textFile(), title: name },
      });
      return asset;
    },
  ],
  [
    '/redirects',
    async (name) => {
      const body = {
        siteId: desk.project.siteId,
        source: `/${unique()}`,
        target: `/${name.replaceAll(' ', '-')}`,
      };
      const response = await desk.post('/redirects', body);
      expect(response.status).toBe(201);
      return response.body.data as { id: string };
    },
  ],
];

describe('q of a list', () => {
  verifies('lists/pages', 'lists/text');

  it.each(lists)('of %s finds names in whatever form they are written', async (path, make) => {
    const made: string[] = [];
    for (const name of namesOf('Bücher')) made.push((await make(name)).id);
    for (const form of [shortForm, longForm]) {
      const found = await desk.get(`${path}?q=${encodeURIComponent(form('FAÇ'))}`);
      expect(outcome(found)).toEqual([200, undefined]);
      expect(column(found, 'id').toSorted()).toEqual(made.toSorted());
      expect(found.body.meta.total).toBe(2);
    }
    expect(column(await desk.get(`${path}?q=${encodeURIComponent('Fac')}`), 'id')).toEqual([]);
  });

  it('of roles, users and tenants finds names in whatever form they are written', async () => {
    const key = await superAdmin(app());
    const roles: string[] = [];
    const users: string[] = [];
    const viewer = await systemRoleId(app(), desk.project, 'viewer');
    for (const name of namesOf('Rôle')) {
      const path = `${desk.project.management}/roles`;
      roles.push((await must(app(), { method: 'POST', path, key, body: { name } })).id);
      users.push((await createMember(app(), desk.project, [viewer], name)).id);
    }
    const tenants: string[] = [];
    for (const name of namesOf('Firma')) {
      const body = { name, slug: unique(), locales: ['en'], project: { name, slug: unique() } };
      tenants.push((await must(app(), { method: 'POST', path: '/api/v1/platform/tenants', key, body })).id);
    }
    for (const form of [shortForm, longForm]) {
      const q = `q=${encodeURIComponent(form('façade'))}`;
      const list = (path: string) => send(app(), { method: 'GET', path: `${path}?${q}`, key });
      expect(column(await list(`${desk.project.management}/roles`), 'id').toSorted()).toEqual(
        roles.toSorted(),
      );
      expect(column(await list(`${desk.project.management}/users`), 'id').toSorted()).toEqual(
        users.toSorted(),
      );
      expect(column(await list('/api/v1/platform/tenants'), 'id').toSorted()).toEqual(tenants.toSorted());
    }
  });
});

it('A tag of assets is found, added and removed in whatever form it is written', async () => {
  const { keys, management } = desk.project;
  const tags: string[] = [];
  const upload = (form: (text: string) => string) => {
    const body = { file: textFile(), tags: [form('Große Brücke')] };
    return must(app(), { method: 'POST', path: `${management}/media/upload`, key: keys.management, body });
  };
  for (const form of [shortForm, longForm]) tags.push((await upload(form)).id);
  const found = async (form: (text: string) => string) =>
    column(await desk.get(`/media?tag=${encodeURIComponent(form('Große Brücke'))}`), 'id').toSorted();
  for (const form of [shortForm, longForm]) expect(await found(form)).toEqual(tags.toSorted());
  const bulk = async (action: string, form: (text: string) => string) => {
    const params = { tags: [form('Große Brücke')] };
    expect((await desk.post('/media/bulk', { action, assetIds: tags, params })).status).toBe(200);
  };
  const stored = async () => {
    const shown = await Promise.all(tags.map((id) => desk.get(`/media/${id}`)));
    return shown.map(({ body }) => (body as { data: { tags: string[] } }).data.tags);
  };
  await bulk('tag', longForm);
  expect(await stored()).toEqual([[shortForm('Große Brücke')], [longForm('Große Brücke')]]);
  await bulk('untag', shortForm);
  expect(await stored()).toEqual([[], []]);
});

describe('A password', () => {
  verifies('access/passwords', 'lists/text');

  const password = 'ein größeres Geheimnis ñ';
  const login = (email: string, given: string) =>
    send(app(), { method: 'POST', path: '/api/v1/auth/login', body: { email, password: given } });

  async function member(): Promise<{ id: string; email: string; token: string }> {
    const project = await createProject(app());
    return createMember(app(), project, [await systemRoleId(app(), project, 'viewer')]);
  }

  it.each([
    ['NFC', shortForm],
    ['NFD', longForm],
  ])('that was set in %s is accepted in whatever form it is typed', async (_name, form) => {
    const { email, token } = await member();
    const body = { currentPassword: memberPassword, newPassword: form(password) };
    expect(
      (await send(app(), { method: 'POST', path: '/api/v1/auth/password', key: token, body })).status,
    ).toBe(200);
    for (const typed of [shortForm, longForm]) expect((await login(email, typed(password))).status).toBe(200);
    expect(outcome(await login(email, password.replace('ñ', 'n')))).toEqual([401, 'invalid_credentials']);
  });

  it.each([
    ['NFC', shortForm],
    ['NFD', longForm],
  ])(
    'that was hashed in %s, as it was given, is accepted in whatever form it is typed',
    async (_name, form) => {
      const { id, email } = await member();
      await app().rows(null, 'UPDATE users SET password_hash = $2 WHERE id = $1', [
        id,
        await hash(form(password)),
      ]);
      for (const typed of [shortForm, longForm])
        expect((await login(email, typed(password))).status).toBe(200);
    },
  );

  it('is replaced with the current one in another form', async () => {
    const { email, token } = await member();
    const change = (key: string, currentPassword: string, newPassword: string) =>
      send(app(), {
        method: 'POST',
        path: '/api/v1/auth/password',
        key,
        body: { currentPassword, newPassword },
      });
    expect((await change(token, memberPassword, longForm(password))).status).toBe(200);
    const session = (await login(email, password)).body.data.accessToken as string;
    expect((await change(session, shortForm(password), 'another password of theirs')).status).toBe(200);
  });
});

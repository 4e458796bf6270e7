import { beforeAll, describe, expect, it } from '@jest/globals';
import { grantResources } from '../../../contracts/registry/operation-names.js';
import { must, send } from '../../support/call.js';
import { createArticleTypes } from '../../support/factories/content.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import {
  createMember,
  createRole,
  sessionWith,
  systemRoleId,
  type TestGrant,
} from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let project: TestProject;

beforeAll(async () => {
  project = await createProject(app());
  await createArticleTypes(app(), project);
});

const manager: readonly TestGrant[] = [
  { resource: 'roles', action: '*' },
  { resource: 'users', action: '*' },
];

const callAs = (key: string) => (line: string, body?: object) => {
  const [method, path] = line.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
  return send(app(), { method, path: `${project.management}${path}`, body, key });
};

const outcomeOf = ({ status, body }: { status: number; body: { error?: string } }) => [status, body.error];

describe('Privilege escalation', () => {
  verifies('access/no-escalation', 'access/roles-and-users');

  it('returns 403 when a member grants a permission they lack', async () => {
    const as = callAs(
      await sessionWith(app(), project, [...manager, { resource: 'entries', action: 'update' }]),
    );
    const roleId = await createRole(app(), project, []);
    const add = (body: object) => as(`POST /roles/${roleId}/permissions`, body);
    expect(outcomeOf(await add({ resource: 'entries', action: 'update' }))).toEqual([201, undefined]);
    for (const wanted of [
      { resource: 'entries', action: 'publish' },
      { resource: 'entries', action: '*' },
      { resource: '*', action: 'update' },
      { resource: 'sites', action: 'read' },
    ])
      expect(outcomeOf(await add(wanted))).toEqual([403, 'privilege_escalation']);
  });

  it('returns 403 when a member grants a wider scope than their own', async () => {
    const scope = { contentTypes: ['article'], locales: ['de', 'fr'] };
    const as = callAs(
      await sessionWith(app(), project, [...manager, { resource: 'entries', action: 'update', scope }]),
    );
    const roleId = await createRole(app(), project, []);
    const add = (narrower?: object) =>
      as(`POST /roles/${roleId}/permissions`, { resource: 'entries', action: 'update', scope: narrower });
    expect(outcomeOf(await add({ ...scope, locales: ['de'], ownOnly: true }))).toEqual([201, undefined]);
    for (const wider of [
      {},
      { locales: ['de'] },
      { contentTypes: ['article'] },
      { ...scope, contentTypes: ['article', 'author'] },
    ])
      expect(outcomeOf(await add(wider))).toEqual([403, 'privilege_escalation']);
  });

  it('limits grants on a branch of the tree to nodes below the branch of the caller', async () => {
    const key = project.keys.management;
    const path = `${project.management}/tree/nodes`;
    const node = (body: object) =>
      must(app(), { method: 'POST', path, key, body: { siteId: project.siteId, slug: unique(), ...body } });
    const top = await node({});
    const [below, beside] = [await node({ parentId: top.id }), await node({})];
    const held = { resource: 'tree', action: 'update', scope: { treeNodeIds: [top.id] } };
    const as = callAs(await sessionWith(app(), project, [...manager, held]));
    const roleId = await createRole(app(), project, []);
    const add = (id: string) =>
      as(`POST /roles/${roleId}/permissions`, { ...held, scope: { treeNodeIds: [id] } });
    expect(outcomeOf(await add(below.id))).toEqual([201, undefined]);
    expect(outcomeOf(await add(beside.id))).toEqual([403, 'privilege_escalation']);
  });

  it('returns 403 when a member assigns a role with more rights, to others or themselves', async () => {
    const roleId = await createRole(app(), project, manager);
    const me = await createMember(app(), project, [roleId]);
    const as = callAs(me.token);
    const editor = await systemRoleId(app(), project, 'editor');
    expect(outcomeOf(await as(`PUT /users/${me.id}`, { roleIds: [roleId, editor] }))).toEqual([
      403,
      'privilege_escalation',
    ]);
    const email = `${unique()}@example.com`;
    expect(outcomeOf(await as('POST /users', { email, roleIds: [editor] }))).toEqual([
      403,
      'privilege_escalation',
    ]);
    expect(outcomeOf(await as('POST /users', { email, roleIds: [roleId] }))).toEqual([201, undefined]);
  });

  it('lets only owners and super-admins add and remove owners', async () => {
    const ownerRole = await systemRoleId(app(), project, 'owner');
    const owner = await createMember(app(), project, [ownerRole]);
    const admin = callAs(await sessionWith(app(), project, 'admin'));
    const email = `${unique()}@example.com`;
    for (const as of [admin, callAs(project.keys.management)]) {
      expect(outcomeOf(await as('POST /users', { email, roleIds: [ownerRole] }))).toEqual([
        403,
        'privilege_escalation',
      ]);
      expect(outcomeOf(await as(`DELETE /users/${owner.id}`))).toEqual([403, 'privilege_escalation']);
      expect(outcomeOf(await as(`PUT /users/${owner.id}`, { status: 'suspended' }))).toEqual([
        403,
        'privilege_escalation',
      ]);
      expect(outcomeOf(await as(`PUT /users/${owner.id}`, { roleIds: [] }))).toEqual([
        403,
        'privilege_escalation',
      ]);
    }
    const asOwner = callAs(owner.token);
    expect(outcomeOf(await asOwner(`DELETE /users/${owner.id}`))).toEqual([409, 'last_owner']);
    const second = await asOwner('POST /users', { email, roleIds: [ownerRole] });
    expect(second.status).toBe(201);
  });

  it('returns 403 when a key or a member grants what it does not permit', async () => {
    const body = { name: 'Narrow', type: 'management', permissions: ['read', 'create', 'update'] };
    const path = `${project.management}/api-keys`;
    const key = await must<{ secret: string }>(app(), {
      method: 'POST',
      path,
      key: project.keys.management,
      body,
    });
    const as = callAs(key.secret);
    const role = await as('POST /roles', { name: 'Narrow' });
    const bound = await sessionWith(app(), project, [
      { resource: 'roles', action: '*' },
      { resource: 'sites', action: 'read', scope: { environments: ['main'] } },
    ]);
    const addBound = (scope: object) =>
      callAs(bound)(`POST /roles/${role.body.data.id}/permissions`, {
        resource: 'sites',
        action: 'read',
        scope,
      });
    expect(outcomeOf(await addBound({}))).toEqual([403, 'privilege_escalation']);
    expect(outcomeOf(await addBound({ environments: ['main'] }))).toEqual([201, undefined]);
    const add = (action: string) =>
      as(`POST /roles/${role.body.data.id}/permissions`, { resource: 'entries', action });
    expect(outcomeOf(await add('update'))).toEqual([201, undefined]);
    expect(outcomeOf(await add('delete'))).toEqual([403, 'privilege_escalation']);
    expect(outcomeOf(await add('*'))).toEqual([403, 'privilege_escalation']);
  });

  it('returns 403 when a member creates, changes or rotates a key with more rights', async () => {
    const developer = callAs(await sessionWith(app(), project, 'developer'));
    const editor = callAs(
      await sessionWith(app(), project, [
        { resource: 'apiKeys', action: '*' },
        ...['entries', 'contentTypes', 'sites', 'tree', 'media']
          .filter((resource) => (grantResources as readonly string[]).includes(resource))
          .map((resource) => ({ resource, action: 'read' })),
      ]),
    );
    const make = (as: typeof developer, body: object) => as('POST /api-keys', { name: 'Key', ...body });
    expect(outcomeOf(await make(developer, { type: 'management' }))).toEqual([403, 'privilege_escalation']);
    const reading = { type: 'management', permissions: ['read'] };
    expect(outcomeOf(await make(developer, reading))).toEqual([201, undefined]);
    expect(outcomeOf(await make(editor, reading))).toEqual([403, 'privilege_escalation']);
    expect(outcomeOf(await make(editor, { type: 'delivery' }))).toEqual([201, undefined]);
    expect(outcomeOf(await make(editor, { type: 'preview' }))).toEqual([201, undefined]);
    expect(outcomeOf(await make(editor, { type: 'preview', permissions: [] }))).toEqual([
      403,
      'privilege_escalation',
    ]);
    const path = `${project.management}/api-keys`;
    const body = { name: 'Full', type: 'management' };
    const full = await must(app(), { method: 'POST', path, key: project.keys.management, body });
    expect(outcomeOf(await developer(`POST /api-keys/${full.id}/rotate`, { overlapSeconds: 0 }))).toEqual([
      403,
      'privilege_escalation',
    ]);
    expect(outcomeOf(await developer(`PUT /api-keys/${full.id}`, { name: 'Mine' }))).toEqual([
      403,
      'privilege_escalation',
    ]);
    const admin = callAs(await sessionWith(app(), project, 'admin'));
    expect(outcomeOf(await make(admin, { type: 'management' }))).toEqual([201, undefined]);
  });
});

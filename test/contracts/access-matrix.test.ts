import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { actions, projectResources } from '../../contracts/rights.js';
import type { BoundOperation } from '../../src/procedures/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { must, send } from '../support/call.js';
import { openScene, type Scene } from '../support/scene.js';
import { createProject, superAdmin } from '../support/factories/project.js';
import { createMember, sessionWith, systemRoleId } from '../support/members.js';
import { operations, restCall } from '../support/operations.js';
import { verifies } from '../support/verifies.js';
import { rowNames, rowOf } from '../resources/index.js';
import { declared, type Credential } from './declared-access.js';

let app: TestApp;
let scene: Scene;
let now = new Date();

/** A credential of the matrix; no secret when nothing is sent. */
interface Caller {
  readonly name: string;
  readonly credential: Credential;
  readonly secret: string | undefined;
}

const callers: Caller[] = [];
const keyActions = ['read', 'create', 'update', 'publish', 'unpublish', 'delete'] as const;
const roles = ['owner', 'admin', 'developer', 'editor', 'author', 'translator', 'viewer'] as const;

const add = (name: string, credential: Credential, secret: string | undefined): void =>
  void callers.push({ name, credential, secret });

async function newKey(body: object): Promise<{ id: string; secret: string }> {
  const { management, keys } = scene.project;
  const path = `${management}/api-keys`;
  return must(app, {
    method: 'POST',
    path,
    key: keys.management,
    body: { name: 'Key', type: 'management', ...body },
  });
}

async function addKeys(): Promise<void> {
  const { management, keys, tenantSlug } = scene.project;
  for (const type of ['delivery', 'preview', 'management'] as const)
    add(type, { kind: 'key', type }, keys[type]);
  for (const action of keyActions) {
    const { secret } = await newKey({ permissions: [action] });
    add(`management: ${action}`, { kind: 'key', type: 'management', action }, secret);
  }
  const revoked = await newKey({});
  await must(app, { method: 'DELETE', path: `${management}/api-keys/${revoked.id}`, key: keys.management });
  add('revoked', { kind: 'revoked' }, revoked.secret);
  const expiresAt = new Date(now.getTime() + 60_000).toISOString();
  add('expired', { kind: 'expired' }, (await newKey({ expiresAt })).secret);
  const slug = `${scene.project.slug}-b`;
  const key = await superAdmin(app);
  await must(app, {
    method: 'POST',
    path: `/api/v1/platform/tenants/${tenantSlug}/projects`,
    key,
    body: { slug, name: 'B' },
  });
  const other = await must<{ secret: string }>(app, {
    method: 'POST',
    path: `/api/v1/projects/${slug}/api-keys`,
    key,
    body: { name: 'Key', type: 'management' },
  });
  add('other project', { kind: 'other_project' }, other.secret);
}

async function addSessions(): Promise<void> {
  const { project } = scene;
  for (const role of roles) add(role, { kind: 'member', role }, await sessionWith(app, project, role));
  const scope = { contentTypes: ['article'] };
  const grants = ['read', 'update'].map((action) => ({ resource: 'entries', action, scope }));
  add('scoped role', { kind: 'member', role: 'scoped' }, await sessionWith(app, project, grants));
  const suspended = await createMember(app, project, [await systemRoleId(app, project, 'owner')]);
  await must(app, {
    method: 'PUT',
    path: `${project.management}/users/${suspended.id}`,
    key: await superAdmin(app),
    body: { roleIds: [await systemRoleId(app, project, 'admin')], status: 'suspended' },
  });
  add('suspended', { kind: 'suspended' }, suspended.token);
  add('super-admin', { kind: 'super_admin' }, await superAdmin(app));
}

beforeAll(async () => {
  app = await startTestApp({ clock: () => now });
  scene = await openScene(app);
  add('none', { kind: 'none' }, undefined);
  add('malformed', { kind: 'malformed' }, 'hwm_nonsense');
  add('broken token', { kind: 'broken_token' }, 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.');
  await addKeys();
  await addSessions();
  const other = await createProject(app);
  add('other tenant', { kind: 'other_tenant' }, other.keys.management);
  add('owner elsewhere', { kind: 'outsider' }, await sessionWith(app, other, 'owner'));
  // Expires the short-lived key; tokens remain valid.
  now = new Date(now.getTime() + 120_000);
});

afterAll(() => app.close());

const MISSING = '0198c0de-0000-7000-8000-000000000000';

/** An input in which only the project exists, so a permitted call changes nothing. */
function emptyInput({ meta }: BoundOperation): Record<string, unknown> {
  const names = [...(meta.openapi?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const missing = Object.fromEntries(
    names.map((name) => [name, name.endsWith('Slug') ? 'nowhere' : MISSING]),
  );
  const isProjectWork = meta.audience === 'management' || meta.audience === 'delivery';
  return { ...missing, ...(isProjectWork && { projectSlug: scene.project.slug }) };
}

function call(operation: BoundOperation, key: string | undefined): Promise<Response> {
  const input = emptyInput(operation);
  if (operation.meta.openapi !== undefined)
    return send(app, { ...restCall(operation.meta.openapi, input), key });
  const query = encodeURIComponent(JSON.stringify(input));
  const path = `/api/trpc/${operation.name}`;
  return operation.kind === 'query'
    ? send(app, { method: 'GET', path: `${path}?input=${query}`, key })
    : send(app, { method: 'POST', path, body: input, key });
}

/** The gate's result; later errors count as passed. */
function outcomeOf({ status, body }: Response): 'passed' | [number, string] {
  const failure = body as { error?: string | { data?: { error?: string } } };
  const code = typeof failure.error === 'object' ? failure.error.data?.error : failure.error;
  const isGate = (status === 401 || status === 403) && code !== 'invalid_credentials';
  return isGate ? [status, code ?? ''] : status < 500 && status !== 429 ? 'passed' : [status, code ?? ''];
}

describe.each(operations)('Access to $name', (operation) => {
  verifies('access/operation-table', 'access/credentials', 'access/permission-denied', 'access/roles');

  it('is granted and denied to each credential as its row declares', async () => {
    const { access } = rowOf(operation.name);
    const found = await Promise.all(
      callers.map(async ({ name, secret }) => [name, outcomeOf(await call(operation, secret))]),
    );
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(callers.map(({ name, credential }) => [name, declared(access, credential)])),
    );
  });
});

describe('Access rows', () => {
  it('exist once for every operation', () => {
    expect([...rowNames].sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it('use resources and actions that grants can name', () => {
    const invalid = operations
      .filter(({ meta }) => meta.audience === 'management')
      .filter(
        ({ meta: { resource, action } }) =>
          !(projectResources as readonly string[]).includes(resource) ||
          !([...actions, 'any'] as readonly string[]).includes(action),
      );
    expect(invalid.map(({ name }) => name)).toEqual([]);
  });
});

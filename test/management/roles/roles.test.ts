import { beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { createProject, unique, type TestProject } from '../../support/factories/project.js';
import { createMember, createRole, systemRoleId } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let project: TestProject;

beforeAll(async () => {
  project = await createProject(app());
});

const call = (line: string, body?: object) => {
  const [method, path] = line.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string];
  return send(app(), { method, path: `${project.management}${path}`, body, key: project.keys.management });
};

describe('Roles', () => {
  verifies('access/roles-and-users', 'access/roles');

  it('starts every project with the system roles', async () => {
    const { status, body } = await call('GET /roles');
    expect(status).toBe(200);
    expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual([
      'owner',
      'admin',
      'developer',
      'editor',
      'author',
      'translator',
      'viewer',
    ]);
    expect(body.data[0]).toMatchObject({ name: 'Owner', isSystem: true, memberCount: 0, description: null });
  });

  it('creates, reads, updates and deletes roles', async () => {
    const made = await call('POST /roles', { name: 'Legal Review', description: 'Reads contracts' });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ slug: 'legal-review', isSystem: false, memberCount: 0 });
    const { id } = made.body.data;
    expect((await call(`GET /roles/${id}`)).body).toEqual(made.body);
    const changed = await call(`PUT /roles/${id}`, { name: 'Law' });
    expect(changed.body.data).toMatchObject({
      name: 'Law',
      slug: 'legal-review',
      description: 'Reads contracts',
    });
    expect((await call(`DELETE /roles/${id}`)).body.data).toEqual({ id, deleted: true });
    expect((await call(`GET /roles/${id}`)).body.error).toBe('role_not_found');
  });

  it('returns 409 for the slug of another role', async () => {
    const slug = `role-${unique()}`;
    await call('POST /roles', { name: 'One', slug });
    const { status, body } = await call('POST /roles', { name: 'Two', slug });
    expect([status, body.error]).toEqual([409, 'slug_conflict']);
  });

  it('returns 409 for changes to system roles', async () => {
    const id = await systemRoleId(app(), project, 'editor');
    const answers = [
      await call(`PUT /roles/${id}`, { name: 'Other' }),
      await call(`DELETE /roles/${id}`),
      await call(`POST /roles/${id}/permissions`, { resource: 'roles', action: '*' }),
    ];
    const { body } = await call(`GET /roles/${id}/permissions`);
    answers.push(await call(`DELETE /roles/${id}/permissions/${body.data[0].id}`));
    expect(answers.map((answer) => [answer.status, answer.body.error])).toEqual(
      answers.map(() => [409, 'role_is_system']),
    );
  });

  it('returns 409 for deleting a role that users have', async () => {
    const id = await createRole(app(), project, []);
    const member = await createMember(app(), project, [id]);
    expect((await call(`GET /roles/${id}`)).body.data.memberCount).toBe(1);
    const refused = await call(`DELETE /roles/${id}`);
    expect([refused.status, refused.body.error, refused.body.details]).toEqual([
      409,
      'role_in_use',
      { memberCount: 1 },
    ]);
    await call(`DELETE /users/${member.id}`);
    expect((await call(`DELETE /roles/${id}`)).status).toBe(200);
  });

  it('returns 422 for an update of a role without keys, and changes nothing if values are equal', async () => {
    const id = await createRole(app(), project, []);
    expect((await call(`PUT /roles/${id}`, {})).body.error).toBe('no_update_fields');
    const { name, updatedAt } = (await call(`GET /roles/${id}`)).body.data;
    expect((await call(`PUT /roles/${id}`, { name })).body.data.updatedAt).toBe(updatedAt);
  });
});

import type { TestApp } from './app.js';
import { must } from './call.js';
import type { TestProject } from './factories/project.js';
import { memberPassword, type TestMember } from './members.js';

export const createPersonalKey = (
  app: TestApp,
  { slug: project }: TestProject,
  { token: key }: Pick<TestMember, 'token'>,
  body: object = {},
): Promise<{ id: string; secret: string }> =>
  must(app, {
    method: 'POST',
    path: '/api/v1/me/keys',
    key,
    body: { name: 'Script', project, currentPassword: memberPassword, ...body },
  });

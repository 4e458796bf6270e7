import type { TestApp } from '../app.js';
import { must } from '../call.js';
import type { Scene } from '../scene.js';
import { unique, type TestProject } from './project.js';

/** Branches off an environment, by default the default one, and waits for a copy that takes longer; returns the slug of the branch. */
export async function branch(
  { app, project }: Pick<Scene, 'app' | 'project'>,
  from?: string,
): Promise<string> {
  const { management, keys } = project;
  const slug = `b-${unique()}`;
  const path = `${management}/environments`;
  const key = keys.management;
  const body = { slug, name: 'Branch', from };
  let { status } = await must<{ status: string }>(app, { method: 'POST', path, key, body });
  while (status === 'creating') {
    await app.composition.jobs.workOnEnvironments();
    ({ status } = await must<{ status: string }>(app, { method: 'GET', path: `${path}/${slug}`, key }));
  }
  return slug;
}

/** The project as its branch: its management key is bound to it. */
export async function branchOf(
  app: TestApp,
  project: TestProject,
): Promise<TestProject & { environment: string }> {
  const { management, keys } = project;
  const environment = await branch({ app, project });
  const key = await must<{ secret: string }>(app, {
    method: 'POST',
    path: `${management}/api-keys`,
    key: keys.management,
    environment,
    body: { name: 'branch', type: 'management', environment },
  });
  return { ...project, environment, keys: { ...keys, management: key.secret } };
}

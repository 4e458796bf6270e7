import type { TestApp } from './app.js';
import { createArticleTypes } from './factories/content.js';
import { createProject, type TestProject } from './factories/project.js';

/** A service and a project with the types `article` and `author`, for one example. */
export interface Scene {
  readonly app: TestApp;
  readonly project: TestProject;
}

/** Creates what an operation needs and returns a valid input. */
export type Example = (scene: Scene) => Promise<Record<string, unknown>>;

export async function openScene(app: TestApp): Promise<Scene> {
  const project = await createProject(app);
  await createArticleTypes(app, project);
  return { app, project };
}

export const inProject =
  (rest: (scene: Scene) => Promise<object> | object): Example =>
  async (scene) => ({ projectSlug: scene.project.slug, ...(await rest(scene)) });

export const inSite =
  (rest: (scene: Scene) => Promise<object> | object): Example =>
  async (scene) => ({ projectSlug: scene.project.slug, siteSlug: 'main', ...(await rest(scene)) });

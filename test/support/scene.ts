import type { TestApp } from './app.js';
import { createArticleTypes } from './factories/content.js';
import { createProject, type TestProject } from './factories/project.js';

/** Where an example is played: a service and a project of its own with the types `article` and `author`. */
export interface Scene {
  readonly app: TestApp;
  readonly project: TestProject;
}

/** Makes what an operation needs and answers an input that it takes. */
export type Example = (scene: Scene) => Promise<Record<string, unknown>>;

/** A project with content types, for one example. */
export async function openScene(app: TestApp): Promise<Scene> {
  const project = await createProject(app);
  await createArticleTypes(app, project);
  return { app, project };
}

/** An input inside of the scene's project. */
export const inProject =
  (rest: (scene: Scene) => Promise<object> | object): Example =>
  async (scene) => ({ projectSlug: scene.project.slug, ...(await rest(scene)) });

/** An input inside of the scene's site. */
export const inSite =
  (rest: (scene: Scene) => Promise<object> | object): Example =>
  async (scene) => ({ projectSlug: scene.project.slug, siteSlug: 'main', ...(await rest(scene)) });

import type { Response } from 'supertest';
import type { TestApp } from '../support/app.js';
import { send } from '../support/call.js';
import { createEntry, createType, publish, type TestEntry } from '../support/factories/content.js';
import type { TestProject } from '../support/factories/project.js';

/** Reads below a site's delivery address. */
export type Reader = (path: string) => Promise<Response>;

/** A reader of the project's site; without a key it is nobody in particular. */
export const readerOf =
  (app: TestApp, project: TestProject, key?: string): Reader =>
  (path) =>
    send(app, { method: 'GET', path: `${project.delivery}${path}`, key });

/** Makes an entry and publishes the locale that it is written in. */
export async function createLive(
  app: TestApp,
  project: TestProject,
  body: Parameters<typeof createEntry>[2],
): Promise<TestEntry> {
  const { id, locale } = await createEntry(app, project, body);
  return publish(app, project, id, locale);
}

/** Makes the type `node`: a title, a link to one `next` and to many `others`, and `parts`, of any type each. */
export async function createNodeType(app: TestApp, project: TestProject): Promise<void> {
  await createType(app, project, {
    apiName: 'node',
    fields: [
      { apiName: 'title', type: 'text' },
      { apiName: 'next', type: 'reference' },
      { apiName: 'others', type: 'reference', isList: true },
      { apiName: 'parts', type: 'blocks' },
    ],
  });
}

/** A clock whose every reading is later than the one before, so that orders by time are certain. */
export function steppingClock(): () => Date {
  let time = Date.now();
  return () => new Date((time += 1));
}

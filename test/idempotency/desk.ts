import type { Response } from 'supertest';
import type { Desk } from '../support/desk.js';

/** Sends a POST of a project's management that bears an `Idempotency-Key`. */
export function postOnce(
  { app, project }: Desk,
  path: string,
  {
    key,
    body = {},
    credential = project.keys.management,
  }: { key: string; body?: object; credential?: string },
): Promise<Response> {
  return Promise.resolve(
    app.request
      .post(`${project.management}${path}`)
      .set({ Authorization: `Bearer ${credential}`, 'Idempotency-Key': key })
      .send(body),
  );
}

/** How many entries a project has. */
export async function entryCount(desk: Desk): Promise<number> {
  return (await desk.get('/entries')).body.meta.total as number;
}

/** The body of a new entry of the desk's project. */
export const article = ({ project }: Desk, title = 'Once') => ({
  contentTypeApiName: 'article',
  siteId: project.siteId,
  fields: { title },
});

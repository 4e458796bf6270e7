import type { Response } from 'supertest';
import type { Desk } from '../support/desk.js';

/** Sends a POST with an `Idempotency-Key`. */
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

export async function entryCount(desk: Desk): Promise<number> {
  return (await desk.get('/entries')).body.meta.total as number;
}

export const article = ({ project }: Desk, title = 'Once') => ({
  contentTypeApiName: 'article',
  siteId: project.siteId,
  fields: { title },
});

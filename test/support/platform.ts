import type { Response } from 'supertest';
import type { TestApp } from './app.js';
import { send, type RestCall } from './call.js';
import { superAdmin, unique } from './factories/project.js';

/** Calls `/api/v1/platform` as a super-admin. */
export async function platform(
  app: TestApp,
  line: `${RestCall['method']} ${string}`,
  body?: object,
): Promise<Response> {
  const [method, path] = line.split(' ') as [RestCall['method'], string];
  return send(app, { method, path: `/api/v1/platform${path}`, body, key: await superAdmin(app) });
}

export async function newTenant(app: TestApp, body: object = {}): Promise<string> {
  const slug = `t-${unique()}`;
  const made = await platform(app, 'POST /tenants', { slug, name: 'Tenant', ...body });
  if (made.status !== 201) throw new Error(made.text);
  return slug;
}

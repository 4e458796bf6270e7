import { runCommand } from '../../support/service-process.js';
import type { KillClient } from './client.js';

/** The project of a run, and a key with a very high rate limit. */
export interface Place {
  /** `/api/v1/projects/{slug}` */
  readonly management: string;
  readonly siteId: string;
  readonly key: string;
}

/** The super-admin that {@link preparePlace} creates. */
export const admin = { email: 'bench@example.com', password: 'a password only this run knows' };

/** Creates a project with the type `article`. Leaves the client with a super-admin session. */
export async function preparePlace(
  client: KillClient<{ readonly url: string }>,
  databaseUrl: string,
): Promise<Place> {
  await runCommand(databaseUrl, ['create-admin', '--email', admin.email], { ADMIN_PASSWORD: admin.password });
  const login = { method: 'POST', path: '/api/v1/auth/login', body: admin } as const;
  client.key = (await client.must<{ accessToken: string }>(login)).accessToken;
  const project = { slug: 'bench', name: 'Bench' };
  const tenant = { slug: 'bench', name: 'Bench', locales: ['en', 'de'], project };
  await client.must({ method: 'POST', path: '/api/v1/platform/tenants', body: tenant });
  const management = '/api/v1/projects/bench';
  const post = <T = { id: string }>(path: string, body: object) =>
    client.must<T>({ method: 'POST', path: `${management}${path}`, body });
  const { id: siteId } = await post('/sites', { slug: 'main', name: 'Main' });
  const fields = [{ apiName: 'title', type: 'text', required: true }];
  await post('/content-types', { apiName: 'article', name: 'Article', fields });
  const key = { name: 'Writers', type: 'management', rateLimit: 600_000 };
  const { secret } = await post<{ secret: string }>('/api-keys', key);
  return { management, siteId, key: secret };
}

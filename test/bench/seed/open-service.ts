import { systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { OperationsClient } from '../../../src/cli/client/operations-client.js';
import type { NewContentType } from '../../../src/cli/client/rest-operations.js';
import { compose } from '../../../src/process/compose.js';
import { createSuperAdmin } from '../../../src/features/access/sessions/index.js';
import { newId } from '../../../src/infrastructure/ids.js';
import { composeOptions } from '../seed-content.js';

/** Runs `work` as a new super-admin on a migrated database. */
export async function withOperations<T>(
  url: string,
  work: (client: OperationsClient) => Promise<T>,
): Promise<T> {
  const composition = await compose(composeOptions(url));
  try {
    const login = { email: `bench-${newId()}@example.com`, password: 'a password of the benchmark' };
    const request = { scope: systemScope({ command: 'bench' }), isReadOnly: false, lock: 'none' } as const;
    await composition.services.units.run(request, (unit) =>
      createSuperAdmin(unit, { ...login, name: 'Bench' }),
    );
    return await work(await OperationsClient.login(composition, login));
  } finally {
    await composition.close();
  }
}

export interface SeededProject {
  readonly siteId: string;
  readonly keys: { readonly delivery: string; readonly management: string };
}

/** Creates a tenant and a project named `slug`, with the site `main`, content types and a key of each type. */
export async function makeProject(
  client: OperationsClient,
  { slug, locales = ['en'] }: { readonly slug: string; readonly locales?: readonly string[] },
  types: readonly Omit<NewContentType, 'projectSlug'>[],
): Promise<SeededProject> {
  const own = { slug, name: slug };
  await client.call('tenants', 'create', { ...own, locales: [...locales], project: own });
  const projectSlug = slug;
  const site = { projectSlug, slug: 'main', name: 'Main', baseUrl: 'https://www.example.com' };
  const { data } = await client.call('sites', 'create', site);
  for (const type of types)
    await client.call('contentTypes', 'create', { projectSlug, ...type, fields: [...type.fields] });
  const keyOf = async (type: 'delivery' | 'management') =>
    (await client.call('apiKeys', 'create', { projectSlug, name: type, type, rateLimit: 600_000 })).data
      .secret;
  return {
    siteId: data.id,
    keys: { delivery: await keyOf('delivery'), management: await keyOf('management') },
  };
}

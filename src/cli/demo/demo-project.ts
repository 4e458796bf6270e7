import { isAppError, type OperationsClient } from '../client/operations-client.js';
import { demoKeyNames } from './demo-keys.js';
import { demoPlaces } from './demo-places.js';

const { tenantSlug, projectSlug } = demoPlaces;
const project = { slug: projectSlug, name: 'The Alder Water' };

/** French falls back to English to demonstrate fallbacks. */
const locales = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch' },
  { code: 'fr', name: 'Français', fallbackCode: 'en' },
];

async function tenantOf(client: OperationsClient) {
  try {
    const { data } = await client.call('tenants', 'get', { tenantSlug });
    return data;
  } catch (error) {
    if (!isAppError(error, 'tenant_not_found')) throw error;
  }
  const { data } = await client.call('tenants', 'create', {
    slug: tenantSlug,
    name: 'Alder Water Trust',
    locales,
    defaultLocale: 'en',
    project,
  });
  return data;
}

/**
 * Creates the demo's tenant and project unless they exist.
 * @returns whether the project has the demo's keys, which are created after its content
 * @throws Error in one line when the demo's names are taken
 */
export async function ensureDemoProject(client: OperationsClient): Promise<{ hasKeys: boolean }> {
  const alternative = 'or start with HEADWATER_SEED_DEMO=0';
  try {
    const tenant = await tenantOf(client);
    // The demo was deactivated on purpose; the service must still start.
    if (tenant.status !== 'active') return { hasKeys: true };
    if (!tenant.projects.some(({ slug }) => slug === projectSlug)) {
      await client.call('projects', 'create', { tenantSlug, ...project });
    }
  } catch (error) {
    if (!isAppError(error, 'slug_conflict')) throw error;
    throw new Error(
      `The demo cannot be loaded: another tenant has a project ${projectSlug}. Delete it, ${alternative}.`,
    );
  }
  const { data } = await client.call('apiKeys', 'list', {
    projectSlug,
    q: 'Demo',
    limit: 100,
    orderBy: 'createdAt:asc',
  });
  const names: readonly string[] = Object.values(demoKeyNames);
  return { hasKeys: data.some(({ name }) => names.includes(name)) };
}

import { isAppError, type OperationsClient } from '../client/operations-client.js';
import { demoKeyNames } from './demo-keys.js';
import { demoPlaces } from './demo-places.js';

const { tenantSlug, projectSlug } = demoPlaces;
const project = { slug: projectSlug, name: 'The Alder Water' };

/** French falls back to English, so that a page without a French version shows what a fallback does. */
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
 * Makes sure that the demo's tenant and project exist.
 * @returns whether the project had the demo's keys, which are made after its content
 * @throws Error in one line where the demo's names are taken
 */
export async function ensureDemoProject(client: OperationsClient): Promise<{ hasKeys: boolean }> {
  const off = 'or start with HEADWATER_SEED_DEMO=0';
  try {
    const tenant = await tenantOf(client);
    // Somebody closed the demo on purpose; that is no reason to keep the service from starting.
    if (tenant.status !== 'active') return { hasKeys: true };
    if (!tenant.projects.some(({ slug }) => slug === projectSlug)) {
      await client.call('projects', 'create', { tenantSlug, ...project });
    }
  } catch (error) {
    if (!isAppError(error, 'slug_conflict')) throw error;
    throw new Error(
      `Another tenant has a project ${projectSlug}: the demo cannot be loaded. Remove it, ${off}.`,
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

import { keyTypes, type KeyType } from '../../../contracts/access/api-keys/api-key.js';
import { OperationsClient, type OperationsHost } from '../client/operations-client.js';
import { isAppError } from '../client/rest-operations.js';

export const demoPlaces = {
  tenantSlug: 'demo',
  projectSlug: 'demo',
  siteSlugs: ['main', 'boatyard'],
  locales: ['en', 'de', 'fr'],
};

const { tenantSlug, projectSlug } = demoPlaces;
const [siteSlug = ''] = demoPlaces.siteSlugs;

/** The keys are created last: a project that has one is complete. */
const demoKeyNames: Readonly<Record<KeyType, string>> = {
  delivery: 'Demo delivery',
  preview: 'Demo preview',
  management: 'Demo management',
};

const keyRefusals = [
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'wrong_project',
  'wrong_key_type',
] as const;

async function isAccepted(host: OperationsHost, secret: string): Promise<boolean> {
  const probe = { projectSlug, siteSlug, contentTypeApiName: 'page', limit: 1 };
  try {
    await new OperationsClient(host, secret).call('delivery', 'listContent', probe);
    return true;
  } catch (error) {
    // Other failures, such as a renamed site, do not concern the key.
    return !isAppError(error, ...keyRefusals);
  }
}

async function createKey(client: OperationsClient, type: KeyType): Promise<string> {
  const { data } = await client.call('apiKeys', 'create', { projectSlug, name: demoKeyNames[type], type });
  return data.secret;
}

/** Reuses each known key that is accepted, otherwise creates one. */
export async function demoKeys(options: {
  client: OperationsClient;
  host: OperationsHost;
  known: Readonly<Partial<Record<KeyType, string | undefined>>>;
}): Promise<Record<KeyType, string>> {
  const { client, host, known } = options;
  const keys: Partial<Record<KeyType, string>> = {};
  for (const type of keyTypes) {
    const secret = known[type];
    keys[type] =
      secret !== undefined && (await isAccepted(host, secret)) ? secret : await createKey(client, type);
  }
  return keys as Record<KeyType, string>;
}

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

import { keyTypes, type KeyType } from '../../../contracts/access/api-keys/api-key.js';
import { isAppError, OperationsClient, type OperationsHost } from '../client/operations-client.js';
import { demoPlaces } from './demo-places.js';

const { projectSlug } = demoPlaces;
const [siteSlug = ''] = demoPlaces.siteSlugs;

/** The keys are created last: a project that has one is complete. */
export const demoKeyNames: Readonly<Record<KeyType, string>> = {
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

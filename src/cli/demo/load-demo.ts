import type { OperationsClient, OperationsHost } from '../client/operations-client.js';
import {
  credentialsFile,
  keepPendingLogin,
  readCredentials,
  writeCredentials,
  type DemoCredentials,
  type DemoMembers,
} from '../client/credentials.js';
import { demoKeys, demoPlaces, ensureDemoProject } from './demo-project.js';
import { renewDemoLogins } from './demo-members.js';
import { newLogin, openAdminSession } from '../client/admin-session.js';

export interface DemoOptions {
  readonly composition: OperationsHost;
  readonly dataDirectory: string;
  /** Where clients reach the service. */
  readonly baseUrl: string;
}

export interface LoadedDemo extends DemoCredentials {
  readonly credentialsPath: string;
}

/**
 * A project that has its keys is complete and is not changed again, except for passwords of members that are lost.
 * @param known logins of the credentials file
 */
async function ensureDemo(client: OperationsClient, known: DemoMembers | undefined): Promise<DemoMembers> {
  const { hasKeys } = await ensureDemoProject(client);
  if (hasKeys) return known ?? renewDemoLogins(client);
  // Loaded on demand: later starts need no HTML parser.
  const { loadDemoContent } = await import('./demo-content.js');
  return loadDemoContent(client, known ?? {});
}

/**
 * Loads the demo unless it exists. Every step checks what exists and the keys are created last, so the next run
 * completes an interrupted one. Lost or refused credentials are replaced, never the project.
 */
export async function loadDemo({ composition, dataDirectory, baseUrl }: DemoOptions): Promise<LoadedDemo> {
  const stored = await readCredentials(dataDirectory);
  const { client, login: superAdmin } = await openAdminSession({
    host: composition,
    command: 'load-demo',
    login: stored?.superAdmin ?? newLogin(),
    keep: (login) => keepPendingLogin(dataDirectory, login),
  });
  const members = await ensureDemo(client, stored?.members);
  const keys = await demoKeys({ client, host: composition, known: stored?.keys ?? {} });
  const credentials: DemoCredentials = { baseUrl, ...demoPlaces, keys, superAdmin, members };
  await writeCredentials(dataDirectory, credentials);
  return { ...credentials, credentialsPath: credentialsFile(dataDirectory) };
}

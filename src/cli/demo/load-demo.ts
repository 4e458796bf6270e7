import type { OperationsClient, OperationsHost } from '../client/operations-client.js';
import {
  credentialsFile,
  readCredentials,
  writeCredentials,
  type DemoCredentials,
} from '../client/credentials.js';
import { demoKeys } from './demo-keys.js';
import { demoPlaces } from './demo-places.js';
import { ensureDemoProject } from './demo-project.js';
import { newLogin, openAdminSession } from '../client/admin-session.js';

/** What the demo is loaded into, and where its credentials are kept. */
export interface DemoOptions {
  readonly composition: OperationsHost;
  readonly dataDirectory: string;
  /** Where clients reach the service. */
  readonly baseUrl: string;
}

/** The demo's credentials and the file that keeps them. */
export interface LoadedDemo extends DemoCredentials {
  readonly credentialsPath: string;
}

/** The project with all its content; a project that has its keys is complete and stays as its editors made it. */
async function ensureDemo(client: OperationsClient): Promise<void> {
  const { hasKeys } = await ensureDemoProject(client);
  if (hasKeys) return;
  // Loaded when needed only: what turns HTML into rich text is of no use to later starts.
  const { loadDemoContent } = await import('./demo-content.js');
  await loadDemoContent(client);
}

/**
 * Brings the demo project into the database unless it is there, and answers how to reach it.
 *
 * Every step looks at what exists before it adds anything, and the keys are made last: the next run
 * completes one that was cut short. Credentials that are lost or refused are replaced, never the project.
 */
export async function loadDemo({ composition, dataDirectory, baseUrl }: DemoOptions): Promise<LoadedDemo> {
  const stored = await readCredentials(dataDirectory);
  const { client, login: superAdmin } = await openAdminSession({
    host: composition,
    command: 'load-demo',
    login: stored?.superAdmin ?? newLogin(),
    keep: (login) => writeCredentials(dataDirectory, { ...stored, superAdmin: login }),
  });
  await ensureDemo(client);
  const keys = await demoKeys({ client, host: composition, known: stored?.keys ?? {} });
  const credentials: DemoCredentials = { baseUrl, ...demoPlaces, keys, superAdmin };
  await writeCredentials(dataDirectory, credentials);
  return { ...credentials, credentialsPath: credentialsFile(dataDirectory) };
}

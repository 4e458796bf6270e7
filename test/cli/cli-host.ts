import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newLogin, openAdminSession } from '../../src/cli/client/admin-session.js';
import type { OperationsClient } from '../../src/cli/client/operations-client.js';
import { startTestApp, type TestApp } from '../support/app.js';

/** A service with a data directory for commands. */
export interface CliHost extends TestApp {
  readonly dataDirectory: string;
}

export async function openCliHost(): Promise<CliHost> {
  const app = await startTestApp();
  const dataDirectory = await mkdtemp(path.join(tmpdir(), 'headwater-cli-'));
  return {
    ...app,
    dataDirectory,
    close: async () => {
      await app.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Creates a super-admin and returns their session. */
export async function adminOf({ composition }: TestApp): Promise<OperationsClient> {
  const keep = () => Promise.resolve();
  const session = await openAdminSession({ host: composition, command: 'test', login: newLogin(), keep });
  return session.client;
}

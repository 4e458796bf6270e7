import { afterAll } from '@jest/globals';
import { unique } from '../support/factories/project.js';
import {
  responseOf,
  redirectUri,
  startProvider,
  startSignOn,
  useProvider,
  type TestProvider,
} from '../support/identity-provider.js';
import type { Scene } from '../support/scene.js';
import { platform, session, type Table } from './row.js';

/** One for the examples of a test file. */
let provider: Promise<TestProvider> | undefined;

afterAll(async () => {
  await (await provider)?.close();
});

async function withProvider({ app, project }: Scene): Promise<TestProvider> {
  provider ??= startProvider();
  const opened = await provider;
  await useProvider(app, project.tenantSlug, opened);
  return opened;
}

export const signOn: Table<'signOn'> = {
  get: { access: platform, example: ({ project }) => Promise.resolve({ tenantSlug: project.tenantSlug }) },
  set: {
    access: platform,
    example: ({ project }) =>
      Promise.resolve({ tenantSlug: project.tenantSlug, issuer: `https://login-${unique()}.example.com` }),
  },
  check: {
    access: platform,
    example: async (scene) => {
      await withProvider(scene);
      return { tenantSlug: scene.project.tenantSlug };
    },
  },
  start: {
    access: session,
    example: async (scene) => {
      await withProvider(scene);
      return { tenantSlug: scene.project.tenantSlug, redirectUri };
    },
  },
  finish: {
    access: session,
    example: async (scene) => {
      const { people } = await withProvider(scene);
      const account = `user-${unique()}`;
      people.set(account, { email: `${account}@example.com`, email_verified: true });
      const { authorizationUrl, signOnToken } = await startSignOn(scene.app, scene.project.tenantSlug);
      return { signOnToken, response: await responseOf(authorizationUrl, account) };
    },
  },
};

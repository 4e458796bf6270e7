import type { Registry } from '../../contracts/index.js';
import type { TestApp } from './app.js';
import { must } from './call.js';
import { createAdmin, unique } from './factories/project.js';
import { inProject, type Example, type Scene } from './scene.js';

type CredentialExamples = {
  readonly [Group in 'apiKeys' | 'ipAllowlist' | 'sessions']: {
    readonly [Verb in keyof Registry[Group]]: Example;
  };
};

const refreshToken = async (app: TestApp) => {
  const body = await createAdmin(app);
  const session = { method: 'POST', path: '/api/v1/auth/login', body } as const;
  return (await must<{ refreshToken: string }>(app, session)).refreshToken;
};

const ipRule = ({ app, project: { management, keys } }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${management}/ip-allowlist`,
    key: keys.management,
    body: { cidr: '203.0.113.7' },
  });

const apiKey = ({ app, project: { management, keys } }: Scene) =>
  must(app, {
    method: 'POST',
    path: `${management}/api-keys`,
    key: keys.management,
    body: { name: 'Key', type: 'delivery' },
  });

/** Needed inputs of the operations on keys, networks and sessions. */
export const credentialExamples: CredentialExamples = {
  apiKeys: {
    list: inProject(() => ({})),
    create: inProject(() => ({ name: 'Key', type: 'delivery' })),
    get: inProject(async (scene) => ({ id: (await apiKey(scene)).id })),
    update: inProject(async (scene) => ({ id: (await apiKey(scene)).id, name: `Key ${unique()}` })),
    rotate: inProject(async (scene) => ({ id: (await apiKey(scene)).id, overlapSeconds: 60 })),
    revoke: inProject(async (scene) => ({ id: (await apiKey(scene)).id })),
  },
  ipAllowlist: {
    list: inProject(() => ({})),
    create: inProject(() => ({ cidr: '203.0.113.0/24', label: 'Office' })),
    set: inProject(() => ({ appliesTo: ['mcp'] })),
    update: inProject(async (scene) => ({ id: (await ipRule(scene)).id, label: unique() })),
    delete: inProject(async (scene) => ({ id: (await ipRule(scene)).id })),
  },
  sessions: {
    login: ({ app }) => createAdmin(app),
    refresh: async ({ app }) => ({ refreshToken: await refreshToken(app) }),
    logout: async ({ app }) => ({ refreshToken: await refreshToken(app) }),
  },
};

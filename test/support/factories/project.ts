import { randomBytes, randomUUID } from 'node:crypto';
import {
  atAddress,
  platformWork,
  systemScope,
  type WorkScope,
} from '../../../src/persistence/work/unit-of-work.js';
import { createApiKey } from '../../../src/features/access/api-keys/api-keys.js';
import { createSuperAdmin } from '../../../src/features/access/sessions/index.js';
import { createSite } from '../../../src/features/routing/sites/sites.js';
import { createTenant } from '../../../src/features/tenancy/tenants/tenants.js';
import type { TestApp } from '../app.js';
import { must } from '../call.js';
import { secretWatch } from '../secrets/secret-watch.js';

const PASSWORD = 'a password only tests know';
/** A super-admin who is logged in. */
interface Operator {
  readonly id: string;
  readonly token: string;
}

const operators = new WeakMap<TestApp, Promise<Operator>>();

async function newAdmin(app: TestApp): Promise<{ id: string; login: { email: string; password: string } }> {
  const login = { email: `admin-${unique()}@example.com`, password: PASSWORD };
  const request = { scope: systemScope({ command: 'tests' }), isReadOnly: false, lock: 'none' } as const;
  const admin = { ...login, name: 'Admin' };
  const { id } = await app.composition.services.units.run(request, (work) => createSuperAdmin(work, admin));
  return { id, login };
}

export const createAdmin = async (app: TestApp): Promise<{ email: string; password: string }> =>
  (await newAdmin(app)).login;

async function openSession(app: TestApp): Promise<Operator> {
  const { id, login: body } = await newAdmin(app);
  const { accessToken: token } = await must<{ accessToken: string }>(app, {
    method: 'POST',
    path: '/api/v1/auth/login',
    body,
  });
  return { id, token };
}

/** One per service. */
function operatorOf(app: TestApp): Promise<Operator> {
  const operator = operators.get(app) ?? openSession(app);
  operators.set(app, operator);
  return operator;
}

/** A short unique string. It begins with a letter, since digits alone are read as a number in places. */
export function unique(): string {
  return `u${randomBytes(5).toString('hex')}`;
}

/** The session token of a super-admin, one per service. */
export const superAdmin = async (app: TestApp): Promise<string> => (await operatorOf(app)).token;

/** A project in its own tenant, with a site and a key of every type. */
export interface TestProject {
  readonly tenantId: string;
  readonly tenantSlug: string;
  readonly projectId: string;
  readonly slug: string;
  readonly siteId: string;
  readonly siteSlug: string;
  readonly keys: { readonly delivery: string; readonly preview: string; readonly management: string };
  /** `/api/v1/projects/{slug}` */
  readonly management: string;
  /** `/api/delivery/projects/{slug}/sites/{siteSlug}` */
  readonly delivery: string;
}

export interface ProjectOptions {
  /** Locales of the tenant, the default first. */
  readonly locales?: readonly (string | { code: string; fallbackCode?: string })[];
}

const MAIN_SITE = { slug: 'main', name: 'Main' };

/** Creates the site and the keys in one transaction. */
async function fillProject(
  app: TestApp,
  scope: WorkScope,
  projectSlug: string,
): Promise<Pick<TestProject, 'siteId' | 'siteSlug' | 'keys'>> {
  const { units } = app.composition.services;
  return units.run({ scope, isReadOnly: false, lock: 'schema' }, async (work) => {
    const newKey = async (type: keyof TestProject['keys'], options: { permissions?: [] } = {}) => {
      const input = { projectSlug, name: type, type, requireConfirmation: false, ...options };
      const { secret } = (await createApiKey(work, input)).data;
      secretWatch.learn(secret, 'API key');
      return secret;
    };
    const { data: site } = await createSite(work, { projectSlug, ...MAIN_SITE });
    const keys = {
      delivery: await newKey('delivery'),
      // Agent tests use it for every action; by default a preview key only reads.
      preview: await newKey('preview', { permissions: [] }),
      management: await newKey('management'),
    };
    return { siteId: site.id, siteSlug: site.slug, keys };
  });
}

/**
 * Creates a tenant, project, site and keys as a super-admin. Most tests begin with it, therefore it runs the use cases without
 * HTTP and in two transactions.
 */
export async function createProject(
  app: TestApp,
  { locales = ['en', 'de', 'fr'] }: ProjectOptions = {},
): Promise<TestProject> {
  const { units, catalogs, mail } = app.composition.services;
  const { id } = await operatorOf(app);
  const scope = platformWork(
    { type: 'user', id, name: 'Admin' },
    { ip: null, userAgent: null, requestId: randomUUID(), interface: 'management' },
  );
  const slug = `p-${unique()}`;
  const project = { slug, name: 'Project' };
  const { data: tenant } = await units.run({ scope, isReadOnly: false, lock: 'schema' }, (work) =>
    createTenant(work, { slug: `t-${unique()}`, name: 'Tenant', locales: [...locales], project }, mail),
  );
  const catalog = await catalogs.find(slug, null);
  if (catalog === undefined) throw new Error(`The project ${slug} is missing.`);
  return {
    tenantId: tenant.id,
    tenantSlug: tenant.slug,
    projectId: catalog.data.project.id,
    slug,
    ...(await fillProject(app, atAddress(scope, catalog.data), slug)),
    management: `/api/v1/projects/${slug}`,
    delivery: `/api/delivery/projects/${slug}/sites/main`,
  };
}

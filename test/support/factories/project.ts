import { randomBytes } from 'node:crypto';
import { systemScope } from '../../../src/persistence/work/unit-of-work.js';
import { createSuperAdmin } from '../../../src/features/sessions/index.js';
import type { TestApp } from '../app.js';
import { must } from '../call.js';

const PASSWORD = 'a password only tests know';
const sessions = new WeakMap<TestApp, Promise<string>>();

export async function createAdmin(app: TestApp): Promise<{ email: string; password: string }> {
  const email = `admin-${unique()}@example.com`;
  const request = { scope: systemScope({ command: 'tests' }), isReadOnly: false, lock: 'none' } as const;
  const admin = { email, name: 'Admin', password: PASSWORD };
  await app.composition.services.units.run(request, (work) => createSuperAdmin(work, admin));
  return { email, password: PASSWORD };
}

async function openSession(app: TestApp): Promise<string> {
  const body = await createAdmin(app);
  const session = await must<{ accessToken: string }>(app, {
    method: 'POST',
    path: '/api/v1/auth/login',
    body,
  });
  return session.accessToken;
}

/** A short unique string. It begins with a letter, since digits alone are read as a number in places. */
export function unique(): string {
  return `u${randomBytes(5).toString('hex')}`;
}

/** The session token of a super-admin, one per service. */
export function superAdmin(app: TestApp): Promise<string> {
  const known = sessions.get(app) ?? openSession(app);
  sessions.set(app, known);
  return known;
}

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

interface MadeTenant {
  id: string;
  projects: { id: string }[];
}

/** Creates a tenant, project, site and keys through the API. */
export async function createProject(
  app: TestApp,
  { locales = ['en', 'de', 'fr'] }: ProjectOptions = {},
): Promise<TestProject> {
  const token = await superAdmin(app);
  const slug = `p-${unique()}`;
  const tenantSlug = `t-${unique()}`;
  const tenant = await must<MadeTenant>(app, {
    method: 'POST',
    path: '/api/v1/platform/tenants',
    key: token,
    body: { slug: tenantSlug, name: 'Tenant', locales, project: { slug, name: 'Project' } },
  });
  const management = `/api/v1/projects/${slug}`;
  const site = await must(app, {
    method: 'POST',
    path: `${management}/sites`,
    key: token,
    body: { slug: 'main', name: 'Main' },
  });
  const [delivery, preview, full] = await Promise.all(
    (['delivery', 'preview', 'management'] as const).map((type) =>
      must<{ secret: string }>(app, {
        method: 'POST',
        path: `${management}/api-keys`,
        key: token,
        // Agent tests use it for every action; by default a preview key only reads.
        body: { name: type, type, ...(type === 'preview' && { permissions: [] }) },
      }),
    ),
  );
  return {
    tenantId: tenant.id,
    tenantSlug,
    projectId: tenant.projects[0]?.id ?? '',
    slug,
    siteId: site.id,
    siteSlug: 'main',
    keys: {
      delivery: delivery?.secret ?? '',
      preview: preview?.secret ?? '',
      management: full?.secret ?? '',
    },
    management,
    delivery: `/api/delivery/projects/${slug}/sites/main`,
  };
}

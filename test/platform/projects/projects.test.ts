import { describe, expect, it } from '@jest/globals';
import { column, outcome, useApp } from '../../support/desk.js';
import { superAdmin, unique } from '../../support/factories/project.js';
import { newTenant, platform } from '../../support/platform.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

describe('POST tenants/{slug}/projects', () => {
  verifies('access/tenant-locales', 'http/status-of-create-and-delete');

  it('creates a project that is ready to use', async () => {
    const tenant = await newTenant(app());
    const slug = `p-${unique()}`;
    const { status, body } = await platform(app(), `POST /tenants/${tenant}/projects`, { slug, name: 'One' });
    expect([status, body.data.slug]).toEqual([201, slug]);
    const sites = app().request.get(`/api/v1/projects/${slug}/sites`);
    const answer = await sites.set('Authorization', `Bearer ${await superAdmin(app())}`);
    expect([answer.status, answer.body.data]).toEqual([200, []]);
  });

  it('returns 409 for a slug that any tenant of the service uses', async () => {
    const slug = `p-${unique()}`;
    await newTenant(app(), { project: { slug, name: 'One' } });
    const other = await newTenant(app());
    const answer = await platform(app(), `POST /tenants/${other}/projects`, { slug, name: 'Two' });
    expect(outcome(answer)).toEqual([409, 'slug_conflict']);
    expect(answer.text).not.toMatch(/projects_slug_key|SQL/);
  });

  it('returns 404 when creating a project of an unknown tenant', async () => {
    const answer = await platform(app(), 'POST /tenants/nothing/projects', {
      slug: `p-${unique()}`,
      name: 'X',
    });
    expect(outcome(answer)).toEqual([404, 'tenant_not_found']);
  });
});

describe('GET tenants/{slug}/projects', () => {
  it('lists the projects of that tenant only', async () => {
    const slugs = [`p-${unique()}`, `p-${unique()}`];
    await newTenant(app(), { project: { slug: `p-${unique()}`, name: 'Elsewhere' } });
    const tenant = await newTenant(app());
    for (const slug of slugs) await platform(app(), `POST /tenants/${tenant}/projects`, { slug, name: slug });
    const answer = await platform(app(), `GET /tenants/${tenant}/projects?orderBy=createdAt:asc`);
    expect(column(answer, 'slug')).toEqual(slugs);
    expect(answer.body.meta.total).toBe(2);
  });

  it('returns 404 when listing projects of an unknown tenant', async () => {
    expect(outcome(await platform(app(), 'GET /tenants/nothing/projects'))).toEqual([
      404,
      'tenant_not_found',
    ]);
  });
});

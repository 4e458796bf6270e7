import { expect, it } from '@jest/globals';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { createEntry, publish } from '../support/factories/content.js';
import { platform } from '../support/platform.js';
import { verifies } from '../support/verifies.js';

const app = useOwnApp({ dataRegion: 'installation' });

const setRegion = (desk: Desk, dataRegion: string | null) =>
  platform(app(), `PUT /tenants/${desk.project.tenantSlug}`, { dataRegion });

it('is that of the tenant, else of the installation, on every surface and in answers from memory', async () => {
  verifies('content/settings-effective', 'http/data-region-header');
  const desk = await openDesk(app());
  const { project } = desk;
  const { id } = await createEntry(app(), project, {
    contentTypeApiName: 'article',
    fields: { title: 'A' },
  });
  await publish(app(), project, id);
  const regions = async () => {
    const bearer = `Bearer ${project.keys.management}`;
    const post = (path: string, key: string) =>
      app().request.post(path).set('Authorization', `Bearer ${key}`);
    const answers = [
      await app().request.get(`${project.delivery}/entries/${id}`),
      await app().request.get(`${project.delivery}/entries/${id}`),
      await app().request.get(`${project.delivery}/entries/nothing`),
      await app().request.get(`${project.delivery}/sitemap`),
      await post(`/api/graphql/${project.slug}`, project.keys.delivery).send({
        query: '{ articleCollection { total } }',
      }),
      await post(`/api/graphql/${project.slug}`, project.keys.delivery).send({
        query: '{ articleCollection { total } }',
      }),
      await desk.get('/sites'),
      await app()
        .request.get('/api/trpc/sites.list')
        .query({ input: JSON.stringify({ projectSlug: project.slug }) })
        .set('Authorization', bearer),
    ];
    return [...new Set(answers.map(({ headers }) => String(headers['x-service-data-region'])))];
  };
  expect(await regions()).toEqual(['installation']);
  expect((await setRegion(desk, 'eu-central')).status).toBe(200);
  expect(await regions()).toEqual(['eu-central']);
  expect((await app().request.get('/healthz')).headers['x-service-data-region']).toBe('installation');
  await setRegion(desk, null);
  expect(await regions()).toEqual(['installation']);
});

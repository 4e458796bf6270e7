import { beforeAll, describe, expect, it } from '@jest/globals';
import { must } from '../support/call.js';
import { createProject, type TestProject } from '../support/factories/project.js';
import { verifies } from '../support/verifies.js';
import { createLivePage, createPage, createPageType } from '../support/factories/tree.js';
import { useApp } from '../support/desk.js';

const app = useApp();
let project: TestProject;
let live: string;
let draft: string;

beforeAll(async () => {
  project = await createProject(app());
  await createPageType(app(), project);
  live = (await createLivePage(app(), project, { slug: 'about' })).id;
  draft = (await createPage(app(), project, { slug: 'soon' })).id;
  await must(app(), {
    method: 'POST',
    path: `${project.management}/redirects`,
    key: project.keys.management,
    body: { siteId: project.siteId, source: '/old', target: '/about', status: 302 },
  });
});

const query = `query ($site: String!, $locale: String!, $path: String!) {
  resolveRoute(site: $site, locale: $locale, path: $path) {
    kind target status entry { _id __typename ... on Page { title } } } }`;

async function resolve(path: string, { key = project.keys.delivery, site = 'main', locale = 'en' } = {}) {
  const call = app().request.post(`/api/graphql/${project.slug}`).set('Authorization', `Bearer ${key}`);
  const { body } = await call.send({ query, variables: { site, locale, path } });
  return body;
}

describe('GraphQL resolveRoute', () => {
  verifies('graphql/resolve-route');

  it('returns the page at a path', async () => {
    expect((await resolve('/about/')).data.resolveRoute).toEqual({
      kind: 'entry',
      entry: { _id: live, __typename: 'Page', title: 'Page about' },
      target: null,
      status: null,
    });
  });

  it('returns the redirect at a path, or null when nothing matches', async () => {
    const redirect = { kind: 'redirect', entry: null, target: '/about', status: 302 };
    expect((await resolve('/old')).data.resolveRoute).toEqual(redirect);
    expect((await resolve('/nowhere')).data.resolveRoute).toBeNull();
    expect((await resolve('/about', { locale: 'de' })).data.resolveRoute).toBeNull();
  });

  it('returns drafts only to preview keys', async () => {
    expect((await resolve('/soon')).data.resolveRoute).toBeNull();
    const seen = await resolve('/soon', { key: project.keys.preview });
    expect(seen.data.resolveRoute.entry._id).toBe(draft);
  });

  it('returns the error code for an invalid site, locale or path', async () => {
    const answers = [
      await resolve('/about', { site: 'none' }),
      await resolve('/about', { locale: 'xx' }),
      await resolve('about'),
    ];
    expect(answers.map(({ errors }) => errors[0].extensions.code)).toEqual([
      'site_not_found',
      'locale_not_found',
      'validation_failed',
    ]);
  });
});

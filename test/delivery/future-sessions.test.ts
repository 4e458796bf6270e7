import { describe, expect, it } from '@jest/globals';
import { issues, outcome, useOwnApp } from '../support/desk.js';
import { verifies } from '../support/verifies.js';
import { entryItem } from '../management/releases/release-desk.js';
import { FutureDesk } from './future-desk.js';

const app = useOwnApp();

describe('preview sessions of the future', () => {
  verifies('publication/preview-sessions');
  verifies('publication/future');

  it('show a release or a time instead of drafts, on every surface, until the release is deleted', async () => {
    const desk = await FutureDesk.open(app());
    const { scene, project } = desk;
    const [inside, outside] = [
      await desk.article({ title: 'Inside' }),
      await desk.article({ title: 'Outside' }),
    ];
    const { id } = await scene.release([entryItem(inside)]);
    const at = '2099-01-01T00:00:00Z';
    await scene.data(scene.desk.post(`/entries/${outside.id}/publish`, { scheduledAt: at }), 202);
    const session = async (body: object): Promise<string> => {
      const made = scene.desk.post('/preview-sessions', { siteId: project.siteId, ...body });
      return (await scene.data<{ token: string }>(made)).token;
    };
    const shown = async (token: string, more: Readonly<Record<string, string>> = {}) => {
      const listed = await desk.get(
        'content/article?orderBy=createdAt:asc',
        { previewToken: token, ...more },
        '',
      );
      const path = `/api/graphql/${project.slug}`;
      const query = '{ articleCollection { total } }';
      const asked = await app().request.post(path).set('X-Preview-Token', token).send({ query });
      const { data } = listed.body as { data?: { fields: { title: string } }[] };
      const { data: counted } = asked.body as { data?: { articleCollection: { total: number } } };
      return [listed.status, data?.map(({ fields }) => fields.title), counted?.articleCollection.total];
    };
    const drafts = await session({});
    const ofRelease = await session({ releaseId: id.toUpperCase() });
    const ofTime = await session({ at });
    expect(await shown(drafts)).toEqual([200, ['Inside', 'Outside'], 2]);
    expect(await shown(ofRelease)).toEqual([200, ['Inside'], 1]);
    expect(await shown(ofTime)).toEqual([200, ['Outside'], 1]);
    expect(await shown(await session({ releaseId: id, at }))).toEqual([200, ['Inside', 'Outside'], 2]);
    expect((await shown(drafts, { release: id })).slice(0, 2)).toEqual([200, ['Inside']]);
    expect((await shown(ofTime, { at: '2098-01-01T00:00:00Z' })).slice(0, 2)).toEqual([200, []]);
    const records = (await scene.desk.get('/audit-events?action=site.preview')).body as { data: object[] };
    expect(records.data).toMatchObject([
      { after: { releaseId: id, at: '2099-01-01T00:00:00.000Z' } },
      { after: { releaseId: null, at: '2099-01-01T00:00:00.000Z' } },
      { after: { releaseId: id, at: null } },
      { after: { releaseId: null, at: null } },
    ]);
    await scene.data(scene.desk.delete(`/releases/${id}`));
    expect(await shown(ofRelease)).toEqual([404, undefined, undefined]);
    const create = (body: object) =>
      scene.desk.post('/preview-sessions', { siteId: project.siteId, ...body });
    expect(outcome(await create({ releaseId: id }))).toEqual([404, 'release_not_found']);
    expect(issues(await create({ at: '2001-01-01T00:00:00Z' }))).toEqual([['at', 'not_in_future']]);
  });

  it('show the present once their time has passed, and of a release only the changes of their site', async () => {
    const desk = await FutureDesk.open(app());
    const { scene, project } = desk;
    const site = await scene.data<{ id: string }>(
      scene.desk.post('/sites', { slug: 'other', name: 'Other', defaultLocale: 'en', locales: ['en'] }),
      201,
    );
    const [own, foreign] = [
      await desk.article({ title: 'Own' }),
      await scene.data<{ id: string }>(
        scene.desk.post('/entries', {
          contentTypeApiName: 'article',
          siteId: site.id,
          fields: { title: 'Foreign' },
        }),
        201,
      ),
    ];
    await scene.edit(own, { fields: { related: [{ _ref: foreign.id }] } });
    const { id } = await scene.release([entryItem(own), entryItem(foreign)]);
    const related = async (token: string) => {
      const { body } = await desk.get(`entries/${own.id}?include=1`, { previewToken: token }, '');
      return (body as { data?: { fields: { related: { fields?: { title: string } }[] } } }).data?.fields
        .related;
    };
    const { previewSessions, clock } = app().composition.services;
    const { data } = (await app().composition.services.catalogs.find(project.slug, null))!;
    const claims = {
      projectId: data.project.id,
      environmentId: data.environment.id,
      siteId: project.siteId,
      maker: { kind: 'api_key', id: await keyOf(scene) } as const,
      expiresAt: new Date(clock().getTime() + 60_000),
      tokenId: 't',
    };
    const token = await previewSessions.issue({ ...claims, releaseId: id });
    expect((await related(token))?.map(({ fields }) => fields)).toEqual([]);
    const passed = await previewSessions.issue({ ...claims, at: new Date(0) });
    expect(await related(passed)).toBeUndefined();
    const whole = await desk.get(`entries/${own.id}?include=1`, { release: id });
    expect((whole.body as { data: { fields: object } }).data.fields).toMatchObject({
      related: [{ fields: { title: 'Foreign' } }],
    });
  });
});

/** The id of the management key. */
async function keyOf({ desk }: FutureDesk['scene']): Promise<string> {
  const { body } = await desk.get('/api-keys');
  const keys = (body as { data: { id: string; type: string }[] }).data;
  return keys.find(({ type }) => type === 'management')?.id ?? '';
}

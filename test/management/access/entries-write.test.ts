import { beforeAll, describe, expect, it } from '@jest/globals';
import { unique } from '../../support/factories/project.js';
import { sessionWith } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { openRights, outcome, type RightsScene } from './scene.js';
import { useApp } from '../../support/desk.js';

const app = useApp();
let scene: RightsScene;

beforeAll(async () => {
  scene = await openRights(app());
});

const read = { resource: 'entries', action: 'read' };
const denied = [403, 'permission_denied'];
const done = [200, undefined];

describe('A writer of entries who is limited', () => {
  verifies('access/reading-limited-to-rows', 'access/permission-denied');

  it('limits writes to the locales of the grants and denies shared fields', async () => {
    const id = await scene.article();
    const as = await scene.member(read, {
      resource: 'entries',
      action: 'update',
      scope: { locales: ['de'] },
    });
    const title = `Titel ${unique()}`;
    expect(outcome(await as(`PUT /entries/${id}`, { version: 1, locale: 'en', fields: { title } }))).toEqual(
      denied,
    );
    expect(outcome(await as(`PUT /entries/${id}`, { version: 1, locale: 'de', fields: { title } }))).toEqual(
      done,
    );
    expect(
      outcome(await as(`POST /entries/${id}/copy-locale`, { fromLocale: 'de', toLocale: 'fr' })),
    ).toEqual(denied);
    const key = scene.as(scene.project.keys.management);
    await key(`PUT /entries/${id}`, { version: 2, locale: 'en', fields: { title: 'Changed' } });
    const refused = await as(`POST /entries/${id}/restore`, { versionNum: 1 });
    expect(outcome(refused)).toEqual(denied);
  });

  it('limits writes to the fields of the grants', async () => {
    const id = await scene.article();
    const as = await scene.member(read, {
      resource: 'entries',
      action: 'update',
      scope: { fields: ['body'] },
    });
    const body = {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: unique() }] }],
    };
    const put = (fields: object, more: object = {}) =>
      as(`PUT /entries/${id}`, { version: 1, fields, ...more });
    expect(outcome(await put({ title: 'Other' }))).toEqual(denied);
    expect(outcome(await put({ body, title: 'Other' }))).toEqual(denied);
    expect(outcome(await put({}, { slug: `slug-${unique()}` }))).toEqual(denied);
    expect(outcome(await put({ body }))).toEqual(done);
  });

  it('applies grants limited to own entries to entries the caller created', async () => {
    const as = scene.as(await sessionWith(app(), scene.project, 'author'));
    const theirs = await scene.article();
    const made = await as('POST /entries', {
      contentTypeApiName: 'article',
      siteId: scene.project.siteId,
      fields: { title: 'Mine' },
    });
    expect(made.status).toBe(201);
    const mine = made.body.data.id as string;
    const put = (id: string) => as(`PUT /entries/${id}`, { version: 1, fields: { title: unique() } });
    expect([outcome(await put(theirs)), outcome(await put(mine))]).toEqual([denied, done]);
    expect(outcome(await as(`POST /entries/${mine}/publish`, {}))).toEqual(denied);
    expect(outcome(await as(`DELETE /entries/${theirs}`))).toEqual(denied);
    const bulk = await as('POST /entries/bulk', { action: 'delete', entryIds: [theirs, mine] });
    expect(bulk.body.data.results).toMatchObject([
      {
        entryId: theirs,
        ok: false,
        error: 'permission_denied',
        details: { resource: 'entries', action: 'delete' },
      },
      { entryId: mine, ok: true },
    ]);
  });

  it('limits creation to the content types, sites and locales of the grants', async () => {
    const scope = {
      siteIds: [scene.otherSiteId],
      contentTypes: ['article'],
      locales: ['en'],
      fields: ['title'],
    };
    const as = await scene.member(read, { resource: 'entries', action: 'create', scope });
    const create = (body: object) =>
      as('POST /entries', {
        contentTypeApiName: 'article',
        siteId: scene.otherSiteId,
        fields: { title: unique() },
        ...body,
      });
    expect(outcome(await create({}))).toEqual([201, undefined]);
    for (const body of [
      { siteId: scene.project.siteId },
      { contentTypeApiName: 'author', fields: { name: 'Ada' } },
      { locale: 'de' },
      { slug: `slug-${unique()}` },
    ])
      expect(outcome(await create(body))).toEqual(denied);
    const source = await scene.article();
    expect(outcome(await as(`POST /entries/${source}/duplicate`, { siteId: scene.otherSiteId }))).toEqual(
      denied,
    );
  });

  it('limits writes to the branch of the tree and moves nothing out of it', async () => {
    const key = scene.as(scene.project.keys.management);
    const folder = async () =>
      (await key('POST /tree/nodes', { siteId: scene.project.siteId, slug: unique() })).body.data
        .id as string;
    const [branch, beside] = [await folder(), await folder()];
    const [inside, outside] = [
      await scene.article({}, { treeParentId: branch }),
      await scene.article({}, { treeParentId: beside }),
    ];
    const scope = { treeNodeIds: [branch] };
    const as = await scene.member(read, { resource: 'entries', action: '*', scope });
    const put = (id: string, body: object) => as(`PUT /entries/${id}`, { version: 1, ...body });
    expect(outcome(await put(outside, { fields: { title: 'Other' } }))).toEqual(denied);
    expect(outcome(await put(inside, { treeParentId: beside }))).toEqual(denied);
    expect(outcome(await put(inside, { fields: { title: unique() } }))).toEqual(done);
    const create = (treeParentId: string | null) =>
      as('POST /entries', {
        contentTypeApiName: 'article',
        siteId: scene.project.siteId,
        fields: { title: unique() },
        treeParentId,
      });
    expect(outcome(await create(beside))).toEqual(denied);
    expect(outcome(await create(null))).toEqual(denied);
    expect(outcome(await create(branch))).toEqual([201, undefined]);
  });

  it('limits publishing to the locales of the grants', async () => {
    const id = await scene.article();
    const key = scene.as(scene.project.keys.management);
    await key(`PUT /entries/${id}`, { version: 1, locale: 'de', fields: { title: 'Titel' } });
    const as = await scene.member(read, {
      resource: 'entries',
      action: 'publish',
      scope: { locales: ['de'] },
    });
    expect(outcome(await as(`POST /entries/${id}/publish`, { locale: 'en' }))).toEqual(denied);
    expect(outcome(await as(`POST /entries/${id}/publish`, { locale: 'de' }))).toEqual(done);
    const later = { locale: 'en', scheduledAt: '2099-01-01T00:00:00Z' };
    expect(outcome(await as(`POST /entries/${id}/publish`, later))).toEqual(denied);
    expect(outcome(await as(`POST /entries/${id}/unpublish`, { locale: 'de' }))).toEqual(denied);
  });
});

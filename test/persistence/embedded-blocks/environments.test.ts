import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrateTo, migrateUp, runBatches } from '../../../src/persistence/migrations/migrator.js';
import { embeddedBlocks } from '../../../src/persistence/migrations/steps/0085-embedded-blocks.js';
import { migrations } from '../../../src/persistence/migrations/steps/index.js';
import { startBeside, type TestApp } from '../../support/app.js';
import { expectConsistent } from '../../support/consistency.js';
import { Desk, issues, useOwnApp } from '../../support/desk.js';
import { branch } from '../../support/factories/branch.js';
import { createType } from '../../support/factories/content.js';
import { uploadAsset } from '../../support/factories/media.js';
import { verifies } from '../../support/verifies.js';
import { change, now } from '../../management/entries/history.js';
import { deliveredIn, downgrade, FormerProject, linkTo, type Texts } from './scene.js';

const app = useOwnApp();
const ids = new Map<string, string>();
let former: FormerProject;
let neighbour: FormerProject;
let environment: string;
let migrated: TestApp;
let desk: Desk;

const idOf = (name: string): string => ids.get(name) ?? '';
const to = (...names: string[]) => names.map((name) => linkTo({ id: idOf(name) }));
const link = (name: string, type = 'section') => ({ _ref: idOf(name), _type: type });

async function live(type: string, name: string, texts: Texts): Promise<void> {
  ids.set(name, (await former.live(type, texts)).id);
}

/** A page that is changed in a branch, and one whose block the branch uses a second time. */
async function writeBranch(): Promise<void> {
  await live('section', 'same', { en: { title: 'Same' } });
  await live('section', 'edited', { en: { title: 'Edited', tone: 'calm' } });
  await live('section', 'ours', { en: { title: 'Ours' } });
  await live('leaflet', 'page', { en: { title: 'Page', sections: to('same', 'edited', 'ours') } });
  await live('section', 'used', { en: { title: 'Used' } });
  await live('leaflet', 'user', { en: { title: 'User', sections: to('used') } });
  environment = await branch({ app: app(), project: former.desk.project });
  const there = former.desk.in(environment);
  expect((await change(there, idOf('edited'), { fields: { title: 'There' } })).status).toBe(200);
  await former.change(idOf('ours'), { fields: { title: 'Here' } });
  const body = { contentTypeApiName: 'leaflet', siteId: former.desk.project.siteId };
  const second = await there.post('/entries', { ...body, fields: { title: 'Second', sections: to('used') } });
  expect(second.status).toBe(201);
}

/** A page and its block whose fields and types were renamed since their publication and since their drafts. */
async function writeRenamed(): Promise<void> {
  const { app: service, project } = former.desk;
  const title = { apiName: 'title', type: 'text' };
  const code = { apiName: 'code', type: 'text', localized: false, unique: true };
  const picture = { apiName: 'picture', type: 'media' };
  await createType(service, project, { apiName: 'teaser', isBlock: true, fields: [title, code, picture] });
  const teasers = { apiName: 'teasers', type: 'blocks', settings: { contentTypes: ['teaser'] } };
  await createType(service, project, { apiName: 'front', fields: [title, teasers] });
  ids.set('asset', (await uploadAsset(service, project)).id);
  await live('teaser', 'teaser', {
    en: { title: 'Teaser', code: 'one', picture: linkTo({ id: idOf('asset') }) },
  });
  await live('front', 'front', { en: { title: 'Front', teasers: to('teaser') } });
  await former.change(idOf('front'), { fields: { title: 'Front, later' } });
  const renames = {
    '/content-types/teaser/fields/title': 'headline',
    '/content-types/front/fields/teasers': 'parts',
  };
  for (const [path, apiName] of Object.entries({ ...renames, '/content-types/teaser': 'banner' }))
    expect((await former.desk.post(`${path}/rename`, { apiName })).status).toBe(200);
  await former.change(idOf('teaser'), { fields: { headline: 'Teaser, later' } });
}

/** Blocks that have an owner, of both tenants and all environments. */
async function embedded(): Promise<number> {
  const counts = [former, neighbour].map(({ desk: { project } }) =>
    app().rows<{ count: number }>(
      project.tenantId,
      'SELECT count(*)::int AS count FROM owned_blocks WHERE tenant_id = $1',
      [project.tenantId],
    ),
  );
  return (await Promise.all(counts)).flat().reduce((sum, { count }) => sum + count, 0);
}

/** Runs the migration until its connection is lost, after some of its transactions and in the next one. */
async function killedAfter(transactions: number): Promise<void> {
  const client = new pg.Client({ connectionString: app().databaseUrl });
  await client.connect();
  const { prepare = '', next = '' } = embeddedBlocks.batches ?? {};
  await client.query(prepare);
  for (let done = 0; done < transactions; done += 1) await client.query(next);
  await client.query('BEGIN');
  await client.query(next);
  await client.end();
}

beforeAll(async () => {
  former = await FormerProject.open(app());
  neighbour = await FormerProject.open(app());
  await writeBranch();
  await writeRenamed();
  const section = await neighbour.live('section', { en: { title: 'Next door' } });
  const page = await neighbour.live('leaflet', { en: { title: 'House', sections: [linkTo(section)] } });
  ids.set('next door', section.id).set('house', page.id);
  await downgrade(app());
  const before = migrations[migrations.findIndex(({ name }) => name === embeddedBlocks.name) - 1];
  await migrateTo(before?.name ?? '', { url: app().databaseUrl });
}, 120_000);

afterAll(() => migrated.close());

const differences = async () =>
  (
    (await desk.get(`/environments/${environment}/diff?target=main`)).body.data as { change: string }[]
  ).filter(({ change: kind }) => kind !== 'none');

describe('A migration of blocks', () => {
  verifies('entries/own-blocks', 'environments/comparison');

  it('that is killed leaves whole entries, and another one does the rest', async () => {
    for (const transactions of [0, 1]) {
      await killedAfter(transactions);
      expect(await embedded()).toBe(0);
    }
    await killedAfter(2);
    const done = await embedded();
    expect([done > 0, done < 8]).toEqual([true, true]);
    expect(await migrateUp({ url: app().databaseUrl })).toContain(embeddedBlocks.name);
    expect(await embedded()).toBe(8);
    migrated = await startBeside(app());
    desk = new Desk(migrated, former.desk.project);
    for (const { desk: at } of [former, neighbour]) await expectConsistent(migrated, at.project);
  });

  it('changes nothing when it runs again', async () => {
    const rows = () =>
      app().rows(
        desk.project.tenantId,
        'SELECT id, version, shared_fields FROM entries ORDER BY environment_id, id',
      );
    const before = await rows();
    const client = new pg.Client({ connectionString: app().databaseUrl });
    await client.connect();
    if (embeddedBlocks.batches) await runBatches(client, embeddedBlocks.batches);
    await client.end();
    expect(await rows()).toEqual(before);
  });

  it('reaches every tenant', async () => {
    const at = new Desk(migrated, neighbour.desk.project);
    expect((await now(at, idOf('house'))).fields.sections).toEqual([
      { ...link('next door'), fields: { title: 'Next door' } },
    ]);
    expect(await deliveredIn(at, idOf('house'), '?include=1')).toEqual({
      ...{ id: idOf('house'), title: 'House' },
      sections: [{ id: idOf('next door'), title: 'Next door' }],
    });
  });

  it('treats an entry the same in all environments, which differ in what they differed before', async () => {
    const sections = (edited: string, ours: string) => [
      { ...link('same'), fields: { title: 'Same' } },
      { ...link('edited'), fields: { title: edited, tone: 'calm' } },
      { ...link('ours'), fields: { title: ours } },
    ];
    const there = desk.in(environment);
    expect((await now(desk, idOf('page'))).fields.sections).toEqual(sections('Edited', 'Here'));
    expect((await now(there, idOf('page'))).fields.sections).toEqual(sections('There', 'Ours'));
    for (const at of [desk, there]) expect((await at.get(`/entries/${idOf('used')}`)).status).toBe(200);
    const value = (name: string, rest: object) => ({
      ...{ locale: 'en', field: `sections[${idOf(name)}].title` },
      ...rest,
    });
    expect(await differences()).toEqual([
      expect.objectContaining({
        ...{ id: idOf('page'), change: 'updated', isConflict: false },
        values: [
          value('edited', { changedIn: 'source', base: 'Edited', source: 'There', target: 'Edited' }),
          value('ours', { changedIn: 'target', base: 'Ours', source: 'Ours', target: 'Here' }),
        ],
      }),
      expect.objectContaining({ name: 'Second', change: 'created' }),
    ]);
    const body = { mode: 'full', target: 'main' };
    expect((await desk.post(`/environments/${environment}/promote`, body)).status).toBe(200);
    expect((await now(desk, idOf('page'))).fields.sections).toEqual(sections('There', 'Here'));
    await expectConsistent(migrated, desk.project);
  });

  it('knows blocks and entries by the names that they have now', async () => {
    const teaser = (headline: string) => ({
      ...link('teaser', 'banner'),
      fields: { headline, code: 'one', picture: link('asset', 'MediaAsset') },
    });
    const front = await now(desk, idOf('front'));
    expect(front.fields).toEqual({ title: 'Front, later', parts: [teaser('Teaser, later')] });
    const { body } = await desk.get(`/entries/${front.id}/versions/1`);
    expect(body.data.snapshot.fields.en).toEqual({ title: 'Front', parts: [teaser('Teaser')] });
    const { version } = front;
    const restored = await desk.post(`/entries/${front.id}/restore`, { versionNum: 1, version });
    expect(restored.body.data.fields.parts).toEqual([teaser('Teaser')]);
  });

  it('keeps unique values and the use of assets', async () => {
    const siteId = desk.project.siteId;
    const parts = [{ _type: 'banner', fields: { headline: 'Copy', code: 'one' } }];
    const body = { contentTypeApiName: 'front', siteId, fields: { title: 'Copy', parts } };
    const { id, fields } = (await desk.post('/entries', body)).body.data as {
      id: string;
      fields: { parts: { _ref: string }[] };
    };
    const block = fields.parts[0]?._ref ?? '';
    const refused = await desk.post(`/entries/${id}/publish`, {});
    expect(issues(refused)).toEqual([[`fields.parts.${block}.fields.code`, 'not_unique']]);
    const used = await desk.get(`/media/${idOf('asset')}/references`);
    expect(used.body.data).toEqual([expect.objectContaining({ entryId: idOf('front') })]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../../support/app.js';
import { expectConsistent } from '../../support/consistency.js';
import { Desk, useOwnApp } from '../../support/desk.js';
import { createType } from '../../support/factories/content.js';
import { createMember } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';
import { now, otherSite } from '../../management/entries/history.js';
import { deliveredIn, FormerProject, linkTo, upgrade, type Texts } from './scene.js';

const app = useOwnApp();
const ids = new Map<string, string>();
let former: FormerProject;
let migrated: TestApp;
let desk: Desk;

const idOf = (name: string): string => ids.get(name) ?? '';
const to = (...names: string[]) => names.map((name) => linkTo({ id: idOf(name) }));

/** Makes a block, and a separate page that links it. */
async function onPage(name: string, texts: Texts = { en: { title: name } }): Promise<void> {
  ids.set(name, (await former.live('section', texts)).id);
  const page = await former.live('leaflet', { en: { title: name, sections: to(name) } });
  ids.set(`page of ${name}`, page.id);
}

const mention = (entryId: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'entryMention', attrs: { entryId } }] }],
});

/** Blocks of one page that are also something else. */
async function writeUses(): Promise<void> {
  const { app: service, project } = former.desk;
  for (const name of ['alone', 'referenced', 'mentioned', 'scheduled', 'assigned', 'translated', 'elsewhere'])
    await onPage(name);
  await createType(service, project, {
    apiName: 'index',
    fields: [
      { apiName: 'first', type: 'reference' },
      { apiName: 'text', type: 'richText' },
    ],
  });
  await former.live('index', { en: { first: linkTo({ id: idOf('referenced') }) } });
  await former.live('index', { en: { text: mention(idOf('mentioned')) } });
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  await former.change(idOf('scheduled'), { fields: { tone: 'later' } });
  const job = await former.desk.post(`/entries/${idOf('scheduled')}/publish`, { scheduledAt });
  expect(job.status).toBe(202);
  const { id: assigneeId } = await createMember(service, project, []);
  const assign = { action: 'assign', entryIds: [idOf('assigned')], params: { assigneeId } };
  expect((await former.desk.post('/entries/bulk', assign)).body.data).toMatchObject({ succeeded: 1 });
  await former.change(idOf('translated'), { locale: 'de', fields: { title: 'Übersetzt' } });
  const siteId = await otherSite(former.desk);
  const body = { contentTypeApiName: 'section', siteId, fields: { title: 'abroad' } };
  const abroad = await former.desk.post('/entries', body);
  ids.set('abroad', abroad.body.data.id);
  await former.change(idOf('page of elsewhere'), { fields: { sections: to('elsewhere', 'abroad') } });
}

/** Blocks that hold each other, that a page has twice, and that are in one of several languages. */
async function writePlaces(): Promise<void> {
  for (const name of ['one', 'other'])
    ids.set(name, (await former.draft('nest', { en: { label: name } })).id);
  await former.change(idOf('one'), { fields: { nests: to('other') } });
  await former.change(idOf('other'), { fields: { nests: to('one') } });
  ids.set('twice', (await former.draft('section', { en: { title: 'twice' } })).id);
  await former.draft('leaflet', { en: { title: 'Twice', sections: to('twice'), notes: to('twice') } });
}

/** A block of a block that several pages have, and a chain of eleven blocks. */
async function writeNests(): Promise<void> {
  ids.set('inner', (await former.live('nest', { en: { label: 'inner' } })).id);
  ids.set('outer', (await former.live('nest', { en: { label: 'outer', nests: to('inner') } })).id);
  for (const name of ['left', 'right'])
    ids.set(name, (await former.live('tree', { en: { nests: to('outer') } })).id);
  for (let level = 12; level > 0; level -= 1) {
    const nests = level === 12 ? [] : to(`level ${String(level + 1)}`);
    ids.set(
      `level ${String(level)}`,
      (await former.draft('nest', { en: { label: String(level), nests } })).id,
    );
  }
  ids.set('deep', (await former.draft('tree', { en: { nests: to('level 1') } })).id);
}

beforeAll(async () => {
  former = await FormerProject.open(app());
  const { app: service, project } = former.desk;
  const nests = { apiName: 'nests', type: 'blocks', localized: false, settings: { contentTypes: ['nest'] } };
  const label = { apiName: 'label', type: 'text' };
  await createType(service, project, {
    apiName: 'nest',
    isBlock: true,
    fields: [label, { ...nests, settings: {} }],
  });
  await createType(service, project, { apiName: 'tree', fields: [nests] });
  await writeUses();
  await writePlaces();
  await writeNests();
  migrated = await upgrade(app());
  desk = new Desk(migrated, project);
}, 120_000);

afterAll(() => migrated.close());

const isEntry = async (name: string): Promise<boolean> =>
  (await desk.get(`/entries/${idOf(name)}`)).status === 200;

describe('An entry of a block type that one page links', () => {
  verifies('entries/shared-blocks');

  it.each([
    'referenced',
    'mentioned',
    'scheduled',
    'assigned',
    'translated',
    'abroad',
    'one',
    'other',
    'twice',
  ])('stays an entry if it is more than that: %s', async (name) => {
    expect(await isEntry(name)).toBe(true);
  });

  it('becomes a block of the page otherwise', async () => {
    for (const name of ['alone', 'elsewhere']) {
      expect(await isEntry(name)).toBe(false);
      const { fields } = await now(desk, idOf(`page of ${name}`));
      expect((fields.sections as object[])[0]).toEqual({
        ...{ _ref: idOf(name), _type: 'section' },
        fields: { title: name },
      });
    }
  });

  it('becomes a block of the shared block that holds it', async () => {
    expect(await isEntry('outer')).toBe(true);
    expect(await isEntry('inner')).toBe(false);
    const inner = { _ref: idOf('inner'), _type: 'nest', fields: { label: 'inner' } };
    expect((await now(desk, idOf('outer'))).fields).toMatchObject({ nests: [inner] });
    for (const name of ['left', 'right'])
      expect(await deliveredIn(desk, idOf(name), '?include=2')).toEqual({
        id: idOf(name),
        nests: [{ id: idOf('outer'), label: 'outer', nests: [{ id: idOf('inner'), label: 'inner' }] }],
      });
  });

  it('becomes one down to the tenth level, where blocks begin that hold those below', async () => {
    const entries: string[] = [];
    for (let level = 1; level <= 12; level += 1)
      if (await isEntry(`level ${String(level)}`)) entries.push(`level ${String(level)}`);
    expect(entries).toEqual(['level 11']);
    const owner = await desk.get(`/entries/${idOf('level 12')}`);
    expect(owner.body).toMatchObject({ error: 'entry_not_found', details: { ownerId: idOf('level 11') } });
    await expectConsistent(migrated, desk.project);
  });
});

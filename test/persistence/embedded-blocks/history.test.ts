import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../../support/app.js';
import { expectConsistent } from '../../support/consistency.js';
import { Desk, useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { read, said, type Comment } from '../../management/comments/threads.js';
import { change, now } from '../../management/entries/history.js';
import { translationIn } from '../../management/translations/desk.js';
import { FormerProject, linkTo, upgrade, type Texts } from './scene.js';

const app = useOwnApp();
const ids = new Map<string, string>();
const comments: Comment[] = [];
let former: FormerProject;
let migrated: TestApp;
let desk: Desk;

const idOf = (name: string): string => ids.get(name) ?? '';
const to = (...names: string[]) => names.map((name) => linkTo({ id: idOf(name) }));
const own = (name: string, fields: object, type = 'section') => ({ _ref: idOf(name), _type: type, fields });
const link = (name: string, type = 'section') => ({ _ref: idOf(name), _type: type });
const sectionsOf = async (name: string, locale = 'en') =>
  (await now(desk, idOf(name), `?locale=${locale}`)).fields.sections;

async function live(type: string, name: string, texts: Texts): Promise<void> {
  ids.set(name, (await former.live(type, texts)).id);
}

async function restored(name: string, versionNum: number): Promise<void> {
  const { version } = await now(desk, idOf(name));
  const response = await desk.post(`/entries/${idOf(name)}/restore`, { versionNum, version });
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
}

/** Version 1 and 2 before the publication of 3, a draft after it, and a block that only version 1 had. */
async function writeVersions(): Promise<void> {
  await live('cardlet', 'card', { en: { heading: 'Card' }, de: { heading: 'Karte' } });
  await live('section', 'first', {
    en: { title: 'First', cards: to('card') },
    de: { title: 'Erster' },
  });
  await live('section', 'second', { en: { title: 'Second' }, de: { title: 'Zweiter' } });
  await live('section', 'dropped', { en: { title: 'Dropped' } });
  const { id } = await former.draft('leaflet', {
    en: { title: 'Page', sections: to('dropped', 'first', 'second') },
  });
  ids.set('page', id);
  await former.change(id, { fields: { sections: to('second', 'first') } });
  await former.change(id, { locale: 'de', fields: { title: 'Seite' } });
  await former.publish(id, 'en', 'de');
  await former.change(id, { fields: { title: 'Page, later', sections: to('first', 'second') } });
  await former.change(idOf('first'), { fields: { title: 'First, later' } });
}

/** A page that links the block of another one in its first version only, and one whose draft no longer has a public block. */
async function writeFormerLinks(): Promise<void> {
  const { id } = await former.draft('leaflet', { en: { title: 'Former', sections: to('first') } });
  ids.set('former', id);
  await former.change(id, { fields: { sections: [] } });
  await live('section', 'public', { en: { title: 'Public' } });
  await live('leaflet', 'left', { en: { title: 'Left', sections: to('public') } });
  await former.change(idOf('left'), { fields: { sections: [] } });
}

async function writeComments(): Promise<void> {
  const anchor = { field: 'title', locale: 'en', from: 0, to: 5 };
  const thread = await said(former.desk, idOf('first'), 'Which one?', { anchor });
  const reply = await said(former.desk, idOf('first'), 'This one.', { parentId: thread.id });
  comments.push(thread, reply, await said(former.desk, idOf('card'), 'Is it red?'));
}

/** A German page that is complete, one of whose blocks has a newer source, and one that is in English only. */
async function writeTranslations(): Promise<void> {
  await live('section', 'old', { en: { title: 'Old' }, de: { title: 'Alt' } });
  await live('section', 'same', { en: { title: 'Same' }, de: { title: 'Gleich' } });
  await live('section', 'english', { en: { title: 'English' } });
  await live('leaflet', 'translated', {
    en: { title: 'Translated', sections: to('old', 'same', 'english') },
    de: { title: 'Übersetzt' },
  });
  await former.change(idOf('old'), { fields: { title: 'New' } });
  await former.publish(idOf('old'), 'en');
}

beforeAll(async () => {
  former = await FormerProject.open(app());
  await writeVersions();
  await writeFormerLinks();
  await writeComments();
  await writeTranslations();
  const scheduled = { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() };
  const { version } = await now(former.desk, idOf('page'));
  const job = await former.desk.post(`/entries/${idOf('page')}/publish`, { ...scheduled, version });
  expect(job.status).toBe(202);
  migrated = await upgrade(app());
  desk = new Desk(migrated, former.desk.project);
}, 120_000);

afterAll(() => migrated.close());

describe('What was kept for a block while it was an entry', () => {
  verifies('entries/comment-anchors', 'translations/staleness');

  it('is a comment on the page, in the block', async () => {
    const [thread, reply, whole] = comments;
    expect(await read(desk, idOf('page'), thread?.id ?? '')).toMatchObject({
      text: 'Which one?',
      anchor: { ...thread?.anchor, block: idOf('first') },
    });
    expect(await read(desk, idOf('page'), reply?.id ?? '')).toMatchObject({ parentId: thread?.id });
    expect(await read(desk, idOf('page'), whole?.id ?? '')).toMatchObject({
      text: 'Is it red?',
      anchor: null,
    });
  });

  it('is how far the translation of its texts is', async () => {
    const translation = await translationIn(desk, idOf('translated'), 'de');
    const names = ['old', 'english'].map((name) => `sections[${idOf(name)}].title`);
    expect(new Set(translation.outdatedFields)).toEqual(new Set(names));
    expect(translation).toMatchObject({ status: 'stale', progress: 1 });
    expect(await sectionsOf('translated', 'de')).toEqual([
      own('old', { title: 'Alt' }),
      own('same', { title: 'Gleich' }),
      own('english', { title: 'English' }),
    ]);
    const german = [{ _ref: idOf('old'), fields: { title: 'Neu' } }, ...to('same', 'english')];
    await change(desk, idOf('translated'), { locale: 'de', fields: { sections: german } });
    expect((await translationIn(desk, idOf('translated'), 'de')).outdatedFields).toEqual(names.slice(1));
  });
});

describe('A version from before blocks had owners', () => {
  verifies('entries/versions', 'entries/shared-blocks');

  it('is followed by one that has the blocks', async () => {
    const { body } = await desk.get(`/entries/${idOf('page')}/versions?orderBy=createdAt:asc`);
    const { data } = body as {
      data: { versionNum: number; changedFields: string[]; isPublished: boolean }[];
    };
    expect(data.map(({ versionNum, isPublished }) => [versionNum, isPublished])).toEqual([
      [1, false],
      [2, false],
      [3, true],
      [4, false],
      [5, false],
    ]);
    expect(data[4]?.changedFields).toEqual(['sections']);
    const first = await desk.get(`/entries/${idOf('page')}/versions/1`);
    expect(first.body.data.snapshot.fields.en.sections).toEqual([
      link('dropped'),
      link('first'),
      link('second'),
    ]);
    await expectConsistent(migrated, desk.project);
  });

  it('is restored with what was published with it', async () => {
    await restored('page', 3);
    const first = (title: string, heading: string) =>
      own('first', { title, cards: [own('card', { heading }, 'cardlet')] });
    expect(await sectionsOf('page')).toEqual([own('second', { title: 'Second' }), first('First', 'Card')]);
    expect(await sectionsOf('page', 'de')).toEqual([
      own('second', { title: 'Zweiter' }),
      first('Erster', 'Karte'),
    ]);
    await restored('page', 5);
    expect(await sectionsOf('page')).toEqual([
      first('First, later', 'Card'),
      own('second', { title: 'Second' }),
    ]);
  });

  it('is restored with blocks that were removed since, as they were nearest to it', async () => {
    await change(desk, idOf('page'), { fields: { sections: [] } });
    await restored('page', 1);
    const first = (title: string, heading: string) =>
      own('first', { title, cards: [own('card', { heading }, 'cardlet')] });
    expect(await sectionsOf('page')).toEqual([
      link('dropped'),
      first('First', 'Card'),
      own('second', { title: 'Second' }),
    ]);
    expect(await sectionsOf('page', 'de')).toEqual([
      link('dropped'),
      first('Erster', 'Karte'),
      own('second', { title: 'Zweiter' }),
    ]);
    expect((await desk.post(`/entries/${idOf('page')}/publish`, {})).status).toBe(200);
    await expectConsistent(migrated, desk.project);
  });

  it('of another entry gets a copy of a block that it linked', async () => {
    await restored('former', 1);
    const [block] = (await sectionsOf('former')) as { _ref: string; fields: { cards: { _ref: string }[] } }[];
    expect(block).toEqual({
      ...{ _ref: expect.any(String), _type: 'section' },
      fields: {
        title: 'First',
        cards: [{ _ref: expect.any(String), _type: 'cardlet', fields: { heading: 'Card' } }],
      },
    });
    expect([block?._ref, block?.fields.cards[0]?._ref]).not.toContain(idOf('first'));
    expect(block?.fields.cards[0]?._ref).not.toBe(idOf('card'));
    expect((await now(desk, block?._ref ?? '')) as unknown).toBeUndefined();
    await expectConsistent(migrated, desk.project);
  });

  it('has a block that only the document showed', async () => {
    expect(await sectionsOf('left')).toEqual([]);
    await restored('left', 1);
    expect(await sectionsOf('left')).toEqual([own('public', { title: 'Public' })]);
  });
});

describe('A schedule of the entry', () => {
  verifies('publication/schedule-jobs');

  it('expects the version that has the blocks', async () => {
    const { tenantId } = desk.project;
    const jobs = await migrated.rows<{ version: number }>(
      tenantId,
      "SELECT version FROM scheduled_jobs WHERE entry_id = $1 AND status <> 'succeeded'",
      [idOf('page')],
    );
    expect(jobs).toEqual([{ version: 5 }]);
  });
});

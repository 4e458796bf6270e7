import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from '../../support/call.js';
import { Desk, outcome, useOwnApp } from '../../support/desk.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { expectConsistent } from '../../support/consistency.js';
import { createProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

const app = useOwnApp();

/** A site in English, the default, and German. */
let desk: Desk;

beforeEach(async () => {
  desk = new Desk(app(), await createProject(app(), { locales: ['en', 'de'] }));
});

describe('A type that loses its locales', () => {
  verifies('localization/lost-locales');

  const path = '/content-types/article';
  const setLocalized = (isLocalized: boolean) => desk.put(path, { isLocalized });
  const served = async (id: string, locale: string) => {
    const { body } = await send(app(), {
      method: 'GET',
      path: `${desk.project.delivery}/entries/${id}?locale=${locale}`,
    });
    return (body as { data?: { fields: { title: string } } }).data?.fields.title;
  };

  /** An article in English and German, published in these locales. */
  async function article(...published: string[]): Promise<string> {
    const { id } = await createEntry(app(), desk.project, {
      contentTypeApiName: 'article',
      slug: 'lamp',
      fields: { title: 'Lamp' },
    });
    await desk.put(`/entries/${id}`, { version: 1, locale: 'de', slug: 'lampe', fields: { title: 'Lampe' } });
    for (const locale of published) await publish(app(), desk.project, id, locale);
    return id;
  }

  beforeEach(async () => {
    await createType(app(), desk.project, {
      apiName: 'article',
      isPage: true,
      fields: [{ apiName: 'title', type: 'text' }],
    });
  });

  it('is refused while an entry is published in another locale than the one that is shown', async () => {
    const id = await article('en', 'de');
    const refused = await setLocalized(false);
    expect([...outcome(refused), refused.body.details]).toEqual([
      409,
      'content_type_in_use',
      { contentTypeApiName: 'article', publishedEntryCount: 1, sampleEntryIds: [id] },
    ]);
    expect((await desk.get(path)).body.data.isLocalized).toBe(true);
    expect(await served(id, 'de')).toBe('Lampe');
    await desk.post(`/entries/${id}/unpublish`, { locale: 'de' });
    expect((await setLocalized(false)).status).toBe(200);
    expect(await served(id, 'de')).toBe('Lamp');
  });

  it('serves what is shown in every locale, and hides the other drafts until it has locales again', async () => {
    const id = await article('en');
    expect([await served(id, 'en'), await served(id, 'de')]).toEqual(['Lamp', undefined]);
    expect((await desk.get('/translations')).body.meta.total).toBe(1);
    await setLocalized(false);
    expect([await served(id, 'en'), await served(id, 'de')]).toEqual(['Lamp', 'Lamp']);
    expect((await desk.get(`/entries/${id}?locale=de`)).body.data).toMatchObject({
      locale: 'en',
      locales: [{ locale: 'en', slug: 'lamp' }],
    });
    expect((await desk.get('/entries?locale=de')).body.data).toMatchObject([{ locale: 'en' }]);
    expect((await desk.get('/translations')).body.meta.total).toBe(0);
    const { body } = await send(app(), {
      method: 'GET',
      path: `${desk.project.delivery}/routes?path=/lamp&locale=de`,
    });
    expect(body.data.entry).toMatchObject({ _id: id, _locale: 'de' });

    await setLocalized(true);
    expect([await served(id, 'en'), await served(id, 'de')]).toEqual(['Lamp', undefined]);
    expect((await desk.get(`/entries/${id}?locale=de`)).body.data).toMatchObject({
      locale: 'de',
      slug: 'lampe',
      status: 'draft',
      fields: { title: 'Lampe' },
    });
    expect((await desk.get('/translations?locale=de')).body).toMatchObject({
      data: [{ entryId: id, locales: [{ locale: 'de', status: 'in_progress' }] }],
      meta: { total: 1 },
    });
  });

  it('keeps the hidden drafts through deletion, restoring and another default locale', async () => {
    const id = await article('en');
    await setLocalized(false);
    await desk.delete(`/entries/${id}`);
    await desk.post(`/entries/${id}/undelete`, {});
    await desk.put('/sites/main', { defaultLocale: 'de' });
    const { body } = await desk.get(`/entries/${id}`);
    expect(body.data).toMatchObject({ locale: 'en', locales: [{ locale: 'en' }] });
    const { version } = body.data as { version: number };
    const restored = await desk.post(`/entries/${id}/restore`, { versionNum: 2, version });
    expect(restored.body.data).toMatchObject({ locale: 'en', locales: [{ locale: 'en' }] });
    await publish(app(), desk.project, id);
    expect([await served(id, 'en'), await served(id, 'de')]).toEqual(['Lamp', 'Lamp']);
    await setLocalized(true);
    expect((await desk.get(`/entries/${id}?locale=de`)).body.data.fields.title).toBe('Lampe');
  });

  it('is refused with 409 if a hidden slug was taken before the locales return', async () => {
    await article('en');
    await setLocalized(false);
    await desk.put('/sites/main', { defaultLocale: 'de' });
    await createEntry(app(), desk.project, { contentTypeApiName: 'article', slug: 'lampe' });
    expect(outcome(await setLocalized(true))).toEqual([409, 'slug_conflict']);
    expect((await desk.get(path)).body.data.isLocalized).toBe(false);
  });

  it('is a blocker in the plan of a schema, and undone with the apply', async () => {
    const id = await article('en', 'de');
    const { body: exported } = await desk.get('/schema/export');
    const schema = exported.data.schema as {
      contentTypes: { apiName: string; isLocalized?: boolean; fields: { localized?: boolean }[] }[];
    };
    const type = schema.contentTypes.find(({ apiName }) => apiName === 'article');
    if (type === undefined) throw new Error('The export lacks the type.');
    type.isLocalized = false;
    for (const field of type.fields) field.localized = true;
    const plan = await desk.post('/schema/plan', { schema });
    expect(plan.body.data.steps).toMatchObject([
      { kind: 'contentType', name: 'article', blocker: { code: 'content_type_in_use' } },
    ]);
    expect(outcome(await desk.post('/schema/apply', { schema }))).toEqual([409, 'content_type_in_use']);
    await desk.post(`/entries/${id}/unpublish`, { locale: 'de' });
    const applied = await desk.post('/schema/apply', { schema });
    expect(applied.status).toBe(200);
    expect(await served(id, 'de')).toBe('Lamp');
    const undone = await desk.post('/schema/undo', { applyId: applied.body.data.applyId as string });
    expect(undone.status).toBe(200);
    expect(await served(id, 'de')).toBeUndefined();
    expect((await desk.get(`/entries/${id}?locale=de`)).body.data.fields.title).toBe('Lampe');
  });

  it('leaves nothing that a check of stored marks and translations would report', async () => {
    await article('en');
    await setLocalized(false);
    const { id } = await createEntry(app(), desk.project, { contentTypeApiName: 'article', slug: 'bulb' });
    await publish(app(), desk.project, id);
    await expectConsistent(app(), desk.project);
    await setLocalized(true);
    await expectConsistent(app(), desk.project);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.js';
import { openDesk, type Desk } from '../../support/desk.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { png, uploadAsset } from '../../support/factories/media.js';
import { testMedia } from '../../support/test-media.js';
import { picture, withExif } from '../../media/receive/pictures.js';
import { pdf, startClamd, wav } from '../../media/receive/samples.js';

let app: TestApp;
let clamd: Awaited<ReturnType<typeof startClamd>>;
let desk: Desk;

beforeAll(async () => {
  clamd = await startClamd();
  app = await startTestApp({ media: { ...testMedia(), scanner: clamd.url } });
  desk = await openDesk(app, { locales: ['en', { code: 'de', fallbackCode: 'en' }] });
});

afterAll(async () => {
  await app.close();
  clamd.close();
});

const fileOf = (fileName: string, content: Buffer) => ({ fileName, content: content.toString('base64') });
const link = (id: string) => ({ _ref: id, _type: 'MediaAsset' });

async function uploaded(fileName: string, content: Buffer): Promise<Record<string, unknown>> {
  const { id } = await uploadAsset(app, desk.project, { file: fileOf(fileName, content) });
  return (await desk.get(`/media/${id}`)).body.data as Record<string, unknown>;
}

const delivered = async (id: string, locale: string): Promise<Record<string, unknown>> =>
  (await app.request.get(`${desk.project.delivery}/media/${id}?locale=${locale}`)).body.data as Record<
    string,
    unknown
  >;

describe('An asset', () => {
  it('has what is in its file, and the result of the scan', async () => {
    const photo = await uploaded('photo.jpg', await withExif(picture()).jpeg().toBuffer());
    expect(photo).toMatchObject({ width: 60, height: 40, durationSeconds: null, scanStatus: 'clean' });
    expect(Object.keys(photo.metadata as object)).not.toEqual([]);
    expect(await uploaded('silence.wav', wav())).toMatchObject({
      durationSeconds: 1,
      codec: 'PCM',
      pages: null,
      metadata: {},
    });
    expect(await uploaded('report.pdf', pdf)).toMatchObject({ pages: 2, codec: null, height: null });
  });

  it('is delivered with its focal point and the values of each locale', async () => {
    const made = await uploadAsset(app, desk.project, { title: 'A lock', description: 'Seen from below.' });
    const other = await uploadAsset(app, desk.project, {
      file: fileOf('report.pdf', Buffer.from(`${pdf.toString()}\n`)),
    });
    for (const focalPoint of [
      { x: 0.25, y: 0.75 },
      { x: 0.5, y: 0.1 },
    ]) {
      await desk.put(`/media/${made.id}`, { focalPoint });
      expect(await delivered(made.id, 'en')).toMatchObject({ focalPoint, height: 2, mimeType: 'image/png' });
    }
    expect(await delivered(other.id, 'en')).toMatchObject({ height: null, mimeType: 'application/pdf' });
    for (const [locale, title] of [
      ['en', 'A lock'],
      ['de', 'Eine Schleuse'],
    ] as const) {
      const overlay = await desk.put(`/media/${made.id}/locales/${locale}`, { title });
      expect(overlay.body.data).toMatchObject({ locale, title });
      expect(await delivered(made.id, locale)).toMatchObject({
        locale,
        title,
        description: 'Seen from below.',
      });
    }
  });

  it('lists the fields that use it, in drafts and published, on every site', async () => {
    const { id } = await uploadAsset(app, desk.project);
    for (const apiName of ['poster', 'banner'])
      await createType(app, desk.project, {
        apiName,
        fields: [
          { apiName: 'title', type: 'text' },
          { apiName: 'picture', type: 'media', localized: true },
        ],
      });
    const site = await desk.post('/sites', { slug: 'other', name: 'Other' });
    const siteId = (site.body as { data: { id: string } }).data.id;
    const live = await createEntry(app, desk.project, {
      contentTypeApiName: 'poster',
      fields: { title: 'Live', picture: link(id) },
    });
    await publish(app, desk.project, live.id);
    const draft = await createEntry(app, desk.project, {
      contentTypeApiName: 'banner',
      siteId,
      locale: 'de',
      fields: { title: 'Entwurf', picture: link(id) },
    });
    const { body } = await desk.get(`/media/${id}/references`);
    const common = { fieldApiName: 'picture', inDraft: true };
    expect((body as { data: object[] }).data).toHaveLength(2);
    expect((body as { data: object[] }).data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...common,
          entryId: live.id,
          contentTypeApiName: 'poster',
          siteId: desk.project.siteId,
          locale: 'en',
          title: 'Live',
          status: 'published',
          inPublished: true,
        }),
        expect.objectContaining({
          ...common,
          entryId: draft.id,
          contentTypeApiName: 'banner',
          siteId,
          locale: 'de',
          title: 'Entwurf',
          status: 'draft',
          inPublished: false,
        }),
      ]),
    );
  });

  it('lists every file that it has had', async () => {
    const { id } = await uploadAsset(app, desk.project, { file: fileOf('lock.png', png(3, 2)) });
    const file = fileOf('lock.jpg', await picture(8, 6).jpeg().toBuffer());
    const replaced = await desk.put(`/media/${id}/file`, { file });
    expect([replaced.status, replaced.body.data.mimeType]).toEqual([200, 'image/jpeg']);
    const { body } = await desk.get(`/media/${id}/versions`);
    expect(body.data).toMatchObject([
      { isCurrent: true, mimeType: 'image/jpeg', width: 8, height: 6 },
      { isCurrent: false, mimeType: 'image/png', width: 3, height: 2 },
    ]);
  });
});

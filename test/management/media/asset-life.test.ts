import { describe, expect, it } from '@jest/globals';
import { openDesk, outcome, useApp } from '../../support/desk.js';
import { send } from '../../support/call.js';
import { createEntry, createType, publish } from '../../support/factories/content.js';
import { png, textFile, uploadAsset } from '../../support/factories/media.js';
import { createProject } from '../../support/factories/project.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const file = (width: number) => ({ fileName: 'new.png', content: png(width, 2).toString('base64') });
const missing = '0198c0de-0000-7000-8000-000000000000';

async function desk() {
  const opened = await openDesk(app());
  const { project } = opened;
  const metadata = async (id: string) =>
    (await send(app(), { method: 'GET', path: `${project.delivery}/media/${id}` })).body.data as {
      url: string;
      width: number;
      altText: string | null;
    };
  return {
    desk: opened,
    project,
    metadata,
    asset: await uploadAsset(app(), project, { altText: 'Before' }),
  };
}

describe('Replacing a file', () => {
  verifies('media/replace');

  it('keeps id and overlays, changes delivery at once, and keeps the old file as a version', async () => {
    const { desk: by, asset, metadata } = await desk();
    expect((await metadata(asset.id)).width).toBe(3);
    const replaced = await by.put(`/media/${asset.id}/file`, { file: file(7) });
    expect(replaced.body.data).toMatchObject({ id: asset.id, version: 2, width: 7, altText: 'Before' });
    const shown = await metadata(asset.id);
    expect(shown).toMatchObject({ width: 7, altText: 'Before', url: replaced.body.data.url });
    expect(shown.url).not.toBe(asset.url);
    const { body } = await by.get(`/media/${asset.id}/versions`);
    expect(body).toMatchObject({
      data: [
        { versionNum: 2, isCurrent: true, width: 7 },
        { versionNum: 1, isCurrent: false, width: 3, checksum: asset.checksum },
      ],
      meta: { total: 2 },
    });
  });

  it('streams a multipart form with the version before the file', async () => {
    const { project, asset } = await desk();
    const put = (version: string) =>
      app()
        .request.put(`${project.management}/media/${asset.id}/file`)
        .set('Authorization', `Bearer ${project.keys.management}`)
        .field('version', version)
        .attach('file', png(5, 2), 'five.png');
    expect(outcome(await put('9'))).toEqual([409, 'version_conflict']);
    expect((await put('1')).body.data).toMatchObject({ width: 5, version: 2 });
  });

  it('restores a version as a new one', async () => {
    const { desk: by, asset } = await desk();
    await by.put(`/media/${asset.id}/file`, { file: file(7) });
    const restored = await by.post(`/media/${asset.id}/versions/1/restore`);
    expect(restored.body.data).toMatchObject({ version: 3, width: 3, checksum: asset.checksum });
    for (const number of ['2147483648', '99', '0'])
      expect(outcome(await by.post(`/media/${asset.id}/versions/${number}/restore`))).toEqual([
        404,
        'version_not_found',
      ]);
  });

  it('changes nothing for the same file', async () => {
    const { desk: by, asset } = await desk();
    const same = file(7);
    await by.put(`/media/${asset.id}/file`, { file: same });
    expect((await by.put(`/media/${asset.id}/file`, { file: same })).body.data.version).toBe(2);
  });

  it('lets one of two simultaneous replacements of a version win', async () => {
    const { desk: by, asset } = await desk();
    const both = await Promise.all(
      [6, 7].map((width) => by.put(`/media/${asset.id}/file`, { version: 1, file: file(width) })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('References of an asset', () => {
  it('name the fields of drafts and published entries', async () => {
    const { desk: by, project, asset } = await desk();
    await createType(app(), project, {
      apiName: 'card',
      fields: [
        { apiName: 'title', type: 'text' },
        { apiName: 'picture', type: 'media' },
        { apiName: 'shared', type: 'media', localized: false },
      ],
    });
    const link = { _ref: asset.id };
    const fields = { title: 'A card', picture: link, shared: link };
    const { id } = await createEntry(app(), project, { contentTypeApiName: 'card', fields });
    await publish(app(), project, id);
    await by.put(`/entries/${id}`, { version: 1, fields: { picture: null } });
    const { body } = await by.get(`/media/${asset.id}/references`);
    expect(body.meta.total).toBe(2);
    expect(body.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          entryId: id,
          fieldApiName: 'picture',
          inDraft: false,
          inPublished: true,
          title: 'A card',
        }),
        expect.objectContaining({ fieldApiName: 'shared', locale: null, inDraft: true, inPublished: true }),
      ]),
    );
  });
});

describe('Bulk changes of assets', () => {
  verifies('media/bulk');

  it('report an outcome for each asset in the order of the request', async () => {
    const { desk: by, project, asset } = await desk();
    const foreign = await uploadAsset(app(), await createProject(app()));
    const other = await uploadAsset(app(), project, { tags: ['old'] });
    const assetIds = [other.id, missing, asset.id, foreign.id, other.id];
    const { body } = await by.post('/media/bulk', { action: 'tag', assetIds, params: { tags: ['new'] } });
    expect(body.data).toMatchObject({
      action: 'tag',
      total: 4,
      succeeded: 2,
      failed: 2,
      results: [
        { assetId: other.id, ok: true, version: 2 },
        { assetId: missing, ok: false, error: 'media_not_found' },
        { assetId: asset.id, ok: true },
        { assetId: foreign.id, ok: false, error: 'media_not_found' },
      ],
    });
    expect((await by.get(`/media/${other.id}`)).body.data.tags).toEqual(['old', 'new']);
    await by.post('/media/bulk', { action: 'untag', assetIds, params: { tags: ['old'] } });
    expect((await by.get(`/media/${other.id}`)).body.data.tags).toEqual(['new']);
    const gone = await by.post('/media/bulk', { action: 'delete', assetIds: [other.id, asset.id] });
    expect(gone.body.data.succeeded).toBe(2);
    expect((await by.get(`/media/${other.id}`)).status).toBe(404);
  });

  it('move to folders that exist, and take only their own params', async () => {
    const { desk: by, asset } = await desk();
    const { id: folderId } = (await by.post('/media/folders', { name: 'Target' })).body.data as {
      id: string;
    };
    const assetIds = [asset.id];
    await by.post('/media/bulk', { action: 'move', assetIds, params: { folderId } });
    expect((await by.get(`/media/${asset.id}`)).body.data.folderId).toBe(folderId);
    const lost = await by.post('/media/bulk', { action: 'move', assetIds, params: { folderId: missing } });
    expect(outcome(lost)).toEqual([404, 'media_folder_not_found']);
    for (const call of [
      { action: 'tag' },
      { action: 'move', params: { tags: ['x'] } },
      { action: 'delete', params: { tags: ['x'] } },
    ])
      expect(outcome(await by.post('/media/bulk', { ...call, assetIds }))).toEqual([
        422,
        'validation_failed',
      ]);
  });
});

describe('Signed URLs', () => {
  verifies('media/signed-url');

  it('serve a private file that its plain URL does not', async () => {
    const { desk: by, project } = await desk();
    const hidden = await uploadAsset(app(), project, {
      file: textFile('secret text of a file'),
      visibility: 'private',
    });
    const { url, expiresAt } = (await by.post(`/media/${hidden.id}/signed-url`, { expiresIn: 60 })).body
      .data as {
      url: string;
      expiresAt: string;
    };
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    const pathOf = (address: string) => address.replace(/^https?:\/\/[^/]+/, '');
    expect((await app().request.get(pathOf(hidden.url))).status).toBe(403);
    const served = await app().request.get(pathOf(url)).buffer(true);
    expect([served.status, served.text]).toEqual([200, 'secret text of a file']);
  });
});

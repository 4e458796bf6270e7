import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { send } from '../../support/call.js';
import { issues, openDesk, outcome, useApp } from '../../support/desk.js';
import { textFile, uploadAsset, type TestAsset } from '../../support/factories/media.js';
import { verifies } from '../../support/verifies.js';
import { text, UploadClient, type TestUpload } from './upload-client.js';

const app = useApp();

const announced = { fileName: 'a.txt', size: 1, mimeType: 'text/plain' };

/** An asset, and a client that uploads files for it. */
async function library() {
  const by = new UploadClient(await openDesk(app()));
  const asset = await uploadAsset(app(), by.desk.project, { file: textFile(), altText: 'Before' });
  const sent = async (content = text()): Promise<TestUpload> => {
    const upload = await by.start(content, { replaces: asset.id });
    await by.patch(upload, 0, content);
    return upload;
  };
  const complete = ({ id }: { readonly id: string }, body: object = {}): Promise<Response> =>
    by.desk.post(`/media/uploads/${id}/complete`, body);
  const current = async (): Promise<TestAsset & { version: number }> =>
    (await by.desk.get(`/media/${asset.id}`)).body.data as TestAsset & { version: number };
  return { by, desk: by.desk, asset, sent, complete, current };
}

describe('An upload that replaces a file', () => {
  verifies('media/large-uploads', 'media/replace');

  it('keeps the properties of the asset, adds a version, and changes delivery', async () => {
    const { by, desk, asset, complete, current } = await library();
    const content = text();
    const upload = await by.start(content, { replaces: asset.id });
    expect(upload).toMatchObject({ replaces: asset.id, assetId: null });
    await by.patch(upload, 0, content.subarray(0, 400));
    expect(outcome(await complete(upload))).toEqual([409, 'upload_incomplete']);
    expect((await current()).version).toBe(1);
    await by.patch(upload, 400, content.subarray(400));
    const completed = await complete(upload, { version: 1 });
    expect([completed.status, completed.body]).toMatchObject([
      200,
      { data: { id: asset.id, version: 2, altText: 'Before', size: 1000 }, meta: { replaced: true } },
    ]);
    const address = `${desk.project.delivery}/media/${asset.id}`;
    const { body } = await send(app(), { method: 'GET', path: address });
    const served = await app()
      .request.get((body.data as { url: string }).url)
      .buffer(true);
    expect(served.text).toBe(content.toString());
    expect((await desk.get(`/media/${asset.id}/versions`)).body.meta.total).toBe(2);
    expect((await desk.get('/media')).body.meta.total).toBe(1);
    const again = await complete(upload, { version: 1 });
    expect([again.status, again.body.meta, again.body.data.version]).toEqual([200, { duplicate: true }, 2]);
    expect((await desk.get(`/media/uploads/${upload.id}`)).body.data).toMatchObject({
      status: 'completed',
      assetId: asset.id,
      replaces: asset.id,
    });
  });

  it('is recorded as a change of the asset', async () => {
    const { desk, asset, sent, complete } = await library();
    await complete(await sent());
    const events = await app().rows<{ type: string }>(
      desk.project.tenantId,
      'SELECT type FROM outbox_events WHERE payload::text LIKE $1 ORDER BY 1',
      [`%${asset.id}%`],
    );
    expect(events.map(({ type }) => type)).toEqual(['media.created', 'media.updated']);
  });

  it('fails with the version of another change, and can be completed without it', async () => {
    const { desk, asset, sent, complete, current } = await library();
    const upload = await sent();
    await desk.put(`/media/${asset.id}`, { tags: ['changed'] });
    expect(outcome(await complete(upload, { version: 1 }))).toEqual([409, 'version_conflict']);
    const matched = await app()
      .request.post(`${desk.project.management}/media/uploads/${upload.id}/complete`)
      .set({ Authorization: `Bearer ${desk.project.keys.management}`, 'If-Match': '"1"' });
    expect(outcome(matched)).toEqual([412, 'precondition_failed']);
    expect((await current()).sourceChecksum).toBe(asset.sourceChecksum);
    expect((await complete(upload)).body.data).toMatchObject({ version: 3, tags: ['changed'] });
  });

  it('lets one of two replacements of a version win', async () => {
    const { sent, complete, current } = await library();
    const both = await Promise.all([sent(), sent()]);
    const responses = await Promise.all(both.map((upload) => complete(upload, { version: 1 })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await current()).version).toBe(2);
  });

  it('changes nothing with the same file', async () => {
    const { by, desk, asset, complete, current } = await library();
    const content = text();
    await desk.put(`/media/${asset.id}/file`, {
      file: { fileName: 'same.txt', content: content.toString('base64') },
    });
    const upload = await by.start(content, { replaces: asset.id, fileName: 'same.txt' });
    await by.patch(upload, 0, content);
    const completed = await complete(upload);
    expect([completed.status, completed.body.meta]).toEqual([200, { duplicate: true }]);
    expect((await current()).version).toBe(2);
  });

  it('takes no properties, and no version without an asset to replace', async () => {
    const { by, desk, asset, complete, current } = await library();
    const given = { altText: 'Other', tags: ['a'], locale: 'en-US', siteIds: [], visibility: 'private' };
    const refused = await desk.post('/media/uploads', { ...announced, ...given, replaces: asset.id });
    expect([refused.status, issues(refused).sort()]).toEqual([
      422,
      Object.keys(given)
        .sort()
        .map((key) => [key, 'not_allowed']),
    ]);
    const content = text();
    const upload = await by.start(content);
    await by.patch(upload, 0, content);
    const versioned = await complete(upload, { version: 1 });
    expect([versioned.status, issues(versioned)]).toEqual([422, [['version', 'not_allowed']]]);
    expect((await complete(upload)).status).toBe(201);
    expect((await current()).altText).toBe('Before');
  });

  it('is refused for assets that do not exist, belong to others or were deleted since', async () => {
    const { desk, asset, sent, complete } = await library();
    const others = await library();
    for (const replaces of ['0198c0de-0000-7000-8000-000000000000', others.asset.id])
      expect(outcome(await desk.post('/media/uploads', { ...announced, replaces }))).toEqual([
        404,
        'media_not_found',
      ]);
    const upload = await sent();
    await desk.delete(`/media/${asset.id}`);
    expect(outcome(await complete(upload))).toEqual([404, 'media_not_found']);
    expect(outcome(await desk.get(`/media/uploads/${upload.id}`))).toEqual([404, 'media_not_found']);
  });

  it('needs the right to update the asset', async () => {
    const { desk, asset, sent } = await library();
    const { secret } = await desk.newKey({ type: 'management', siteIds: [desk.project.siteId] });
    const limited = desk.as(secret);
    const upload = await sent();
    for (const response of [
      await limited.post('/media/uploads', { ...announced, replaces: asset.id }),
      await limited.post(`/media/uploads/${upload.id}/complete`),
      await limited.delete(`/media/uploads/${upload.id}`),
    ])
      expect(outcome(response)).toEqual([403, 'permission_denied']);
    await desk.put(`/media/${asset.id}`, { siteIds: [desk.project.siteId] });
    expect((await limited.post(`/media/uploads/${upload.id}/complete`)).status).toBe(200);
  });
});

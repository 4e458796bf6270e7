import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Upload } from 'tus-js-client';
import { issues, openDesk, outcome, useOwnApp } from '../../support/desk.js';
import { textFile } from '../../support/factories/media.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';
import { storedParts, text, UploadClient } from './upload-client.js';

const app = useOwnApp();

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const client = async (): Promise<UploadClient> => new UploadClient(await openDesk(app()));

const partsOf = (upload: { readonly id: string }): Promise<number> => storedParts(app(), upload);

describe('A large upload', () => {
  verifies('media/large-uploads');

  it('announces the protocol before it starts', async () => {
    const by = await client();
    const path = `${by.desk.project.management}/media/uploads`;
    for (const url of [path, `${path}/any`]) {
      const { status, headers } = await app().request.options(url);
      expect([status, headers['tus-version'], headers['tus-resumable'], headers['tus-extension']]).toEqual([
        204,
        '1.0.0',
        '1.0.0',
        'expiration,termination',
      ]);
    }
    const other = await app().request.options(`${by.desk.project.management}/media`);
    expect(other.headers['tus-version']).toBeUndefined();
  });

  it('arrives in parts, resumes where it ended, and becomes an asset once', async () => {
    const by = await client();
    const file = text();
    const upload = await by.start(file, {
      checksum: sha256(file).toUpperCase(),
      altText: 'A regatta',
      tags: ['video'],
    });
    expect(upload).toMatchObject({ offset: 0, status: 'open', assetId: null, upload: { method: 'PATCH' } });
    expect(upload.upload.url).toMatch(new RegExp(`${by.pathOf(upload)}$`));
    const first = await by.patch(upload, 0, file.subarray(0, 300));
    expect([first.status, first.headers['upload-offset'], first.headers['tus-resumable']]).toEqual([
      204,
      '300',
      '1.0.0',
    ]);
    expect(await by.offset(upload)).toBe(300);
    for (const offset of [0, 299, 301])
      expect((await by.patch(upload, offset, file)).body).toMatchObject({
        error: 'upload_offset_conflict',
        details: { offset: 300 },
      });
    expect((await by.complete(upload)).body).toMatchObject({
      error: 'upload_incomplete',
      details: { offset: 300, size: 1000 },
    });
    await by.patch(upload, 300, file.subarray(300));
    const completed = await by.complete(upload);
    expect([completed.status, completed.body.meta]).toEqual([201, undefined]);
    const asset = completed.body.data as { id: string; url: string };
    expect(asset).toMatchObject({ altText: 'A regatta', tags: ['video'], sourceChecksum: sha256(file) });
    expect(completed.headers.location).toMatch(new RegExp(`/media/${asset.id}$`));
    const served = await app().request.get(asset.url).buffer(true);
    expect(served.text).toBe(file.toString());
    const again = await by.complete(upload);
    expect([again.status, again.body]).toMatchObject([
      200,
      { data: { id: asset.id }, meta: { duplicate: true } },
    ]);
    const { body } = await by.desk.get(`/media/uploads/${upload.id}`);
    expect(body.data).toMatchObject({ status: 'completed', assetId: asset.id, upload: null, offset: 1000 });
    expect(outcome(await by.patch(upload, 1000, file))).toEqual([409, 'upload_offset_conflict']);
    expect(await partsOf(upload)).toBe(0);
  });

  it('is sent by clients of tus', async () => {
    const by = await client();
    const file = text(5000);
    const upload = await by.start(file);
    await new Promise<void>((resolve, reject) => {
      new Upload(file, {
        uploadUrl: `${app().baseUrl}${by.pathOf(upload)}`,
        headers: { Authorization: `Bearer ${by.desk.project.keys.management}` },
        chunkSize: 2000,
        retryDelays: null,
        onError: reject,
        onSuccess: () => {
          resolve();
        },
      }).start();
    });
    expect((await by.complete(upload)).body.data.sourceChecksum).toBe(sha256(file));
    const aborted = await by.start(file);
    const url = `${app().baseUrl}${by.pathOf(aborted)}`;
    await Upload.terminate(url, { headers: { Authorization: `Bearer ${by.desk.project.keys.management}` } });
    expect(outcome(await by.desk.get(`/media/uploads/${aborted.id}`))).toEqual([
      404,
      'media_upload_not_found',
    ]);
  });

  it('keeps what arrived before the connection broke', async () => {
    const by = await client();
    const file = text();
    const upload = await by.start(file);
    const { request, status } = by.open(upload, 0, file.length);
    request.write(file.subarray(0, 400));
    await waitFor('a part is being stored', () => partsOf(upload));
    request.destroy();
    expect(await status).toBeUndefined();
    await waitFor('the part is kept', async () => (await by.offset(upload)) === 400);
    expect((await by.patch(upload, 400, file.subarray(400))).status).toBe(204);
    expect((await by.complete(upload)).body.data.sourceChecksum).toBe(sha256(file));
  });

  it('takes no more bytes than its size, announced or not', async () => {
    const by = await client();
    const file = text();
    const upload = await by.start(file);
    expect(outcome(await by.patch(upload, 0, Buffer.concat([file, file])))).toEqual([
      413,
      'payload_too_large',
    ]);
    const { request, status } = by.open(upload, 0);
    request.end(Buffer.concat([file, Buffer.from('x')]));
    expect(await status).toBe(413);
    expect([await by.offset(upload), await partsOf(upload)]).toEqual([0, 0]);
  });

  it('lets one of two requests at an offset win', async () => {
    const by = await client();
    const file = text();
    const upload = await by.start(file);
    const slow = by.open(upload, 0, file.length);
    slow.request.write(file.subarray(0, 10));
    await waitFor('a part is being stored', () => partsOf(upload));
    expect((await by.patch(upload, 0, file)).status).toBe(204);
    slow.request.end(file.subarray(10));
    expect(await slow.status).toBe(409);
    expect(await partsOf(upload)).toBe(1);
    const both = await Promise.all([by.complete(upload), by.complete(upload)]);
    const ids = both.flatMap(({ body }) => (body as { data?: { id: string } }).data?.id ?? []);
    expect(new Set(ids).size).toBe(1);
    expect(both.every((one) => [200, 201, 409].includes(one.status))).toBe(true);
    expect((await by.desk.get('/media')).body.meta.total).toBe(1);
  });

  it('is refused when it is not the file that was announced', async () => {
    const by = await client();
    const file = text();
    const sent = async (body: object) => {
      const upload = await by.start(file, body);
      await by.patch(upload, 0, file);
      return by.complete(upload);
    };
    const other = await sent({ checksum: 'a'.repeat(64) });
    expect([other.status, issues(other)]).toEqual([422, [['checksum', 'checksum_mismatch']]]);
    expect(issues(await sent({ mimeType: 'video/mp4' }))).toEqual([['file', 'type_mismatch']]);
    expect(outcome(await sent({ fileName: 'script.js' }))).toEqual([422, 'unsupported_file_type']);
    expect((await by.desk.get('/media')).body.meta.total).toBe(0);
    const start = (body: object) =>
      by.desk.post('/media/uploads', { fileName: 'a.txt', size: 1, mimeType: 'text/plain', ...body });
    for (const body of [{ size: 0 }, { size: 5_368_709_121 }, { checksum: 'x' }, { mimeType: 'text' }])
      expect(issues(await start(body)).map(([path]) => path)).toEqual(Object.keys(body));
    expect(outcome(await start({ folderId: '0198c0de-0000-7000-8000-000000000000' }))).toEqual([
      404,
      'media_folder_not_found',
    ]);
  });

  it('rejects other versions of tus, and bodies without offset or of another type', async () => {
    const by = await client();
    const file = text();
    const upload = await by.start(file);
    const without = await app()
      .request.patch(by.pathOf(upload))
      .set({
        Authorization: `Bearer ${by.desk.project.keys.management}`,
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      })
      .send(file);
    expect([outcome(without), without.headers['tus-version']]).toEqual([
      [412, 'precondition_failed'],
      '1.0.0',
    ]);
    expect(await by.offset(upload)).toBe(0);
    const old = await by.patch(upload, 0, file, { 'Tus-Resumable': '0.2.2' });
    expect([outcome(old), old.headers['tus-version']]).toEqual([[412, 'precondition_failed'], '1.0.0']);
    const lost = await by.patch(upload, 0, file, { 'Upload-Offset': '-1' });
    expect([lost.status, issues(lost)]).toEqual([422, [['Upload-Offset', 'invalid_format']]]);
    const binary = await by.patch(upload, 0, file, { 'Content-Type': 'application/octet-stream' });
    expect(outcome(binary)).toEqual([415, 'unsupported_media_type']);
    const packed = await by.patch(upload, 0, file, { 'Content-Encoding': 'gzip' });
    expect(outcome(packed)).toEqual([415, 'unsupported_media_type']);
    expect(await by.offset(upload)).toBe(0);
  });

  it('returns the asset of a file that the project has', async () => {
    const by = await client();
    const content = text(30);
    const known = await by.desk.post('/media/upload', { file: textFile(content.toString()) });
    const upload = await by.start(content);
    await by.patch(upload, 0, content);
    const completed = await by.complete(upload);
    expect([completed.status, completed.body]).toMatchObject([
      200,
      { data: { id: known.body.data.id as string }, meta: { duplicate: true } },
    ]);
  });

  it('is started once with an Idempotency-Key', async () => {
    const { desk } = await client();
    const start = async () => {
      const response = await app()
        .request.post(`${desk.project.management}/media/uploads`)
        .set({ Authorization: `Bearer ${desk.project.keys.management}`, 'Idempotency-Key': 'once' })
        .send({ fileName: 'a.txt', size: 1, mimeType: 'text/plain' });
      return (response.body as { data: { id: string } }).data.id;
    };
    expect(await start()).toBe(await start());
  });

  it('expires', async () => {
    const by = await client();
    const file = text();
    const upload = await by.start(file);
    await by.patch(upload, 0, file);
    const rows = () =>
      app().rows(by.desk.project.tenantId, 'SELECT 1 FROM media_uploads WHERE id = $1', [upload.id]);
    await app().composition.jobs.prune();
    expect(await rows()).toHaveLength(1);
    await app().rows(
      by.desk.project.tenantId,
      "UPDATE media_uploads SET expires_at = now() - interval '1 minute' WHERE id = $1",
      [upload.id],
    );
    for (const response of [
      await by.desk.get(`/media/uploads/${upload.id}`),
      await by.patch(upload, 1000, file),
      await by.complete(upload),
      await by.desk.delete(`/media/uploads/${upload.id}`),
    ])
      expect(outcome(response)).toEqual([404, 'media_upload_not_found']);
    await app().composition.jobs.prune();
    expect(await rows()).toEqual([]);
  });

  it('is deleted with its bytes when it is aborted', async () => {
    const by = await client();
    const file = text();
    const upload = await by.start(file);
    await by.patch(upload, 0, file.subarray(0, 10));
    expect((await by.desk.delete(`/media/uploads/${upload.id}`)).body.data).toEqual({
      id: upload.id,
      deleted: true,
    });
    expect(await partsOf(upload)).toBe(0);
    expect(outcome(await by.patch(upload, 10, file))).toEqual([404, 'media_upload_not_found']);
  });

  it('belongs to the sites of its asset, its project and its tenant', async () => {
    const by = await client();
    const { project } = by.desk;
    const other = (await by.desk.post('/sites', { slug: 'other', name: 'Other' })).body.data.id as string;
    const { secret } = await by.desk.newKey({ type: 'management', siteIds: [project.siteId] });
    const limited = by.desk.as(secret);
    const body = { fileName: 'a.txt', size: 1, mimeType: 'text/plain' };
    for (const siteIds of [[], [other]])
      expect(outcome(await limited.post('/media/uploads', { ...body, siteIds }))).toEqual([
        403,
        'permission_denied',
      ]);
    expect((await limited.post('/media/uploads', { ...body, siteIds: [project.siteId] })).status).toBe(201);
    const theirs = await by.start(text(), { siteIds: [other] });
    const path = `/media/uploads/${theirs.id}`;
    for (const response of [
      await limited.get(path),
      await limited.post(`${path}/complete`),
      await limited.delete(path),
    ])
      expect(outcome(response)).toEqual([403, 'permission_denied']);
    const foreign = await openDesk(app());
    expect(outcome(await foreign.get(path))).toEqual([404, 'media_upload_not_found']);
  });
});

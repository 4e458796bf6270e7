import { readdir } from 'node:fs/promises';
import http from 'node:http';
import { describe, expect, it, jest } from '@jest/globals';
import { StorageFailure } from '../../../src/infrastructure/storage/media-storage.js';
import { send } from '../../support/call.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { png, textFile, uploadAsset } from '../../support/factories/media.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';
import { storedParts, text, UploadClient } from './upload-client.js';

const app = useApp();

const client = async (): Promise<UploadClient> => new UploadClient(await openDesk(app()));
const partsOf = (upload: { readonly id: string }): Promise<number> => storedParts(app(), upload);

const BOUNDARY = 'boundary';
const part = (disposition: string, content: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

/** Sends the beginning of a form, or all of it, over a new connection. */
function postForm({ project }: Desk, body: string, { isCut = false } = {}): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = http.request(`${app().baseUrl}${project.management}/media/upload`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${project.keys.management}`,
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        ...(isCut && { 'Content-Length': '1000000' }),
      },
    });
    request.once('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('error', () => {
      resolve(undefined);
    });
    if (!isCut) request.end(body);
    else request.write(body, () => void cutWhenStaged().then(() => request.destroy()));
  });
}

const staged = (): Promise<string[]> =>
  readdir(app().composition.services.media.storage.staging).catch(() => []);

const cutWhenStaged = (): Promise<boolean> =>
  waitFor('bytes are being received', async () => (await staged()).length > 0);

const total = async (desk: Desk): Promise<number> => (await desk.get('/media')).body.meta.total as number;

describe('A form with a file', () => {
  verifies('media/received-files', 'media/upload');

  it('is refused with 10,000 parts, and when it ends too early', async () => {
    const desk = await openDesk(app());
    const many = part('name="tags"', 'x').repeat(10_000);
    expect(await postForm(desk, `${many}--${BOUNDARY}--\r\n`)).toBe(400);
    const file = part('name="file"; filename="a.txt"', 'content');
    for (const body of [
      file,
      file.slice(0, -9),
      `--${BOUNDARY}\r\nContent-Disposition: form-data`,
      'no form',
      '',
    ])
      expect([body, await postForm(desk, body)]).toEqual([body, 400]);
    expect(await postForm(desk, `${file}--${BOUNDARY}--\r\n`)).toBe(201);
    expect(await total(desk)).toBe(1);
  });

  it('leaves nothing behind when its connection breaks', async () => {
    const desk = await openDesk(app());
    const beginning = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nthe beginning`;
    expect(await postForm(desk, beginning, { isCut: true })).toBeUndefined();
    await waitFor('the temporary file is removed', async () => (await staged()).length === 0);
    expect(await total(desk)).toBe(0);
  });

  it.each([
    ['../../../etc/passwd', 'passwd.png'],
    ['C:\\\\temp\\\\a.png', 'a.png'],
    ['photo\u202egnp.exe', 'photognp.exe.png'],
    [`${'n'.repeat(300)}.png`, `${'n'.repeat(196)}.png`],
    ['..', 'file.png'],
    ['', 'file.png'],
  ])('names a file %j safely', async (given, fileName) => {
    const desk = await openDesk(app());
    const content = png().toString('base64');
    const made = await desk.post('/media/upload', {
      file: { fileName: given === '' ? '.' : given, content },
    });
    expect([made.status, made.body.data.fileName]).toEqual([201, fileName]);
    const response = await app().request.get(made.body.data.url as string);
    expect(response.status).toBe(200);
  });

  it('refuses a name with NUL', async () => {
    const desk = await openDesk(app());
    const file = { ...textFile(), fileName: 'a\u0000.txt' };
    expect((await desk.post('/media/upload', { file })).status).toBe(422);
  });
});

describe('A file, when the storage fails', () => {
  verifies('media/received-files', 'media/replace');

  it.each([
    ['full', 507, 'storage_full'],
    ['unavailable', 503, 'storage_unavailable'],
  ] as const)('is neither registered nor replaced: %s', async (reason, status, code) => {
    const desk = await openDesk(app());
    const asset = await uploadAsset(app(), desk.project);
    const { storage } = app().composition.services.media;
    const put = jest.spyOn(storage, 'put').mockRejectedValue(new StorageFailure(reason));
    try {
      expect(outcome(await desk.post('/media/upload', { file: textFile() }))).toEqual([status, code]);
      expect(outcome(await desk.put(`/media/${asset.id}/file`, { file: textFile() }))).toEqual([
        status,
        code,
      ]);
    } finally {
      put.mockRestore();
    }
    expect((await desk.get(`/media/${asset.id}`)).body.data).toMatchObject({
      version: 1,
      checksum: asset.checksum,
    });
    expect([await total(desk), await staged()]).toEqual([1, []]);
  });
});

describe('A large upload, when the storage fails', () => {
  verifies('media/large-uploads');

  it.each([
    ['full', 507, 'storage_full'],
    ['unavailable', 503, 'storage_unavailable'],
  ] as const)('keeps nothing of a part that the storage did not take: %s', async (reason, status, code) => {
    const by = await client();
    const file = text();
    const upload = await by.start(file);
    const { storage } = app().composition.services.media;
    const append = jest.spyOn(storage, 'append' as never) as jest.SpiedFunction<
      NonNullable<typeof storage.append>
    >;
    append.mockRejectedValueOnce(new StorageFailure(reason));
    expect(outcome(await by.patch(upload, 0, file))).toEqual([status, code]);
    append.mockRestore();
    expect([await by.offset(upload), await partsOf(upload)]).toEqual([0, 0]);
    expect((await by.patch(upload, 0, file)).status).toBe(204);
    const put = jest.spyOn(storage, 'put').mockRejectedValueOnce(new StorageFailure(reason));
    expect(outcome(await by.complete(upload))).toEqual([status, code]);
    put.mockRestore();
    expect((await by.complete(upload)).status).toBe(201);
  });

  it('is not found when its bytes were swept', async () => {
    const by = await client();
    const file = text();
    const upload = await by.start(file);
    await by.patch(upload, 0, file);
    const { storage } = app().composition.services.media;
    for await (const { key } of storage.list('uploads/'))
      if (key.includes(upload.id)) await storage.remove(key);
    expect(outcome(await by.complete(upload))).toEqual([404, 'media_upload_not_found']);
  });

  it('is recorded part by part', async () => {
    const by = await client();
    const file = text();
    const upload = await by.start(file);
    await by.patch(upload, 0, file.subarray(0, 600));
    const events = await send(app(), {
      method: 'GET',
      path: `${by.desk.project.management}/audit-events?action=media_upload.append`,
      key: by.desk.project.keys.management,
    });
    expect(events.body.data).toMatchObject([
      { target: { type: 'media_upload', id: upload.id }, before: { received: 0 }, after: { received: 600 } },
    ]);
  });
});

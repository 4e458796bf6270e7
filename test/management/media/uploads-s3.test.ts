import { expect, it } from '@jest/globals';
import { issues, openDesk, outcome } from '../../support/desk.js';
import { describeWithS3, useS3App } from '../../support/s3-app.js';
import { verifies } from '../../support/verifies.js';
import { UploadClient, type TestUpload } from './upload-client.js';

// Needs versitygw, as the tests of the storage do.
describeWithS3('A large upload to S3', () => {
  verifies('media/large-uploads');

  const { app } = useS3App();

  async function sendForm({ upload }: TestUpload, bytes: Buffer): Promise<number> {
    const form = new FormData();
    for (const [name, value] of Object.entries(upload.fields)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(bytes)]), 'file');
    return (await fetch(upload.url, { method: upload.method, body: form })).status;
  }

  it('is sent as a form to the bucket, whose object becomes the asset', async () => {
    const by = new UploadClient(await openDesk(app()));
    const file = Buffer.from('sent to the bucket directly');
    const upload = await by.start(file);
    expect(upload).toMatchObject({ offset: null, upload: { method: 'POST' } });
    expect(outcome(await by.patch(upload, 0, file))).toEqual([405, 'method_not_allowed']);
    expect(outcome(await by.complete(upload))).toEqual([409, 'upload_incomplete']);
    expect(await sendForm(upload, Buffer.concat([file, file]))).toBe(400);
    expect(await sendForm(upload, file.subarray(1))).toBe(204);
    const short = await by.complete(upload);
    expect([short.status, issues(short)]).toEqual([422, [['size', 'size_mismatch']]]);
    expect(await sendForm(upload, file)).toBe(204);
    const completed = await by.complete(upload);
    expect([completed.status, completed.body.data]).toMatchObject([201, { size: file.length }]);
    expect(
      (
        await app()
          .request.get(completed.body.data.url as string)
          .buffer(true)
      ).text,
    ).toBe(file.toString());
    expect((await by.complete(upload)).status).toBe(200);
  });

  it('leaves no object behind when it is aborted', async () => {
    const by = new UploadClient(await openDesk(app()));
    const file = Buffer.from('aborted');
    const upload = await by.start(file);
    expect(await sendForm(upload, file)).toBe(204);
    expect((await by.desk.delete(`/media/uploads/${upload.id}`)).status).toBe(200);
    const left = [];
    for await (const { key } of app().composition.services.media.storage.list('uploads/')) left.push(key);
    expect(left.filter((key) => key.includes(upload.id))).toEqual([]);
  });
});

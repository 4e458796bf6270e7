import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { PresignedForm } from '../../../src/infrastructure/storage/media-storage.js';
import { uploadKey } from '../../../src/infrastructure/storage/media-storage.js';
import { S3Storage } from '../../../src/infrastructure/storage/s3-storage.js';
import { describeWithS3 } from '../../support/s3-app.js';
import { startS3Server, type S3Server } from '../../support/s3-server.js';
import { verifies } from '../../support/verifies.js';
import { behavesLikeStorage } from './conformance.js';

async function post({ url, fields }: PresignedForm, content: string): Promise<number> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([content]));
  const response = await fetch(url, { method: 'POST', body: form });
  await response.arrayBuffer();
  return response.status;
}

// Needs versitygw: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0, or name it in VERSITYGW.
describeWithS3('S3 storage', () => {
  verifies('media/storage');

  let staging: string;
  let server: S3Server;
  let storage: S3Storage;

  beforeAll(async () => {
    staging = await mkdtemp(path.join(tmpdir(), 'headwater-s3-staging-'));
    server = await startS3Server();
    storage = new S3Storage(server.settings, staging);
  });

  afterAll(async () => {
    await server.stop();
    await rm(staging, { recursive: true, force: true });
  });

  behavesLikeStorage(() => storage);

  it('is unavailable with a wrong secret', async () => {
    const wrong = new S3Storage({ ...server.settings, secretAccessKey: 'another-secret' }, staging);
    const key = uploadKey('tenant', 'x');
    await expect(wrong.head(key)).rejects.toMatchObject({ reason: 'unavailable' });
    const body = { stream: Readable.from([Buffer.from('x')]) };
    await expect(wrong.put(key, body)).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('is unavailable without a server', async () => {
    const nowhere = new S3Storage({ ...server.settings, endpoint: 'http://127.0.0.1:1' }, staging);
    await expect(nowhere.read(uploadKey('tenant', 'x'))).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('presigns a form that uploads one object of bounded size', async () => {
    const key = uploadKey('tenant', 'form');
    const conditions = { maximumBytes: 10, mimeType: 'text/plain', expiresSeconds: 60 };
    const form = await storage.presignPost(key, conditions);
    expect(await post(form, 'more than ten bytes')).toBe(400);
    expect(await storage.head(key)).toBeUndefined();
    const other = { ...form.fields, key: uploadKey('tenant', 'other') };
    expect(await post({ ...form, fields: other }, 'small')).toBe(403);
    expect(await post(form, 'small')).toBeLessThan(300);
    expect(await storage.head(key)).toMatchObject({ size: 5 });
  });
});

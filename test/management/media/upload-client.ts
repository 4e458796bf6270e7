import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { Response } from 'supertest';
import type { TestApp } from '../../support/app.js';
import type { Desk } from '../../support/desk.js';
import { unique } from '../../support/factories/project.js';

const TUS_BODY = 'application/offset+octet-stream';

/** A text that no other test uploads. */
export const text = (length = 1000): Buffer =>
  Buffer.from(randomBytes(length).toString('hex').slice(0, length));

/** Objects of an upload that is not complete. */
export async function storedParts(app: TestApp, { id }: { readonly id: string }): Promise<number> {
  const { storage } = app.composition.services.media;
  let parts = 0;
  for await (const { key } of storage.list('uploads/')) parts += key.includes(id) ? 1 : 0;
  return parts;
}

export interface TestUpload {
  readonly id: string;
  readonly offset: number;
  readonly upload: { readonly method: string; readonly url: string; readonly fields: Record<string, string> };
}

/** Uploads large files as clients do that write the protocol themselves. */
export class UploadClient {
  constructor(
    readonly desk: Desk,
    private readonly key = desk.project.keys.management,
  ) {}

  /** Starts the upload of a text. */
  async start(content: Buffer, body: object = {}): Promise<TestUpload> {
    const file = { fileName: `${unique()}.txt`, size: content.length, mimeType: 'text/plain' };
    const response = await this.desk.post('/media/uploads', { ...file, ...body });
    if (response.status !== 201) throw new Error(`${String(response.status)} ${response.text}`);
    return (response.body as { data: TestUpload }).data;
  }

  pathOf({ id }: { readonly id: string }): string {
    return `${this.desk.project.management}/media/uploads/${id}`;
  }

  /** A tus PATCH. */
  async patch(
    upload: { readonly id: string },
    offset: number,
    bytes: Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return this.desk.app.request
      .patch(this.pathOf(upload))
      .set({
        Authorization: `Bearer ${this.key}`,
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': String(offset),
        'Content-Type': TUS_BODY,
        ...headers,
      })
      .send(bytes);
  }

  async offset(upload: { readonly id: string }): Promise<number> {
    const response = await this.desk.app.request
      .head(this.pathOf(upload))
      .set({ Authorization: `Bearer ${this.key}`, 'Tus-Resumable': '1.0.0' });
    return Number(response.headers['upload-offset']);
  }

  complete({ id }: { readonly id: string }): Promise<Response> {
    return this.desk.post(`/media/uploads/${id}/complete`);
  }

  /**
   * Sends some bytes of a body of `length`, or of unknown length.
   * @returns the request, which still runs, and the status of its response; undefined if the connection broke
   */
  open(upload: { readonly id: string }, offset: number, length?: number) {
    const request = http.request(`${this.desk.app.baseUrl}${this.pathOf(upload)}`, {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${this.key}`,
        'Upload-Offset': String(offset),
        'Content-Type': TUS_BODY,
        'Tus-Resumable': '1.0.0',
        ...(length !== undefined && { 'Content-Length': String(length) }),
      },
    });
    const status = new Promise<number | undefined>((resolve) => {
      request.once('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.once('error', () => {
        resolve(undefined);
      });
    });
    return { request, status };
  }
}

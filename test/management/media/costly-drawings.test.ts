import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { imageWork } from '../../../src/infrastructure/image-work/image-work.js';
import { openDesk, useApp } from '../../support/desk.js';
import { png } from '../../support/factories/media.js';
import { unique } from '../../support/factories/project.js';
import { costlyDrawings, drawing } from '../../support/hostile/costly-drawings.js';
import { verifies } from '../../support/verifies.js';
import { UploadClient } from './upload-client.js';

const app = useApp();

const [deep] = costlyDrawings['groups in groups'] ?? [''];
const bomb = drawing(deep);
const harmless = (): Buffer => drawing(`<rect width="9" height="9" id="${unique()}"/>`);

let served: Buffer = Buffer.alloc(0);
const origin = http.createServer((_request, response) => {
  response.writeHead(200).end(served);
});

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

type Send = (client: UploadClient, content: Buffer) => Promise<Reply>;

const inBase64 = (content: Buffer) => ({
  fileName: `${unique()}.svg`,
  content: content.toString('base64'),
});

/** Every way by which a file arrives. */
const ways: Readonly<Record<string, Send>> = {
  'an upload': ({ desk: { app: service, project } }, content) =>
    service.request
      .post(`${project.management}/media/upload`)
      .set('Authorization', `Bearer ${project.keys.management}`)
      .attach('file', content, `${unique()}.svg`),
  'a large upload': async (client, content) => {
    const upload = await client.start(content, {
      fileName: `${unique()}.svg`,
      size: content.length,
      mimeType: 'image/svg+xml',
    });
    await client.patch(upload, 0, content);
    return client.complete(upload);
  },
  'a replacement': async ({ desk }, content) => {
    const { body } = await desk.post('/media/upload', { file: inBase64(png()) });
    return desk.put(`/media/${(body as { data: { id: string } }).data.id}/file`, { file: inBase64(content) });
  },
  'an import': async ({ desk }, content) => {
    served = content;
    const { port } = origin.address() as AddressInfo;
    return desk.post('/media/import-url', { url: `http://127.0.0.1:${String(port)}/${unique()}.svg` });
  },
};

const tasks = ['sanitize', 'readHeader', 'inspect', 'render'] as const;

let client: UploadClient;

beforeAll(async () => {
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  client = new UploadClient(await openDesk(app()));
});

afterAll(() => {
  origin.closeAllConnections();
  origin.close();
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe('A drawing that arrives as', () => {
  verifies('media/received-drawings', 'media/renditions-in-turns');

  it.each(Object.entries(ways))(
    '%s is refused for its depth outside of the serving thread',
    async (_name, send) => {
      const own = tasks.map((task) => jest.spyOn(imageWork, task));
      const refused = await send(client, bomb);
      expect([refused.status, refused.body]).toMatchObject([
        422,
        { error: 'file_too_complex', details: { aspect: 'depth', maximum: 100 } },
      ]);
      const accepted = await send(client, harmless());
      expect(accepted.status).toBeLessThan(300);
      expect(accepted.body).toMatchObject({ data: { mimeType: 'image/svg+xml', width: 40, height: 20 } });
      expect(own.map(({ mock }) => mock.calls.length)).toEqual(tasks.map(() => 0));
    },
  );

  it.each(Object.entries(ways))('%s names what was removed', async (_name, send) => {
    const { body } = await send(client, drawing(`<g id="${unique()}"/><script>alert(1)</script>`));
    expect(body).toMatchObject({
      meta: { warnings: [{ code: 'svg_changed', message: 'Removed from the drawing: element script.' }] },
    });
  });

  it('a rendition is made outside of the serving thread', async () => {
    const own = tasks.map((task) => jest.spyOn(imageWork, task));
    const { body } = await ways['an upload']!(client, harmless());
    const { url } = body.data as { url: string };
    const response = await app().request.get(`${url}?w=32`);
    expect([response.status, response.headers['content-type']]).toEqual([200, 'image/png']);
    expect(own.map(({ mock }) => mock.calls.length)).toEqual(tasks.map(() => 0));
  });
});

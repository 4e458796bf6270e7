import { mkdtemp, readdir, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openDesk, useOwnApp, type Desk } from '../support/desk.js';
import { ServiceProcess } from '../support/service-process.js';
import { verifies } from '../support/verifies.js';
import { waitFor } from '../support/wait-for.js';

const app = useOwnApp();
let desk: Desk;
let directory: string;
let service: ServiceProcess;

beforeAll(async () => {
  desk = await openDesk(app());
});

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'headwater-stop-'));
  service = await ServiceProcess.start(app().databaseUrl, {
    HEADWATER_DATA_DIR: directory,
    SHUTDOWN_DELAY_SECONDS: '0',
    SHUTDOWN_TIMEOUT_SECONDS: '4',
  });
});

afterEach(async () => {
  await ServiceProcess.killAll();
  await rm(directory, { recursive: true, force: true });
});

const staged = (): Promise<string[]> => readdir(path.join(directory, 'media/staging')).catch(() => []);

interface Received {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A request whose body has not arrived whole. */
function open(method: string, target: string, headers: http.OutgoingHttpHeaders, start: string) {
  const request = http.request(`${service.url}${desk.project.management}${target}`, {
    method,
    headers: { Authorization: `Bearer ${desk.project.keys.management}`, ...headers },
  });
  const received = new Promise<Received>((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.once('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, body });
      });
    });
  });
  // A reset would be noticed below; until then it must not end the run.
  received.catch(() => undefined);
  request.write(start);
  return { request, received };
}

const FORM = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': '1000000' };
const FORM_START =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
const FORM_END = '\r\n--b--\r\n';

const arrived = (): Promise<boolean> =>
  waitFor('bytes are being received', async () => (await staged()).length > 0);

function expectRefusal({ status, headers, body }: Received): void {
  expect([status, headers.connection, headers['retry-after']]).toEqual([503, 'close', '1']);
  expect(JSON.parse(body)).toEqual({ error: 'service_unavailable', message: expect.any(String) });
}

describe('A process that receives SIGTERM while a file arrives', () => {
  verifies('operation/stop-uploads');

  it('receives a file that ends in time', async () => {
    const { request, received } = open('POST', '/media/upload', FORM, `${FORM_START}one`);
    await arrived();
    const ended = service.kill('SIGTERM');
    await waitFor('it stops', () => service.lines.some((line) => line.includes('stopping')));
    request.end(`${'x'.repeat(1_000_000 - FORM_START.length - 3 - FORM_END.length)}${FORM_END}`);
    const { status, headers } = await received;
    expect([status, headers.connection]).toEqual([201, 'close']);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(await staged()).toEqual([]);
  });

  it.each(['stalls', 'goes on'])('refuses a form that %s with 503, and leaves nothing', async (kind) => {
    const { request, received } = open('POST', '/media/upload', FORM, `${FORM_START}one`);
    await arrived();
    const trickle = setInterval(() => kind === 'goes on' && request.write('x'), 20);
    const ended = service.kill('SIGTERM');
    try {
      expectRefusal(await received);
    } finally {
      clearInterval(trickle);
    }
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(await staged()).toEqual([]);
    expect(service.lines.join('\n')).not.toContain('timed out');
  });

  it('refuses the bytes of a large upload with 503', async () => {
    const created = await desk.post('/media/uploads', {
      fileName: 'a.txt',
      size: 1000,
      mimeType: 'text/plain',
    });
    const headers = {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': '0',
      'Content-Length': '1000',
      'Content-Type': 'application/offset+octet-stream',
    };
    const target = `/media/uploads/${created.body.data.id as string}`;
    const { received } = open('PATCH', target, headers, 'x'.repeat(100));
    await waitFor('bytes are being received', async () => {
      const names = await readdir(path.join(directory, 'media'), { recursive: true }).catch(() => []);
      return names.some((name) => name.includes('.0.'));
    });
    const ended = service.kill('SIGTERM');
    expectRefusal(await received);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(await staged()).toEqual([]);
  });
});

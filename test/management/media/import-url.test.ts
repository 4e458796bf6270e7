import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DownloadFailure, UrlDownloader } from '../../../src/infrastructure/url-download.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { png } from '../../support/factories/media.js';
import { unique } from '../../support/factories/project.js';
import { file, Origin, type Handler } from '../../support/origin.js';
import { Agents, useTool } from '../../mcp/agents.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();

const origin = new Origin();
let desk: Desk;

const redirect = (location: string): Handler => {
  return (response) => response.writeHead(302, { location }).end('elsewhere');
};

const importUrl = (url: string, body: object = {}) => desk.post('/media/import-url', { url, ...body });

const total = async (): Promise<number> => (await desk.get('/media')).body.meta.total as number;

beforeAll(async () => {
  await origin.open();
  desk = await openDesk(app());
});

afterAll(() => {
  origin.close();
});

describe('Importing a URL', () => {
  verifies('media/upload-from-url');

  it('creates an asset from the content, whatever the server declares, once', async () => {
    const url = origin.serve('/pictures/Lock%20gate.php', file(png(), { 'content-type': 'text/html' }));
    const created = await importUrl(`${url}?size=3`, { altText: 'A gate', tags: ['imported'] });
    expect([created.status, created.body.data]).toMatchObject([
      201,
      {
        fileName: 'Lock gate.php.png',
        mimeType: 'image/png',
        width: 3,
        altText: 'A gate',
        tags: ['imported'],
      },
    ]);
    const again = await importUrl(url, { fileName: 'other.png' });
    expect([again.status, again.body]).toMatchObject([
      200,
      { data: { id: created.body.data.id as string }, meta: { duplicate: true } },
    ]);
  });

  it('follows few redirects, each of which is checked', async () => {
    const last = origin.serve('/last.png', file(png()));
    origin.serve('/relative', redirect('/last.png'));
    const first = origin.serve('/first', redirect('relative'));
    expect((await importUrl(first)).body.data).toMatchObject({ fileName: 'first.png' });
    const circle = origin.serve('/circle', redirect('/circle'));
    expect((await importUrl(circle)).body).toMatchObject({
      error: 'import_failed',
      details: { reason: 'too_many_redirects' },
    });
    expect(origin.requests.filter((path) => path === '/circle')).toHaveLength(6);
    for (const [target, reason] of [
      ['https://10.0.0.1/', 'address_not_allowed'],
      ['http://169.254.169.254/latest/meta-data/', 'scheme_not_allowed'],
      ['file:///etc/passwd', 'scheme_not_allowed'],
      [last.replace('http://', 'http://user:password@'), 'credentials_not_allowed'],
    ] as const)
      expect((await importUrl(origin.serve('/away', redirect(target)))).body).toMatchObject({
        error: 'import_url_refused',
        details: { reason },
      });
  });

  it.each([
    'http://example.com/a.png',
    'ftp://example.com/a.png',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'https://10.0.0.1/a.png',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://metadata.internal/',
    'https://user:password@example.com/',
    'no url',
  ])('refuses %s without a connection', async (url) => {
    expect(outcome(await importUrl(url))).toEqual([422, 'import_url_refused']);
  });

  it('reports what failed, and registers nothing', async () => {
    const before = await total();
    const cut: Handler = (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('the beginning', () => response.destroy());
    };
    for (const [url, error, details] of [
      [
        origin.serve('/none', (response) => response.writeHead(410).end()),
        'import_failed',
        { statusCode: 410 },
      ],
      [origin.serve('/packed', file(png(), { 'content-encoding': 'gzip' })), 'import_failed', {}],
      [origin.serve('/cut.txt', cut), 'import_failed', { reason: 'connection_lost' }],
      ['http://127.0.0.1:1/', 'import_failed', { reason: 'connection_refused' }],
      [origin.serve('/page', file(Buffer.from('<!DOCTYPE html><p>x'))), 'unsupported_file_type', undefined],
      [origin.serve('/empty', file(Buffer.alloc(0))), 'validation_failed', {}],
    ] as const) {
      const { body } = await importUrl(url);
      expect([url, body]).toMatchObject([url, { error, ...(details !== undefined && { details }) }]);
    }
    const huge = origin.serve('/huge', (response) => {
      response.writeHead(200, { 'content-length': String(104_857_601) });
      response.write('x');
    });
    expect(outcome(await importUrl(huge))).toEqual([413, 'payload_too_large']);
    expect(await total()).toBe(before);
  });

  it('checks the right before it connects', async () => {
    const url = origin.serve('/secret.png', file(png()));
    const { secret } = await desk.newKey({ type: 'management', siteIds: [desk.project.siteId] });
    expect(outcome(await desk.as(secret).post('/media/import-url', { url }))).toEqual([
      403,
      'permission_denied',
    ]);
    expect(origin.requests).not.toContain('/secret.png');
  });
});

describe('A download', () => {
  verifies('media/upload-from-url', 'limits/private-targets');

  it('never reaches this machine, nor does a redirect', async () => {
    const url = origin.serve('/private.png', file(png()));
    const downloads = new UrlDownloader({ allowLoopback: false, userAgent: 'test' });
    const { port } = new URL(url);
    for (const host of ['localhost', '127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0.0.0.0'])
      for (const scheme of ['http', 'https'])
        await expect(downloads.open(`${scheme}://${host}:${port}/private.png`, 1000)).rejects.toMatchObject({
          kind: 'refused',
        });
    expect(origin.requests).not.toContain('/private.png');
    await downloads.close();
  });

  it('is bounded in time, before the response and within it', async () => {
    const downloads = new UrlDownloader({ allowLoopback: true, userAgent: 'test', timeoutMilliseconds: 200 });
    const silent = origin.serve('/silent', () => undefined);
    await expect(downloads.open(silent, 1000)).rejects.toMatchObject({ kind: 'failed', reason: 'timeout' });
    const stalled = origin.serve('/stalled', (response) => {
      response.writeHead(200);
      response.write('the beginning');
    });
    const patient = new UrlDownloader({ allowLoopback: true, userAgent: 'test', timeoutMilliseconds: 2000 });
    const failure: unknown = await patient
      .open(stalled, 1000)
      .then((stream) => stream.toArray())
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DownloadFailure);
    expect(failure).toMatchObject({ reason: 'timeout' });
    await Promise.all([downloads.close(), patient.close()]);
  });
});

describe('The tool upload_media_from_url', () => {
  verifies('media/upload-from-url');

  it('creates an asset, and none in a dry run', async () => {
    const agents = new Agents(app(), desk.project);
    const agent = await agents.connect(desk.project.keys.management);
    const url = origin.serve(`/${unique()}.png`, file(png()));
    const before = await total();
    const rehearsed = await useTool(agent, 'upload_media_from_url', { url, altText: 'A lock', dryRun: true });
    expect(rehearsed.structuredContent).toMatchObject({
      dryRun: true,
      data: { altText: 'A lock' },
      changes: [{ action: 'media.create' }],
    });
    expect(await total()).toBe(before);
    const made = await useTool(agent, 'upload_media_from_url', { url, altText: 'A lock' });
    expect(made.structuredContent.data).toMatchObject({ altText: 'A lock', mimeType: 'image/png' });
    const refused = await useTool(agent, 'upload_media_from_url', { url: 'https://10.0.0.1/' });
    expect([refused.isError, refused.structuredContent.error]).toEqual([true, 'import_url_refused']);
    await agents.close();
  });
});

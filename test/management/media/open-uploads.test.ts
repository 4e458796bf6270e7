import http from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { testMedia } from '../../support/test-media.js';
import { openDesk, outcome, useOwnApp, type Desk } from '../../support/desk.js';
import { textFile } from '../../support/factories/media.js';
import { verifies } from '../../support/verifies.js';
import { waitFor } from '../../support/wait-for.js';
import { text, UploadClient } from './upload-client.js';

const MAXIMUM = 3;
const BYTES = 10_000;

const app = useOwnApp({ media: { ...testMedia(), openUploads: { maximum: MAXIMUM, bytes: BYTES } } });

const start = (desk: Desk, body: object = {}) =>
  desk.post('/media/uploads', { fileName: 'a.txt', size: 100, mimeType: 'text/plain', ...body });

const openIn = async ({ project }: Desk): Promise<number> => {
  const rows = await app().rows<{ open: number }>(
    project.tenantId,
    'SELECT count(*)::int AS open FROM media_uploads WHERE asset_id IS NULL AND expires_at > now()',
  );
  return rows[0]!.open;
};

const FULL = [409, 'open_uploads_exceeded'];

const FORM = [
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n',
  '\r\n--b--\r\n',
] as const;

/** A form whose file has not arrived whole. */
function openForm({ project }: Desk, { method = 'POST', path = '/media/upload', size = 1000 } = {}) {
  const head = FORM[0];
  const request = http.request(`${app().baseUrl}${project.management}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${project.keys.management}`,
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': String(size),
    },
  });
  const answered = new Promise<number | undefined>((resolve) => {
    request.once('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('error', () => {
      resolve(undefined);
    });
  });
  request.write(`${head}one`);
  return {
    answered,
    leave: () => request.destroy(),
    finish: () => request.end(`${'x'.repeat(size - head.length - 3 - FORM[1].length)}${FORM[1]}`),
  };
}

describe('Open uploads', () => {
  verifies('media/large-uploads-open');

  it('are at most as many per key as the setting says, however many are started at once', async () => {
    const desk = await openDesk(app());
    const answers = await Promise.all(Array.from({ length: 30 }, () => start(desk)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAXIMUM);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused)
      expect([outcome(answer), answer.body.details]).toEqual([FULL, { of: 'key', maximum: MAXIMUM }]);
    expect(await openIn(desk)).toBe(MAXIMUM);
    const { secret } = await desk.newKey({ type: 'management' });
    expect((await start(desk.as(secret))).status).toBe(201);
  });

  it('have at most as many bytes per project as the setting says, whoever starts them', async () => {
    const desk = await openDesk(app());
    const { secret } = await desk.newKey({ type: 'management' });
    const sizes = await Promise.all(
      [desk, desk.as(secret)].flatMap((by) => [start(by, { size: 4000 }), start(by, { size: 4000 })]),
    );
    expect(sizes.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
    const answer = await start(desk, { size: 2001 });
    expect([outcome(answer), answer.body.details]).toEqual([
      FULL,
      { of: 'project', maximumBytes: BYTES, leftBytes: 2000 },
    ]);
    expect((await start(desk, { size: 2000 })).status).toBe(201);
    const other = await openDesk(app());
    expect((await start(other, { size: BYTES })).status).toBe(201);
    expect(outcome(await start(other, { size: 1 }))).toEqual(FULL);
  });

  it('counts the uploads of every environment of the project', async () => {
    const desk = await openDesk(app());
    await desk.post('/environments', { slug: 'branch', name: 'Branch' });
    const branch = desk.in('branch');
    await waitFor('the environment is ready', async () => (await branch.get('/media')).status === 200);
    for (const by of [desk, branch, desk]) expect((await start(by)).status).toBe(201);
    for (const by of [desk, branch]) expect(outcome(await start(by))).toEqual(FULL);
  });

  it('make room when they complete, are deleted or expire', async () => {
    const client = new UploadClient(await openDesk(app()));
    const { desk } = client;
    const content = text(100);
    const completed = await client.start(content);
    const deleted = await client.start(content);
    const expired = await client.start(content);
    expect(outcome(await start(desk))).toEqual(FULL);
    await client.patch(completed, 0, content);
    expect((await client.complete(completed)).status).toBe(201);
    expect((await start(desk)).status).toBe(201);
    expect(outcome(await start(desk))).toEqual(FULL);
    await desk.delete(`/media/uploads/${deleted.id}`);
    expect((await start(desk)).status).toBe(201);
    expect(outcome(await start(desk))).toEqual(FULL);
    await app().rows(
      desk.project.tenantId,
      "UPDATE media_uploads SET expires_at = now() - interval '1 minute' WHERE id = $1",
      [expired.id],
    );
    expect((await start(desk)).status).toBe(201);
    expect(outcome(await start(desk))).toEqual(FULL);
  });

  it('include files that arrive in the body of their request, until it ends', async () => {
    const desk = await openDesk(app());
    const known = await desk.post('/media/upload', { file: textFile('known') });
    const id = known.body.data.id as string;
    const forms = [
      openForm(desk),
      openForm(desk),
      openForm(desk, { method: 'PUT', path: `/media/${id}/file` }),
    ];
    await waitFor('the forms are being received', async () => (await openIn(desk)) === MAXIMUM);
    expect(outcome(await start(desk))).toEqual(FULL);
    expect(outcome(await desk.post('/media/upload', { file: textFile('more') }))).toEqual(FULL);
    const url = `${app().baseUrl}/robots.txt`;
    expect(outcome(await desk.post('/media/import-url', { url }))).toEqual(FULL);
    forms[0]!.leave();
    await waitFor('the first makes room', async () => (await openIn(desk)) === MAXIMUM - 1);
    forms[1]!.finish();
    expect(await forms[1]!.answered).toBe(201);
    forms[2]!.finish();
    expect(await forms[2]!.answered).toBe(200);
    expect(await openIn(desk)).toBe(0);
  });

  it('make room when a file is refused', async () => {
    const desk = await openDesk(app());
    const script = { fileName: 'a.js', content: Buffer.from('alert(1)').toString('base64') };
    for (let more = 0; more <= MAXIMUM; more++)
      expect(outcome(await desk.post('/media/upload', { file: script }))).toEqual([
        422,
        'unsupported_file_type',
      ]);
    expect(await openIn(desk)).toBe(0);
  });

  it('cannot be read, continued or completed if they belong to a request', async () => {
    const desk = await openDesk(app());
    const form = openForm(desk);
    await waitFor('the form is being received', async () => (await openIn(desk)) === 1);
    const [row] = await app().rows<{ id: string }>(desk.project.tenantId, 'SELECT id FROM media_uploads');
    const path = `/media/uploads/${row!.id}`;
    for (const answer of [await desk.get(path), await desk.post(`${path}/complete`), await desk.delete(path)])
      expect(outcome(answer)).toEqual([404, 'media_upload_not_found']);
    form.finish();
    expect(await form.answered).toBe(201);
  });

  it('refuses a form that announces more bytes than are left, before its file arrives', async () => {
    const desk = await openDesk(app());
    const form = openForm(desk, { size: BYTES + 1 });
    expect(await form.answered).toBe(409);
    form.leave();
    expect(await openIn(desk)).toBe(0);
  });
});

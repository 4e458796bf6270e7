import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import sharp from 'sharp';
import type { Avatar } from '../../../contracts/access/me/caller.js';
import { limits } from '../../../contracts/limits.js';
import { openDesk, outcome, useApp, type Desk } from '../../support/desk.js';
import { send } from '../../support/call.js';
import { png } from '../../support/factories/media.js';
import { superAdmin } from '../../support/factories/project.js';
import { createMember, type TestMember } from '../../support/members.js';
import { verifies } from '../../support/verifies.js';

const app = useApp();
let desk: Desk;
let ada: TestMember;
let ben: TestMember;

beforeAll(async () => {
  desk = await openDesk(app());
  [ada, ben] = [await createMember(app(), desk.project, []), await createMember(app(), desk.project, [])];
});

const call = (method: 'GET' | 'PUT' | 'DELETE', path: string, key: string, body?: object) =>
  send(app(), { method, path: `/api/v1/me${path}`, key, ...(body !== undefined && { body }) });
const put = ({ token }: TestMember, file: Buffer): Promise<Response> =>
  call('PUT', '/avatar', token, { content: file.toString('base64') });
const read = async (token: string, ...users: readonly TestMember[]): Promise<Avatar[]> => {
  const answer = await call('GET', `/avatars?userIds=${users.map(({ id }) => id).join(',')}`, token);
  expect(outcome(answer)).toEqual([200, undefined]);
  return (answer.body as { data: Avatar[] }).data;
};

const fileOf = ({ image }: Avatar): Buffer => {
  const [head, content = ''] = image.split(',');
  expect(head).toBe('data:image/webp;base64');
  return Buffer.from(content, 'base64');
};

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#204060' } });

const recordsOf = (response: Response) =>
  app().rows<{ action: string; before: object; after: object }>(
    null,
    "SELECT action, before, after FROM audit_events WHERE context ->> 'requestId' = $1",
    [response.headers['x-request-id']],
  );

/** The left and right quarters are red, the center is green. */
const striped = async (): Promise<Buffer> => {
  const side = await sharp({ create: { width: 100, height: 200, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  return sharp({ create: { width: 400, height: 200, channels: 3, background: '#00ff00' } })
    .composite([
      { input: side, left: 0, top: 0 },
      { input: side, left: 300, top: 0 },
    ])
    .withExif({ IFD0: { Artist: 'Ada at home' } })
    .jpeg()
    .toBuffer();
};

describe('The picture of a user', () => {
  verifies('access/avatars');

  it('is the center of what was uploaded, 128 pixels square, in WebP without metadata', async () => {
    const answer = await put(ada, await striped());
    expect(outcome(answer)).toEqual([200, undefined]);
    const file = fileOf((answer.body as { data: Avatar }).data);
    const { format, width, height, exif, xmp, icc } = await sharp(file).metadata();
    expect({ format, width, height, exif, xmp, icc }).toEqual({ format: 'webp', width: 128, height: 128 });
    const { channels } = await sharp(file).stats();
    expect(channels.map(({ mean }) => Math.round(mean / 255))).toEqual([0, 1, 0]);
    expect(file.includes('Ada at home')).toBe(false);
  });

  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('may be uploaded as %s', async (format) => {
    const answer = await put(ada, await picture(40, 60).toFormat(format).toBuffer());
    expect(outcome(answer)).toEqual([200, undefined]);
  });

  it('is read by users of the same tenant and super-admins, and by no others', async () => {
    await put(ada, png(30, 30));
    await put(ben, await picture(30, 30).png().toBuffer());
    const both = await read(ben.token, ada, ben);
    expect(both.map(({ userId }) => userId)).toEqual([ada.id, ben.id].sort());
    expect(both[0]?.image).not.toBe(both[1]?.image);
    const eve = await createMember(app(), (await openDesk(app())).project, []);
    expect(await read(eve.token, ada, ben, eve)).toEqual([]);
    expect(await read(await superAdmin(app()), ada)).toHaveLength(1);
    const answers = [desk.project.keys.management, desk.project.keys.delivery].map((key) =>
      call('GET', `/avatars?userIds=${ada.id}`, key),
    );
    expect((await Promise.all(answers)).map(outcome)).toEqual([
      [403, 'wrong_key_type'],
      [403, 'wrong_key_type'],
    ]);
    expect((await app().request.get(`/api/v1/me/avatars?userIds=${ada.id}`)).status).toBe(401);
  });

  it('is replaced and removed with a record of its size', async () => {
    const user = await createMember(app(), desk.project, []);
    const first = await put(user, png(20, 20));
    const size = fileOf((first.body as { data: Avatar }).data).length;
    expect(await recordsOf(first)).toMatchObject([
      { action: 'user.update', before: { avatarBytes: null }, after: { avatarBytes: size } },
    ]);
    const removed = await call('DELETE', '/avatar', user.token);
    expect(removed.body).toMatchObject({ data: { id: user.id, deleted: true } });
    expect(await recordsOf(removed)).toMatchObject([
      { action: 'user.update', before: { avatarBytes: size }, after: { avatarBytes: null } },
    ]);
    expect(await read(user.token, user)).toEqual([]);
    expect(await recordsOf(await call('DELETE', '/avatar', user.token))).toEqual([]);
    await put(ben, png(20, 20));
    expect((await call('DELETE', '/avatar', ben.token)).body).toMatchObject({ data: { id: ben.id } });
  });

  it('is refused if it is a drawing, a text, a document or a damaged file', async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script></svg>';
    const whole = await picture(200, 200).jpeg().toBuffer();
    const refused: readonly (readonly [string, Buffer])[] = [
      ['unsupported_file_type', Buffer.from(drawing)],
      ['unsupported_file_type', Buffer.from('<html><script>alert(1)</script></html>')],
      ['unsupported_file_type', Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n')],
      ['unsupported_file_type', Buffer.from('MZ\u0000\u0001')],
      ['file_damaged', whole.subarray(0, whole.length / 2)],
    ];
    await put(ada, png(24, 24));
    const before = await read(ada.token, ada);
    for (const [error, file] of refused) expect(outcome(await put(ada, file))).toEqual([422, error]);
    expect(await read(ada.token, ada)).toEqual(before);
  });

  it('is refused if it has too many bytes or pixels, or is no Base64', async () => {
    const heavy = Buffer.alloc(limits.avatarUploadBytes + 3);
    expect(outcome(await put(ada, heavy))).toEqual([422, 'validation_failed']);
    const wide = await picture(8000, 7000).png({ compressionLevel: 9 }).toBuffer();
    expect(wide.length).toBeLessThan(limits.avatarUploadBytes);
    expect(outcome(await put(ada, wide))).toEqual([422, 'file_damaged']);
    for (const content of ['', 'data:image/png;base64,AAAA', 17])
      expect((await call('PUT', '/avatar', ada.token, { content })).status).toBe(422);
  });

  it('is read for at most 50 users in a call', async () => {
    const ids = Array.from({ length: limits.avatarsPerCall + 1 }, () => ada.id).join(',');
    expect(outcome(await call('GET', `/avatars?userIds=${ids}`, ada.token))).toEqual([
      422,
      'validation_failed',
    ]);
    expect(outcome(await call('GET', '/avatars?userIds=nonsense', ada.token))).toEqual([
      422,
      'validation_failed',
    ]);
  });
});

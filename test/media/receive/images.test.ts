import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { encodePng } from '../../support/factories/media.js';
import { verifies } from '../../support/verifies.js';
import { exif, picture, withExif } from './pictures.js';
import { openReceiver, type Receiver } from './receiver.js';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const secrets = ['Ada Example', 'Camera Works', 'GPS', 'http://ns.adobe.com'];

const pixels = (bytes: Buffer): Promise<Buffer> => sharp(bytes).autoOrient().removeAlpha().raw().toBuffer();

/** An animation of one pixel on a large canvas: a few bytes per frame. */
function animation(frames: number, side: number): Buffer {
  const header = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  header.writeUInt16LE(side, 6);
  header.writeUInt16LE(side, 8);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([header, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

/** A PNG of one bit per pixel, which is written faster than drawn. */
function blackPng(width: number, height: number): Buffer {
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height);
  return encodePng({ width, height, bitDepth: 1, colourType: 0, rows });
}

describe('Received pictures', () => {
  verifies('media/metadata-stripped', 'media/storage-checksums');

  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await openReceiver();
  });

  afterAll(() => receiver.close());

  it.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)(
    'stores a %s with the same pixels and without its metadata',
    async (format) => {
      const source = await withExif(picture())
        .withXmp('<x:xmpmeta>secret</x:xmpmeta>')
        .toFormat(format)
        .toBuffer();
      const file = await receiver.receive(source, { fileName: `photo.${format}` });
      const stored = await receiver.storedBytes(file);
      for (const secret of [...secrets, 'xmpmeta']) expect(stored.includes(secret)).toBe(false);
      expect((await pixels(stored)).equals(await pixels(source))).toBe(true);
      expect([file.sourceChecksum, file.checksum]).toEqual([sha256(source), sha256(stored)]);
      expect(file.size).toBe(stored.length);
      expect(file).toMatchObject({ mimeType: `image/${format}`, width: 60, height: 40, frames: 1 });
    },
  );

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('keeps a picture of orientation %i upright', async (orientation) => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const source = await withExif(picture(), orientation).toFormat(format, { lossless: true }).toBuffer();
      const file = await receiver.receive(source);
      const stored = await receiver.storedBytes(file);
      const isTurned = orientation > 4;
      expect([file.width, file.height]).toEqual(isTurned ? [40, 60] : [60, 40]);
      expect((await pixels(stored)).equals(await pixels(source))).toBe(true);
      expect(stored.includes('Ada Example')).toBe(false);
    }
  });

  it('returns what EXIF says, without the place', async () => {
    const source = await withExif(picture()).jpeg().toBuffer();
    const { metadata } = await receiver.receive(source);
    expect(metadata).toEqual({
      artist: exif.IFD0.Artist,
      make: exif.IFD0.Make,
      copyright: exif.IFD0.Copyright,
    });
  });

  it('describes a picture: transparency, frames, dominant color and placeholder', async () => {
    const transparent = sharp({
      create: { width: 30, height: 20, channels: 4, background: { r: 0, g: 200, b: 0, alpha: 0.5 } },
    });
    const png = await receiver.receive(await transparent.png().toBuffer());
    expect(png).toMatchObject({ hasAlpha: true, frames: 1 });
    const red = sharp({ create: { width: 30, height: 20, channels: 3, background: '#ff0000' } });
    const jpeg = await receiver.receive(await red.jpeg().toBuffer());
    expect(jpeg.dominantColor).toMatch(/^#f[0-9a-f]0[0-9a-f]0[0-9a-f]$/);
    expect(jpeg.hasAlpha).toBe(false);
    expect(Buffer.from(jpeg.placeholder ?? '', 'base64').length).toBeGreaterThan(10);
  });

  it('keeps every frame of an animation and its loop', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#00ff00', '#0000ff'].map((background) =>
        sharp({ create: { width: 20, height: 10, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const source = await sharp(frames, { join: { animated: true } })
      .gif({ loop: 3, delay: [50, 60, 70] })
      .toBuffer();
    const file = await receiver.receive(source, { fileName: 'a.gif' });
    expect(file).toMatchObject({ mimeType: 'image/gif', frames: 3, width: 20, height: 10 });
    const stored = await sharp(await receiver.storedBytes(file)).metadata();
    expect(stored).toMatchObject({ pages: 3, loop: 3, delay: [50, 60, 70] });
  });

  it('drops what follows the end of a picture', async () => {
    const tail = Buffer.from('<script>alert(1)</script>GPSLatitude');
    for (const format of ['jpeg', 'png', 'gif', 'webp'] as const) {
      const source = Buffer.concat([await picture().toFormat(format).toBuffer(), tail]);
      const stored = await receiver.storedBytes(await receiver.receive(source));
      expect(stored.includes('<script>')).toBe(false);
    }
  });

  it('drops a GIF comment that holds a script', async () => {
    const source = await picture().gif().toBuffer();
    const end = source.lastIndexOf(0x3b);
    const comment = Buffer.from('<script>alert(1)</script>', 'latin1');
    const block = Buffer.concat([Buffer.from([0x21, 0xfe, comment.length]), comment, Buffer.from([0])]);
    const polyglot = Buffer.concat([source.subarray(0, end), block, source.subarray(end)]);
    const stored = await receiver.storedBytes(await receiver.receive(polyglot));
    expect(stored.equals(source)).toBe(true);
  });

  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('refuses a %s that is cut off', async (format) => {
    const whole = await picture(400, 300).toFormat(format, { effort: 1 }).toBuffer();
    const before = await receiver.files();
    const refusal = await receiver.refusal(whole.subarray(0, Math.floor(whole.length * 0.6)));
    expect(refusal).toMatchObject({ code: 'file_damaged', status: 422 });
    expect(await receiver.files()).toEqual(before);
  });

  it('refuses a picture of 225 megapixels without decoding it', async () => {
    const bomb = blackPng(15_000, 15_000);
    expect(bomb.length).toBeLessThan(500_000);
    expect(await receiver.refusal(bomb)).toMatchObject({ code: 'file_damaged' });
  }, 120_000);

  it('decodes one of 300 frames that have 1,200 megapixels, and refuses more than 1,000 frames', async () => {
    const file = await receiver.receive(animation(300, 2000));
    expect(file).toMatchObject({ mimeType: 'image/gif', frames: 300, width: 2000, height: 2000 });
    expect(await receiver.refusal(animation(1001, 10))).toMatchObject({ code: 'file_damaged' });
  });

  it('refuses a header of 65,500 pixels', async () => {
    const jpeg = Buffer.from(await picture().jpeg().toBuffer());
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    jpeg.writeUInt16BE(65_500, frame + 5);
    jpeg.writeUInt16BE(65_500, frame + 7);
    expect(await receiver.refusal(jpeg)).toMatchObject({ code: 'file_damaged' });
  });
});

import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import sharp, { type Metadata } from 'sharp';
import { generate } from 'unpic/providers/contentful';
import { startBeside } from '../../support/app.js';
import { useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { picture, withExif } from '../receive/pictures.js';
import { bytesOf, errorOf, Library, type StoredAsset } from './library.js';

/** The color at a point, from 0 to 1, as red, green or blue. */
async function colorAt(bytes: Buffer, x: number, y: number): Promise<string> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const column = Math.min(info.width - 1, Math.floor(x * info.width));
  const row = Math.min(info.height - 1, Math.floor(y * info.height));
  const at = (row * info.width + column) * 3;
  const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
  if (red > 200 && green > 200 && blue > 200) return 'white';
  if (red > green && red > blue) return 'red';
  return blue > green ? 'blue' : 'green';
}

describe('Renditions', () => {
  verifies('media/renditions', 'media/renditions-unsigned');

  const app = useOwnApp();
  let library: Library;
  /** 1200 × 800: red on the left, blue on the right. */
  let photo: StoredAsset;

  beforeAll(async () => {
    library = await Library.open(app());
    photo = await library.add(await picture(1200, 800).jpeg({ quality: 95 }).toBuffer(), {
      fileName: 'photo.jpg',
    });
  });

  const rendition = async (
    url: string,
    headers?: Record<string, string>,
  ): Promise<[Metadata, Buffer, Response]> => {
    const response = await library.get(url, headers);
    const bytes = await bytesOf(response);
    if (response.status !== 200) throw new Error(`${response.status} ${bytes.toString()}`);
    return [await sharp(bytes).metadata(), bytes, response];
  };

  const signed = (asset: StoredAsset, transform: object): string =>
    app().composition.services.media.urls.signed(
      { projectSlug: library.project.slug, ...asset },
      { expiresAt: new Date(Date.now() + 60_000), transform },
    );

  it('follow the URLs that image components make for Contentful', async () => {
    const source = `https://cdn.example${photo.url}`;
    const url = new URL(
      String(generate(source, { width: 640, height: 384, format: 'webp', quality: 75, fit: 'fill' })),
    );
    const [metadata, bytes, response] = await rendition(url.pathname + url.search);
    expect(metadata).toMatchObject({ format: 'webp', width: 640, height: 384 });
    expect([await colorAt(bytes, 0.1, 0.5), await colorAt(bytes, 0.9, 0.5)]).toEqual(['red', 'blue']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': 'inline; filename="photo.webp"',
      'content-security-policy': "sandbox; default-src 'none'",
      'surrogate-key': `media:${photo.id} project:${library.project.slug}`,
    });
    expect(response.headers.get('etag')).toMatch(/^"[0-9a-f]{12}\.[\w-]{16}"$/);
  });

  it.each([
    ['w=600', 640, 427],
    ['w=100&dpr=2', 256, 171],
    ['h=200', 384, 256],
    ['w=640&h=128', 192, 128],
    ['w=640&h=640&fit=contain', 640, 427],
    ['w=256&h=384&fit=crop', 256, 384],
    ['w=640&h=360&fit=fill', 640, 360],
    ['w=320&h=180&fit=cover', 384, 216],
    ['w=400&h=100&fit=thumb', 640, 160],
    ['w=100&h=50&dpr=3&fit=crop', 384, 192],
    ['w=400&h=100&fit=pad', 640, 160],
    ['w=320&h=180&fit=scale', 384, 216],
    ['w=384&fit=scale', 384, 256],
    ['w=2048', 1200, 800],
    ['w=4000&h=4000&fit=fill', 800, 800],
    ['w=3840&h=1920&fit=crop', 1200, 800],
    ['w=2048&h=2048&fit=scale', 800, 800],
  ])('have the size and ratio asked for with %s, and are never enlarged', async (query, width, height) => {
    const [metadata] = await rendition(`${photo.url}?${query}&fm=png`);
    expect([metadata.width, metadata.height]).toEqual([width, height]);
  });

  it('crop around a gravity, a given point, or the stored focal point', async () => {
    const crop = 'w=256&h=640&fit=fill';
    const at = async (query: string): Promise<string> =>
      colorAt((await rendition(`${photo.url}?${query}`))[1], 0.5, 0.5);
    expect(await at(`${crop}&f=left`)).toBe('red');
    expect(await at(`${crop}&f=right`)).toBe('blue');
    expect(await at(`${crop}&fp=0,0.5`)).toBe('red');
    expect(await at(`${crop}&fp=1,0.5`)).toBe('blue');
    const focused = await library.add(await picture(1200, 801).png().toBuffer(), {
      fileName: 'focused.png',
      focalPoint: { x: 0.95, y: 0.5 },
    });
    const [, bytes, response] = await rendition(`${focused.url}?${crop}`);
    expect(await colorAt(bytes, 0.1, 0.5)).toBe('blue');
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600, stale-while-revalidate=86400');
    const [, , fixed] = await rendition(`${focused.url}?${crop}&fp=0,0`);
    expect(fixed.headers.get('cache-control')).toContain('immutable');
  });

  it('pad with white, transparency or the signed color', async () => {
    const query = 'w=256&h=256&fit=pad';
    const [, jpeg] = await rendition(`${photo.url}?${query}`);
    expect([await colorAt(jpeg, 0.5, 0), await colorAt(jpeg, 0.1, 0.5)]).toEqual(['white', 'red']);
    const [png] = await rendition(`${photo.url}?${query}&fm=png`);
    expect(png.hasAlpha).toBe(true);
    const [, green] = await rendition(signed(photo, { w: 200, h: 200, fit: 'pad', bg: 'rgb:00ff00' }));
    expect(await colorAt(green, 0.5, 0)).toBe('green');
  });

  it('allow exact sizes, parts and backgrounds with a signature only', async () => {
    const [shaped] = await rendition(signed(photo, { w: 401, h: 99, fit: 'fill', dpr: 2 }));
    expect([shaped.width, shaped.height]).toEqual([802, 198]);
    const [part, bytes] = await rendition(signed(photo, { rect: { x: 700, y: 100, w: 300, h: 200 } }));
    expect([part.width, part.height, await colorAt(bytes, 0.5, 0.5)]).toEqual([300, 200, 'blue']);
    const [progressive] = await rendition(signed(photo, { w: 100, fl: 'progressive' }));
    expect(progressive.isProgressive).toBe(true);
    for (const query of ['rect=0,0,10,10', 'bg=rgb:ffffff', 'fl=progressive'])
      expect(await errorOf(await library.get(`${photo.url}?${query}`))).toEqual([403, 'invalid_signature']);
    const tampered = signed(photo, { w: 601 }).replace('w=601', 'w=602');
    expect(await errorOf(await library.get(tampered))).toEqual([403, 'invalid_signature']);
    const outside = signed(photo, { rect: { x: 1000, y: 0, w: 300, h: 10 } });
    expect(await errorOf(await library.get(outside))).toEqual([422, 'validation_failed']);
  });

  it('choose the format that the client accepts', async () => {
    const url = `${photo.url}?w=64&auto=format`;
    for (const [accept, format] of [
      ['image/avif,image/webp,*/*', 'heif'],
      ['image/webp,*/*', 'webp'],
      ['*/*', 'jpeg'],
      ['image/avif;q=0, image/webp;q=0.0, */*', 'jpeg'],
      ['image/avif; q=0, image/webp', 'webp'],
      ['image/avif;q=0.5,image/webp;q=0.9', 'webp'],
      ['IMAGE/AVIF', 'heif'],
    ] as const) {
      const [metadata, , response] = await rendition(url, { accept });
      expect([metadata.format, response.headers.get('vary')]).toEqual([format, 'Accept']);
    }
    const [fixed, , response] = await rendition(`${photo.url}?w=64&auto=format&fm=png`, {
      accept: 'image/avif',
    });
    expect([fixed.format, response.headers.get('vary')]).toEqual(['png', null]);
  });

  it.each(['jpg', 'png', 'webp', 'avif', 'gif'])('encode %s', async (fm) => {
    const [metadata] = await rendition(`${photo.url}?w=64&fm=${fm}`);
    expect(metadata.format).toBe({ jpg: 'jpeg', avif: 'heif' }[fm] ?? fm);
  });

  it('are upright, whatever the orientation of the original', async () => {
    const expected = (await rendition(`${photo.url}?w=64&fm=png`))[1];
    for (const orientation of [3, 6, 8]) {
      const turned = { 3: 180, 6: 270, 8: 90 }[orientation] ?? 0;
      const upright = await picture(1200, 800).png().toBuffer();
      const stored = sharp(upright).rotate(turned);
      const asset = await library.add(await withExif(stored, orientation).jpeg({ quality: 95 }).toBuffer());
      const [metadata, bytes] = await rendition(`${asset.url}?w=64&fm=png`);
      expect([metadata.width, metadata.height, metadata.orientation]).toEqual([64, 43, undefined]);
      for (const x of [0.1, 0.9]) expect(await colorAt(bytes, x, 0.5)).toBe(await colorAt(expected, x, 0.5));
    }
  });

  it.each(['gif', 'webp'] as const)('keep the animation of a %s, also cut and padded', async (kind) => {
    const frames = await Promise.all(
      ['#ff0000', '#00ff00', '#0000ff'].map((background) =>
        sharp({ create: { width: 100, height: 50, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const source = await sharp(frames, { join: { animated: true } })
      [kind]({ loop: 3, delay: [50, 60, 70] })
      .toBuffer();
    const { url } = await library.add(source);
    const moving = { pages: 3, loop: 3, delay: [50, 60, 70] };
    for (const [query, width, height] of [
      ['w=64', 64, 32],
      ['w=32&h=32&fit=fill', 32, 32],
      ['w=64&h=64&fit=pad', 64, 64],
      ['w=64&fm=webp', 64, 32],
      ['w=64&fm=gif', 64, 32],
    ] as const) {
      const [made] = await rendition(`${url}?${query}`);
      expect(made).toMatchObject({ ...moving, width, height });
    }
    const [modern] = await rendition(`${url}?w=64&auto=format`, { accept: 'image/avif,image/webp' });
    expect(modern).toMatchObject({ ...moving, format: 'webp' });
  });

  it('show the first frame of an animation and draw a drawing', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 100, height: 50, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await library.add(
      await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
    );
    const [still, bytes] = await rendition(`${gif.url}?w=64&fm=png`);
    expect([still.width, still.height, still.pages, await colorAt(bytes, 0.5, 0.5)]).toEqual([
      64,
      32,
      undefined,
      'red',
    ]);
    const svg = await library.add(
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"><rect width="100" height="50" fill="#0000ff"/></svg>',
      ),
    );
    const [drawn, pixels] = await rendition(`${svg.url}?w=64`);
    expect([drawn.format, drawn.width, await colorAt(pixels, 0.5, 0.5)]).toEqual(['png', 64, 'blue']);
  });

  it('are the file itself when nothing changes', async () => {
    const response = await library.get(`${photo.url}?w=2048`);
    expect(response.headers.get('etag')).toBe(`"${photo.checksum}"`);
    await bytesOf(response);
  });

  it('are not sent again to a client that has them, and are sent in parts', async () => {
    const url = `${photo.url}?w=128&fm=png`;
    const [, bytes, response] = await rendition(url);
    const tag = response.headers.get('etag') ?? '';
    expect((await library.get(url, { 'if-none-match': tag })).status).toBe(304);
    const part = await library.get(url, { range: 'bytes=1-3' });
    expect([part.status, (await bytesOf(part)).toString()]).toEqual([206, 'PNG']);
    expect(part.headers.get('content-range')).toBe(`bytes 1-3/${bytes.length}`);
  });

  it('are made once by all processes together, and kept', async () => {
    const beside = await startBeside(app());
    try {
      const path = `${photo.url}?w=750&fm=webp`;
      const puts = [app(), beside].map(({ composition }) =>
        jest.spyOn(composition.services.media.storage, 'put'),
      );
      const result = await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const base = index % 2 === 0 ? app().baseUrl : beside.baseUrl;
          const response = await fetch(`${base}${path}`);
          return [response.status, (await response.arrayBuffer()).byteLength];
        }),
      );
      expect(new Set(result.map(([status]) => status))).toEqual(new Set([200]));
      expect(new Set(result.map(([, length]) => length)).size).toBe(1);
      expect(puts.flatMap(({ mock }) => mock.calls)).toHaveLength(1);
      const { storage } = app().composition.services.media;
      const made: string[] = [];
      for await (const { key } of storage.list(`renditions/${photo.checksum}/`)) made.push(key);
      expect(made.filter((key) => key.includes('_750x'))).toHaveLength(1);
      expect(await app().rows(null, 'SELECT key FROM rendition_claims')).toEqual([]);
    } finally {
      await beside.close();
    }
  });

  it('of anything but a picture are refused', async () => {
    const text = await library.add(Buffer.from('text'), { fileName: 'a.txt' });
    expect(await errorOf(await library.get(`${text.url}?w=100`))).toEqual([422, 'validation_failed']);
  });

  it.each(['w=0', 'w=4001', 'q=101', 'fit=stretch', 'fm=tiff', 'unknown=1', 'w=1&w=2', 'fp=2,2'])(
    'refuse %s',
    async (query) => {
      expect(await errorOf(await library.get(`${photo.url}?${query}`))).toEqual([422, 'validation_failed']);
    },
  );

  it('are 422 when the original has become unreadable', async () => {
    const asset = await library.add(await picture(90, 60).png().toBuffer());
    const { storage } = app().composition.services.media;
    await storage.put(asset.storageKey, { stream: Readable.from([Buffer.from('no picture')]) });
    expect(await errorOf(await library.get(`${asset.url}?w=16`))).toEqual([422, 'file_damaged']);
    expect(await app().rows(null, 'SELECT key FROM rendition_claims')).toEqual([]);
  });

  it('are 404 when the original is missing', async () => {
    const asset = await library.add(await picture(80, 60).png().toBuffer());
    await app().composition.services.media.storage.remove(asset.storageKey);
    expect(await errorOf(await library.get(`${asset.url}?w=16`))).toEqual([404, 'media_not_found']);
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import { useOwnApp } from '../../support/desk.js';
import { verifies } from '../../support/verifies.js';
import { withExif } from '../receive/pictures.js';
import { bytesOf, Library } from './library.js';

const colours = ['#d02020', '#20d020', '#2020d0', '#d0d020'];
const [WIDTH, HEIGHT] = [120, 80];

/** Four quarters of different colours: no two orientations look alike. */
const upright = (): Promise<Buffer> =>
  sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#000000' } })
    .composite(
      colours.map((background, index) => ({
        input: { create: { width: WIDTH / 2, height: HEIGHT / 2, channels: 3, background } },
        left: (index % 2) * (WIDTH / 2),
        top: Math.floor(index / 2) * (HEIGHT / 2),
      })),
    )
    .png()
    .toBuffer();

/** How a camera that was held in this way stores the picture: what EXIF says undoes it. */
const storedAs: Readonly<Record<number, readonly ((image: Sharp) => Sharp)[]>> = {
  1: [],
  2: [(image) => image.flop()],
  3: [(image) => image.rotate(180)],
  4: [(image) => image.flip()],
  5: [(image) => image.rotate(90), (image) => image.flop()],
  6: [(image) => image.rotate(270)],
  7: [(image) => image.rotate(90), (image) => image.flip()],
  8: [(image) => image.rotate(90)],
};

async function photograph(orientation: number): Promise<Buffer> {
  let pixels = await upright();
  for (const turn of storedAs[orientation] ?? []) pixels = await turn(sharp(pixels)).png().toBuffer();
  const image = sharp(pixels).jpeg({ quality: 95, chromaSubsampling: '4:4:4' });
  return withExif(image, orientation).toBuffer();
}

const queries = [
  '',
  '?w=64&fm=png',
  '?w=64&h=64&fit=fill&fm=webp',
  '?w=96&h=96&fit=pad&fm=jpg',
  '?w=96&h=48&fit=scale&fm=png',
  '?w=48&h=48&fit=crop&f=bottom_right&fm=png',
  '?w=64&fm=avif',
];

const rawOf = (bytes: Buffer) =>
  sharp(bytes).autoOrient().removeAlpha().raw().toBuffer({ resolveWithObject: true });

/** Mean difference of the pixels, of 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([rawOf(one), rawOf(other)]);
  expect([a.info.width, a.info.height]).toEqual([b.info.width, b.info.height]);
  return a.data.reduce((sum, value, at) => sum + Math.abs(value - (b.data[at] ?? 0)), 0) / a.data.length;
}

describe('A picture of any orientation', () => {
  verifies('media/renditions', 'media/metadata-stripped');

  const app = useOwnApp();
  let library: Library;
  let expected: Buffer[];

  const served = async (orientation: number): Promise<Buffer[]> => {
    const { url } = await library.add(await photograph(orientation), { fileName: 'photo.jpg' });
    const responses = await Promise.all(queries.map((query) => library.get(url + query)));
    expect(responses.map(({ status }) => status)).toEqual(queries.map(() => 200));
    return Promise.all(responses.map(bytesOf));
  };

  beforeAll(async () => {
    library = await Library.open(app());
    expected = await served(1);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'is upright in every rendition if it is stored as %i',
    async (orientation) => {
      const files = await served(orientation);
      for (const [index, bytes] of files.entries()) {
        expect(await difference(bytes, expected[index] ?? Buffer.alloc(0))).toBeLessThan(4);
        for (const place of ['GPS', 'Ada Example', 'Camera Works']) expect(bytes.includes(place)).toBe(false);
      }
      const [whole = Buffer.alloc(0)] = files;
      expect(await difference(whole, await upright())).toBeLessThan(4);
      for (const [index, bytes] of files.entries()) {
        const { exif } = await sharp(bytes).metadata();
        // The original keeps the orientation alone, renditions nothing.
        expect(exif === undefined || (index === 0 && exif.length < 64)).toBe(true);
      }
    },
  );
});

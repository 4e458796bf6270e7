import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { openDesk, useOwnApp, type Desk } from '../../support/desk.js';
import { uploadAsset } from '../../support/factories/media.js';
import { verifies } from '../../support/verifies.js';

const app = useOwnApp();

const SIDES = [256, 384, 640, 750];

/** 40 different renditions: no side is rounded to that of another. */
const costly = ['webp', 'jpg', 'png']
  .flatMap((fm) => SIDES.flatMap((w) => SIDES.map((h) => `?w=${String(w)}&h=${String(h)}&fit=crop&fm=${fm}`)))
  .slice(0, 40);

async function pictureOf({ project }: Desk, side: number): Promise<string> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const create = { width: side, height: side, channels: 3, background: '#888888', noise } as const;
  const content = await sharp({ create }).jpeg({ quality: 40 }).toBuffer();
  const file = { fileName: 'noise.jpg', content: content.toString('base64') };
  return (await uploadAsset(app(), project, { file })).url;
}

describe('Renditions of two tenants', () => {
  verifies('media/renditions-in-turns');

  it('let a small one of a tenant pass the costly ones that another tenant has queued', async () => {
    const [greedy, modest] = [await openDesk(app()), await openDesk(app())];
    const [large, small] = [await pictureOf(greedy, 1000), await pictureOf(modest, 200)];
    const statuses: number[] = [];
    const get = async (url: string): Promise<number> => (await app().request.get(url)).status;
    const first = Promise.withResolvers<undefined>();
    const all = costly.map(async (query) => {
      statuses.push(await get(`${large}${query}`));
      first.resolve(undefined);
    });
    await first.promise;
    const before = statuses.length;
    expect(await get(`${small}?w=64&fm=webp`)).toBe(200);
    const passed = statuses.length - before;
    // The one that runs, the next in turn, and those whose responses were on their way.
    expect(passed).toBeLessThanOrEqual(4);
    expect(statuses.length).toBeLessThanOrEqual(costly.length / 2);
    await Promise.all(all);
    // On a busy machine the last ones wait for too long.
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toHaveLength(costly.length);
  });
});

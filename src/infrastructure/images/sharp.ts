import type { Sharp, SharpOptions } from 'sharp';
import { lazy } from '../lazy.js';

/** Above it, nothing is decoded. */
const MAXIMUM_PIXELS = 50_000_000;
const SECONDS_PER_IMAGE = 20;

/** Loaded on first use: 20 MB of native libraries. */
const loaded = lazy(async () => {
  const { default: sharp } = await import('sharp');
  // One thread per picture: the number of pictures at once is bounded elsewhere. Files change, caches would not.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
});

export const loadSharp = (): Promise<unknown> => loaded.get();

/** Decodes the first frame only, and fails on damaged data. */
export async function openImage(input: string | Buffer, options: SharpOptions = {}): Promise<Sharp> {
  const sharp = await loaded.get();
  return sharp(input, {
    limitInputPixels: MAXIMUM_PIXELS,
    failOn: 'error',
    sequentialRead: true,
    ...options,
  }).timeout({ seconds: SECONDS_PER_IMAGE });
}

import type { Sharp, SharpOptions } from 'sharp';
import { lazy } from '../lazy.js';
import { DamagedFile } from '../files/file-window.js';

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

export type ImageFormat = 'jpg' | 'png' | 'webp' | 'avif' | 'gif';

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/** In this order: upright, region, resize, extract, canvas. */
export interface ImageRecipe {
  readonly region?: Box;
  readonly resize: Size;
  readonly extract?: Box;
  /** The picture is centered on it. */
  readonly canvas?: Size;
  readonly format: ImageFormat;
  /** 1 to 100, for lossy formats. */
  readonly quality: number | undefined;
  /** Six hexadecimal digits. */
  readonly background: string | undefined;
  readonly isProgressive: boolean;
  /** Every frame, with its delay; otherwise the first one. */
  readonly isAnimated?: true;
}

/** Changes when the same recipe yields other pixels. */
const REVISION = 'r1';

const boxText = ({ left, top, width, height }: Box): string => [left, top, width, height].join('-');
const sizeText = ({ width, height }: Size): string => `${String(width)}x${String(height)}`;

/** Equal for equal pixels; safe in a key of the storage. */
export function recipeKey(recipe: ImageRecipe): string {
  const { region, resize, extract, canvas, format, quality, background, isProgressive, isAnimated } = recipe;
  return [
    REVISION,
    ...(region === undefined ? [] : [`region-${boxText(region)}`]),
    sizeText(resize),
    ...(extract === undefined ? [] : [`extract-${boxText(extract)}`]),
    ...(canvas === undefined ? [] : [`canvas-${sizeText(canvas)}`]),
    ...(background === undefined ? [] : [`bg-${background}`]),
    ...(quality === undefined ? [] : [`q${String(quality)}`]),
    ...(isProgressive ? ['progressive'] : []),
    ...(isAnimated === true ? ['animated'] : []),
    format,
  ].join('_');
}

export const typeOfFormat: Readonly<Record<ImageFormat, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
};

/** Higher is slower by multiples, and hardly smaller. */
const AVIF_EFFORT = 2;

function encode(image: Sharp, { format, quality, isProgressive }: ImageRecipe): Sharp {
  const lossy = quality === undefined ? {} : { quality };
  if (format === 'jpg') return image.jpeg({ ...lossy, progressive: isProgressive });
  if (format === 'webp') return image.webp(lossy);
  if (format === 'avif') return image.avif({ ...lossy, effort: AVIF_EFFORT });
  return format === 'png' ? image.png() : image.gif();
}

const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };
const WHITE = '#ffffff';

function extend(image: Sharp, { canvas, extract, resize, ...recipe }: ImageRecipe): Sharp {
  if (canvas === undefined) return image;
  const { width, height } = extract ?? resize;
  const [across, down] = [canvas.width - width, canvas.height - height];
  const color = recipe.background === undefined ? undefined : `#${recipe.background}`;
  return image.extend({
    left: Math.floor(across / 2),
    right: Math.ceil(across / 2),
    top: Math.floor(down / 2),
    bottom: Math.ceil(down / 2),
    background: color ?? (recipe.format === 'jpg' ? WHITE : TRANSPARENT),
  });
}

/** Frames of an animation cannot be turned; one that asks for it shows the first. */
async function openFrames(file: string, { isAnimated }: ImageRecipe): Promise<Sharp> {
  if (isAnimated !== true) return (await openImage(file)).autoOrient();
  const animation = await openImage(file, { animated: true });
  const { orientation = 1 } = await animation.metadata();
  return orientation === 1 ? animation : (await openImage(file)).autoOrient();
}

/** Makes a rendition in sRGB and without metadata. @throws DamagedFile */
export async function renderImage(file: string, recipe: ImageRecipe): Promise<Buffer> {
  const { region, resize, extract, background, format } = recipe;
  let image = await openFrames(file, recipe);
  if (region !== undefined) image = image.extract(region);
  image = image.resize({ ...resize, fit: 'fill' });
  if (extract !== undefined) image = image.extract(extract);
  if (background !== undefined || format === 'jpg')
    image = image.flatten({ background: background === undefined ? WHITE : `#${background}` });
  return encode(extend(image, recipe), recipe)
    .toBuffer()
    .catch((error: unknown) => {
      throw new DamagedFile((error as Error).message, { cause: error });
    });
}

import type { Metadata } from 'sharp';
import { DamagedFile } from '../files/file-window.js';
import { openImage } from './render-image.js';

/** Shown to editors. Places are not among them. */
const fields = [
  'Make',
  'Model',
  'LensModel',
  'Software',
  'Artist',
  'Copyright',
  'ImageDescription',
  'DateTimeOriginal',
  'ExposureTime',
  'FNumber',
  'ISO',
  'FocalLength',
] as const;

const LONGEST_VALUE = 500;

const nameOf = (field: string): string =>
  field === 'ISO' ? 'iso' : field.charAt(0).toLowerCase() + field.slice(1);

function valueOf(value: unknown): string | number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? undefined : value.toISOString().slice(0, 19);
  if (typeof value !== 'string') return undefined;
  const text = value
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
    .toWellFormed()
    .trim();
  return text === '' ? undefined : text.slice(0, LONGEST_VALUE).toWellFormed();
}

/** EXIF without places; empty if it cannot be read. @param exif a TIFF structure */
async function readExif(exif: Buffer | undefined): Promise<Record<string, string | number>> {
  if (exif === undefined) return {};
  const { parse } = (await import('exifr')).default;
  const found: unknown = await parse(exif, { pick: [...fields], gps: false, reviveValues: false }).catch(
    () => undefined,
  );
  const read = (found ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = valueOf(read[field]);
      return value === undefined ? [] : [[nameOf(field), value]];
    }),
  );
}

export interface ImageFacts {
  /** Upright. */
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  readonly frames: number;
  /** Thumbhash in base64. */
  readonly placeholder: string;
  /** `#rrggbb`. */
  readonly dominantColor: string;
}

/** What the file says of itself, before a pixel is decoded. */
export interface ImageHeader {
  readonly orientation: number | undefined;
  /** EXIF without places. */
  readonly metadata: Readonly<Record<string, string | number>>;
}

/** Thumbhash takes at most 100 × 100. */
const SAMPLE_SIDE = 100;
const MAXIMUM_FRAMES = 1000;

const failure = (error: unknown): DamagedFile =>
  error instanceof DamagedFile ? error : new DamagedFile((error as Error).message, { cause: error });

const EXIF_PREFIX = 'Exif\0\0';

function tiffOf({ exif }: Metadata): Buffer | undefined {
  const hasPrefix = exif?.subarray(0, EXIF_PREFIX.length).toString('latin1') === EXIF_PREFIX;
  return hasPrefix ? exif?.subarray(EXIF_PREFIX.length) : exif;
}

/** @throws DamagedFile, also for too many pixels or frames */
export async function readImageHeader(file: string): Promise<ImageHeader> {
  try {
    const metadata = await (await openImage(file)).metadata();
    if ((metadata.pages ?? 1) > MAXIMUM_FRAMES) throw new DamagedFile('the picture has too many frames');
    return { orientation: metadata.orientation, metadata: await readExif(tiffOf(metadata)) };
  } catch (error) {
    throw failure(error);
  }
}

const hex = (value: number): string => value.toString(16).padStart(2, '0');

/** Decodes the whole picture. @throws DamagedFile */
export async function inspectImage(file: string): Promise<ImageFacts> {
  try {
    const image = await openImage(file);
    const { autoOrient, hasAlpha, pages } = await image.metadata();
    const { data, info } = await image
      .autoOrient()
      .resize(SAMPLE_SIDE, SAMPLE_SIDE, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: info.channels };
    const { dominant } = await (await openImage(data, { raw })).removeAlpha().stats();
    const { rgbaToThumbHash } = await import('thumbhash');
    return {
      width: autoOrient.width,
      height: autoOrient.height,
      hasAlpha,
      frames: pages ?? 1,
      placeholder: Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64'),
      dominantColor: `#${hex(dominant.r)}${hex(dominant.g)}${hex(dominant.b)}`,
    };
  } catch (error) {
    throw failure(error);
  }
}

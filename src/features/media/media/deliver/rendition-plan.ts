import { invalidInput } from '../../../../../contracts/errors.js';
import { RENDITION_SIDE, type MediaTransform } from '../../../../../contracts/media/media/media-file.js';
import type { ImageFormat, ImageRecipe } from '../../../../infrastructure/images/render-image.js';
import type { MediaFile } from './media-file.repository.js';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A missing side follows from the shape. */
interface WantedSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/** From 0 to 1. */
interface Point {
  readonly x: number;
  readonly y: number;
}

const pixels = (value: number): number => Math.max(1, Math.round(value));

/** The largest size of the same shape within what is wanted; never larger than the source. */
export function resizeInside(source: Size, wanted: WantedSize): Size {
  const scale = Math.min(
    1,
    (wanted.width ?? Infinity) / source.width,
    (wanted.height ?? Infinity) / source.height,
  );
  return { width: pixels(source.width * scale), height: pixels(source.height * scale) };
}

/** The largest size of the wanted shape, up to what is wanted, within the source. */
export function shapeWithin(source: Size, wanted: Size): Size {
  const shrink = Math.min(1, source.width / wanted.width, source.height / wanted.height);
  return { width: pixels(wanted.width * shrink), height: pixels(wanted.height * shrink) };
}

/** A window of one dimension around a point, within the whole. */
function windowAround(center: number, { length, whole }: { length: number; whole: number }): number {
  return Math.min(Math.max(0, Math.round(center * whole - length / 2)), whole - length);
}

function windowOf(size: Size, whole: Size, { x, y }: Point): Box {
  return {
    ...size,
    left: windowAround(x, { length: size.width, whole: whole.width }),
    top: windowAround(y, { length: size.height, whole: whole.height }),
  };
}

/**
 * Scales so that the wanted shape is covered, then cuts around the focus; `crop` cuts without scaling. A wanted shape
 * larger than the source becomes smaller, in the same proportion.
 */
export function cropAround(
  source: Size,
  wanted: Size,
  { fit, focus }: { readonly fit: string; readonly focus: Point },
): { readonly resize: Size; readonly extract?: Box } {
  if (fit === 'crop') {
    const size = {
      width: Math.min(wanted.width, source.width),
      height: Math.min(wanted.height, source.height),
    };
    return { resize: source, extract: windowOf(size, source, focus) };
  }
  const size = shapeWithin(source, wanted);
  const scale = Math.max(size.width / source.width, size.height / source.height);
  const resize = {
    width: Math.max(size.width, pixels(source.width * scale)),
    height: Math.max(size.height, pixels(source.height * scale)),
  };
  const isExact = resize.width === size.width && resize.height === size.height;
  return isExact ? { resize } : { resize, extract: windowOf(size, resize, focus) };
}

/** Sides that unsigned requests round up to (rule media/renditions). */
const SIDES = [16, 32, 48, 64, 96, 128, 256, 384, 640, 750, 828, 1080, 1200, 1920, 2048, 3840];
const QUALITIES = [25, 50, 60, 75, 80, 90, 100];
/** Steps of a focal point that unsigned requests may choose. */
const FOCAL_STEPS = 10;
const DEFAULT_QUALITY = 80;
/** AVIF looks as good at a lower number. */
const DEFAULT_AVIF_QUALITY = 60;

const gravityPoints: Readonly<Record<string, Point>> = {
  top: { x: 0.5, y: 0 },
  right: { x: 1, y: 0.5 },
  bottom: { x: 0.5, y: 1 },
  left: { x: 0, y: 0.5 },
  top_left: { x: 0, y: 0 },
  top_right: { x: 1, y: 0 },
  bottom_left: { x: 0, y: 1 },
  bottom_right: { x: 1, y: 1 },
};
const CENTER: Point = { x: 0.5, y: 0.5 };

const formatsByType: Readonly<Record<string, ImageFormat>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/svg+xml': 'png',
};

interface RenditionRequest {
  readonly transform: MediaTransform;
  /** Exact sizes and every parameter. */
  readonly isSigned: boolean;
  /** The `Accept` header. */
  readonly accept: string | undefined;
}

export interface RenditionPlan {
  readonly recipe: ImageRecipe;
  /** The crop follows the stored focal point, which may change. */
  readonly followsFocalPoint: boolean;
}

export const needsSignature = ({ rect, bg, fl }: MediaTransform): boolean =>
  rect !== undefined || bg !== undefined || fl !== undefined;

const roundUp = (values: readonly number[], wanted: number): number =>
  values.find((value) => value >= wanted) ?? values.at(-1) ?? wanted;

const issue = (path: string, code: string, message: string): never => {
  throw invalidInput({ path: [path], code, message });
};

/** Fits that make a rendition of the ratio asked for. */
const shapingFits: readonly string[] = ['fill', 'crop', 'pad', 'scale'];

/** Unsigned widths round up. Heights follow in the ratio asked for if the rendition has that ratio, otherwise they round up, too. */
function wantedSize({ transform, isSigned }: RenditionRequest, fit: string): WantedSize {
  const { w, h, dpr = 1 } = transform;
  if (w === undefined || h === undefined || !shapingFits.includes(fit)) {
    const sideOf = (wanted: number | undefined): number | undefined => {
      if (wanted === undefined) return undefined;
      const side = Math.min(RENDITION_SIDE, Math.round(wanted * dpr));
      return isSigned ? side : roundUp(SIDES, side);
    };
    return { width: sideOf(w), height: sideOf(h) };
  }
  const width = isSigned ? w * dpr : roundUp([...SIDES, RENDITION_SIDE], Math.round(w * dpr));
  const factor = Math.min(width / w, RENDITION_SIDE / Math.max(w, h));
  return { width: pixels(w * factor), height: pixels(h * factor) };
}

const MAXIMUM_FRAMES = 300;
/** Of all frames of the original. */
const MAXIMUM_PIXELS_READ = 50_000_000;
/** Of all frames of the rendition. */
const MAXIMUM_PIXELS_MADE = 10_000_000;

const animatedFormats: readonly ImageFormat[] = ['gif', 'webp'];

const isAnimation = ({ frames, mimeType }: MediaFile): boolean =>
  (frames ?? 1) > 1 && animatedFormats.includes(formatsByType[mimeType] ?? 'jpg');

/** Whether a rendition has all frames: long or large animations show the first one. */
function showsAnimation(
  file: MediaFile,
  { format, size }: { readonly format: ImageFormat; readonly size: Size },
): boolean {
  const frames = file.frames ?? 1;
  const pixels = ({ width, height }: Size): number => frames * width * height;
  return (
    isAnimation(file) &&
    animatedFormats.includes(format) &&
    frames <= MAXIMUM_FRAMES &&
    pixels({ width: file.width ?? 0, height: file.height ?? 0 }) <= MAXIMUM_PIXELS_READ &&
    pixels(size) <= MAXIMUM_PIXELS_MADE
  );
}

/** 0 to 1: how much a client wants a type that its `Accept` header names; 0 unless it does. */
function preferenceFor(accept: string, type: string): number {
  const entries = accept.split(',').map((entry) => entry.split(';').map((part) => part.trim().toLowerCase()));
  const [, ...parameters] = entries.find(([name]) => name === type) ?? ['', 'q=0'];
  const [, quality = '1'] = parameters.map((part) => /^q\s*=\s*([\d.]+)$/.exec(part)).find(Boolean) ?? [];
  return Number(quality) || 0;
}

function formatOf(file: MediaFile, { transform, accept = '' }: RenditionRequest): ImageFormat {
  if (transform.fm !== undefined) return transform.fm;
  const own = formatsByType[file.mimeType] ?? 'jpg';
  if (transform.auto === undefined) return own;
  // An AVIF has no animation.
  const avif = isAnimation(file) ? 0 : preferenceFor(accept, 'image/avif');
  const webp = preferenceFor(accept, 'image/webp');
  if (avif > 0 && avif >= webp) return 'avif';
  if (webp > 0) return 'webp';
  if (isAnimation(file)) return 'gif';
  return own === 'avif' || own === 'webp' ? (file.hasAlpha === true ? 'png' : 'jpg') : own;
}

function qualityOf(
  format: ImageFormat,
  { transform: { q }, isSigned }: RenditionRequest,
): number | undefined {
  if (format === 'png' || format === 'gif') return undefined;
  const usual = format === 'avif' ? DEFAULT_AVIF_QUALITY : DEFAULT_QUALITY;
  return isSigned ? (q ?? usual) : roundUp(QUALITIES, q ?? usual);
}

function focalPointOf(file: MediaFile, { transform: { fp, f }, isSigned }: RenditionRequest): Point {
  if (fp === undefined) return f === undefined ? file.focalPoint : (gravityPoints[f] ?? CENTER);
  const step = (value: number): number => Math.round(value * FOCAL_STEPS) / FOCAL_STEPS;
  return isSigned ? fp : { x: step(fp.x), y: step(fp.y) };
}

function sourceBox({ width, height }: MediaFile, { rect }: MediaTransform): Box {
  if (width === null || height === null)
    return issue('w', 'not_an_image', 'Only pictures can be transformed.');
  if (rect === undefined) return { left: 0, top: 0, width, height };
  if (rect.x + rect.w > width || rect.y + rect.h > height)
    return issue('rect', 'too_big', `The picture has ${String(width)} × ${String(height)} pixels.`);
  return { left: rect.x, top: rect.y, width: rect.w, height: rect.h };
}

type Geometry = Pick<ImageRecipe, 'resize' | 'extract' | 'canvas'>;

/** Nothing is ever enlarged. */
function geometryOf(source: Size, wanted: WantedSize, how: { fit: string; focus: Point }): Geometry {
  const { width, height } = wanted;
  const inside = resizeInside(source, wanted);
  if (width === undefined || height === undefined) return { resize: inside };
  if (how.fit === 'scale') return { resize: shapeWithin(source, { width, height }) };
  if (how.fit === 'pad') return { resize: inside, canvas: { width, height } };
  if (how.fit === 'fill' || how.fit === 'crop') return cropAround(source, { width, height }, how);
  return { resize: inside };
}

const fitOf = ({ fit }: MediaTransform): string => {
  if (fit === 'cover' || fit === 'thumb') return 'fill';
  return fit ?? 'contain';
};

/**
 * What has to be done for a rendition; undefined if it would be the file itself.
 * @throws AppError 422 `validation_failed`
 */
export function planRendition(file: MediaFile, request: RenditionRequest): RenditionPlan | undefined {
  const { transform } = request;
  const source = formatsByType[file.mimeType];
  if (source === undefined) return issue('fm', 'not_an_image', 'Only pictures can be transformed.');
  const box = sourceBox(file, transform);
  const fit = fitOf(transform);
  const wanted = wantedSize(request, fit);
  const geometry = geometryOf(box, wanted, { fit, focus: focalPointOf(file, request) });
  const format = formatOf(file, request);
  const isAnimated = showsAnimation(file, {
    format,
    size: geometry.canvas ?? geometry.extract ?? geometry.resize,
  });
  const isWhole =
    geometry.canvas === undefined && geometry.extract === undefined && transform.rect === undefined;
  const isSameSize = geometry.resize.width === box.width && geometry.resize.height === box.height;
  const isSameKind = format === source && transform.q === undefined && transform.fl === undefined;
  if (isWhole && isSameSize && isSameKind && file.mimeType !== 'image/svg+xml') return undefined;
  return {
    recipe: {
      ...geometry,
      ...(transform.rect === undefined ? {} : { region: box }),
      format,
      quality: qualityOf(format, request),
      background: transform.bg?.slice(4).toLowerCase(),
      isProgressive: transform.fl === 'progressive' && format === 'jpg',
      ...(isAnimated && { isAnimated: true }),
    },
    followsFocalPoint:
      geometry.extract !== undefined && transform.fp === undefined && transform.f === undefined,
  };
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A missing side follows from the shape. */
export interface WantedSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

export interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/** From 0 to 1. */
export interface Point {
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
  const shrink = Math.min(1, source.width / wanted.width, source.height / wanted.height);
  const size = { width: pixels(wanted.width * shrink), height: pixels(wanted.height * shrink) };
  const scale = Math.max(size.width / source.width, size.height / source.height);
  const resize = {
    width: Math.max(size.width, pixels(source.width * scale)),
    height: Math.max(size.height, pixels(source.height * scale)),
  };
  const isExact = resize.width === size.width && resize.height === size.height;
  return isExact ? { resize } : { resize, extract: windowOf(size, resize, focus) };
}

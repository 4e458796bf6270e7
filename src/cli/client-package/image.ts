/** As the parameters of renditions, in words. */
export interface ImageOptions {
  /** Pixels, 1 to 4,000. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** How the picture fills the box: `fill` covers and crops, `pad` adds a background. */
  readonly fit?: 'fill' | 'crop' | 'pad' | 'scale' | undefined;
  /** What a crop keeps, such as `top`; by default the focal point of the asset. */
  readonly focus?: string | undefined;
  /** By default AVIF or WebP, whichever the browser prefers. */
  readonly format?: 'jpg' | 'png' | 'webp' | 'avif' | 'gif' | undefined;
  /** 1 to 100. */
  readonly quality?: number | undefined;
  /** Widths of `srcset`, by default those at which renditions are made, up to twice the `width`. */
  readonly widths?: readonly number[] | undefined;
}

export interface ImageAttributes {
  readonly src: string;
  readonly srcset: string;
  readonly width?: number;
  readonly height?: number;
}

/** Without a signature, widths are rounded up to these. */
const WIDTHS = [128, 256, 384, 640, 750, 828, 1080, 1200, 1920, 2048, 3840];

interface Picture {
  readonly url: string;
  readonly width?: number | null | undefined;
  readonly height?: number | null | undefined;
}

/** The height of the box at another width. */
const heightAt = (width: number, { width: box, height }: ImageOptions): number | undefined =>
  height === undefined || box === undefined ? height : Math.max(1, Math.round((height * width) / box));

function addressOf(url: string, options: ImageOptions, width: number | undefined): string {
  const { fit, focus, format, quality } = options;
  const height = width === undefined ? options.height : heightAt(width, options);
  const parameters = {
    w: width,
    h: height,
    fit,
    f: focus,
    ...(format === undefined ? { auto: 'format' } : { fm: format }),
    q: quality,
  };
  const query = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/** The size at which the picture is shown, so that the page does not move while it loads. */
function shownSize(picture: Picture, { width, height }: ImageOptions): { width?: number; height?: number } {
  if (width !== undefined && height !== undefined) return { width, height };
  if (!picture.width || !picture.height) return {};
  const scale = Math.min(1, (width ?? Infinity) / picture.width, (height ?? Infinity) / picture.height);
  return { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) };
}

/**
 * Attributes of an `img` element for a picture of the media library: `{ src, srcset, width, height }`.
 * @param picture an asset as delivery returns it, or its URL
 */
export function image(picture: Picture | string, options: ImageOptions = {}): ImageAttributes {
  const asset = typeof picture === 'string' ? { url: picture } : picture;
  const { width = asset.width ?? undefined } = options;
  const most = Math.min((options.width ?? Infinity) * 2, asset.width ?? Infinity);
  const known = options.widths ?? WIDTHS.filter((one) => one < most);
  const widths = options.widths === undefined && Number.isFinite(most) ? [...known, most] : known;
  return {
    src: addressOf(asset.url, options, width),
    srcset: widths.map((one) => `${addressOf(asset.url, options, one)} ${String(one)}w`).join(', '),
    ...shownSize(asset, options),
  };
}

import { apiOrigin } from '../api/origin.js';

const PREFIX = '/media/';

/** Files are taken from where the app calls the service, whose public name can be another one. */
function fileUrl(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return apiOrigin + pathname.slice(Math.max(0, pathname.indexOf(PREFIX))) + search;
}

/** A small copy of a picture, which the service makes. */
export function thumbnailUrl(url: string, pixels: number): string {
  const address = fileUrl(url);
  return `${address}${address.includes('?') ? '&' : '?'}w=${String(pixels)}&h=${String(pixels)}&fit=pad&fm=webp`;
}

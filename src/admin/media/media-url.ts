import { apiOrigin } from '../api/origin.js';
import type { Asset } from '../api/project-data.js';

const PREFIX = '/media/';

/** Files are taken from where the app calls the service, whose public name can be another one. */
export function fileUrl(url: string): string {
  const { pathname, search } = new URL(url, location.href);
  return apiOrigin + pathname.slice(Math.max(0, pathname.indexOf(PREFIX))) + search;
}

const withQuery = (url: string, query: string): string => {
  const address = fileUrl(url);
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
};

/** A small copy of a whole picture, which the service makes. */
export const thumbnailUrl = (url: string, pixels: number): string =>
  withQuery(url, `w=${String(pixels)}&h=${String(pixels)}&fm=webp`);

/** The whole picture, so wide at most. */
export const renditionUrl = (url: string, pixels: number): string =>
  withQuery(url, `w=${String(pixels)}&fm=webp`);

/** Whether it has renditions: icons and HEIC have no dimensions. */
export const isRendered = ({ mimeType, width, visibility }: Asset): boolean =>
  mimeType.startsWith('image/') && width !== null && visibility === 'public';

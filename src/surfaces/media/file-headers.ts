import type { ServedFile } from '../../features/media/media/index.js';
import { surrogateKeys } from '../../infrastructure/cache-tags.js';
import type { HeaderList } from '../http/answer.js';

const INLINE = /^(?:image|audio|video)\/|^application\/pdf$/;

/** RFC 8187 leaves these unescaped, unlike `encodeURIComponent`. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

function disposition({ mimeType, fileName }: ServedFile): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const kind = INLINE.test(mimeType) ? 'inline' : 'attachment';
  const extended = plain === fileName ? '' : `; filename*=UTF-8''${escaped(fileName)}`;
  return `${kind}; filename="${plain}"${extended}`;
}

function cacheControl({ caching }: ServedFile): string {
  if (caching === 'immutable') return 'public, max-age=31536000, immutable';
  if (caching === 'revalidated') return 'public, max-age=3600, stale-while-revalidate=86400';
  return `private, max-age=${String(caching.privateSeconds)}`;
}

export const contentType = ({ mimeType }: ServedFile): string =>
  /^text\/|\/(?:json|x-subrip)$/.test(mimeType) ? `${mimeType}; charset=utf-8` : mimeType;

export const entityTag = ({ tag }: ServedFile): string => `"${tag}"`;

function cacheHeaders(file: ServedFile, projectSlug: string): HeaderList {
  const keys = `${surrogateKeys.media(file.assetId)} ${surrogateKeys.project(projectSlug)}`;
  const headers = ['Cache-Control', cacheControl(file), 'ETag', entityTag(file), 'Surrogate-Key', keys];
  return file.variesByAccept ? [...headers, 'Vary', 'Accept'] : headers;
}

interface FileHeaders {
  /** What 304 repeats. */
  readonly cache: HeaderList;
  readonly content: HeaderList;
}

const known = new WeakMap<ServedFile, FileHeaders>();

/** Made once per file in memory. */
export function fileHeaders(file: ServedFile, projectSlug: string): FileHeaders {
  const made = known.get(file) ?? {
    cache: cacheHeaders(file, projectSlug),
    content: ['Accept-Ranges', 'bytes', 'Content-Disposition', disposition(file)],
  };
  known.set(file, made);
  return made;
}

const secured = new WeakMap<HeaderList, HeaderList>();

/** Nothing in a file runs, loads or navigates, whatever a browser takes it for. */
export function fileSecurity(shared: HeaderList): HeaderList {
  const made = secured.get(shared);
  if (made !== undefined) return made;
  const headers = [...shared];
  headers[headers.indexOf('Content-Security-Policy') + 1] = "sandbox; default-src 'none'";
  secured.set(shared, headers);
  return headers;
}

/** The client has the other headers of the file. */
export const NOT_MODIFIED_SHARED: HeaderList = ['Access-Control-Allow-Origin', '*'];

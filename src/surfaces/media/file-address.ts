import { isUuid } from '../../infrastructure/ids.js';

const PATH = /^\/media\/([a-z0-9-]{1,200})\/([0-9a-f-]{36})\/([0-9a-f]{12})\/([^/]{1,1800})$/;

/** What the URL of a file says. */
export interface FileAddress {
  readonly projectSlug: string;
  readonly assetId: string;
  /** Start of the checksum. */
  readonly hash: string;
  readonly fileName: string;
  /** The query, without `?`. */
  readonly search: string;
}

/** Undefined if it cannot be the URL of a file. */
export function addressIn(url: string): FileAddress | undefined {
  const at = url.indexOf('?');
  const [, projectSlug = '', assetId = '', hash = '', name = ''] =
    PATH.exec(at < 0 ? url : url.slice(0, at)) ?? [];
  if (!isUuid(assetId)) return undefined;
  try {
    const fileName = decodeURIComponent(name);
    return { projectSlug, assetId, hash, fileName, search: at < 0 ? '' : url.slice(at + 1) };
  } catch {
    return undefined;
  }
}

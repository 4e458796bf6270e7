import { isUuid } from '../../infrastructure/ids.js';
import { LRUCache } from 'lru-cache';
import type { Catalog } from '../../content/catalog.js';
import { peekFileReader, type Services } from '../../procedures/index.js';
import type { ServedFile } from '../../features/media/media/index.js';
import { prepareHead, sendPrepared, type PreparedHead } from '../http/cache/prepared-head.js';
import { isNotModified } from '../http/entity.js';
import type { Exchange } from '../http/exchange.js';
import { contentType, entityTag, fileHeaders, fileSecurity, NOT_MODIFIED_SHARED } from './file-answer.js';

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

const MAXIMUM_ADDRESSES = 10_000;

/** A file in memory, with heads that are serialised once. */
interface Hit {
  readonly file: ServedFile;
  readonly dataRegion: string | null;
  readonly notModified: PreparedHead;
  readonly whole: PreparedHead;
}

function hitOf(file: ServedFile, exchange: Exchange, { data: { project, tenant } }: Catalog): Hit {
  const { dataRegion } = tenant;
  exchange.setDataRegion(dataRegion);
  const shared = exchange.sharedHeaders;
  const { cache, content } = fileHeaders(file, project.slug);
  const body = ['Content-Type', contentType(file), 'Content-Length', String(file.size ?? 0)];
  return {
    file,
    dataRegion,
    notModified: prepareHead(304, [...NOT_MODIFIED_SHARED, ...cache]),
    whole: prepareHead(200, [...fileSecurity(shared), ...cache, ...content, ...body]),
  };
}

/**
 * Serves public originals from memory, before the pipeline. Whether the project is readable, and the file current, is
 * looked up for every request, in memory.
 */
export class FileHits {
  readonly #addresses = new LRUCache<string, FileAddress>({ max: MAXIMUM_ADDRESSES });
  readonly #hits = new WeakMap<ServedFile, Hit>();

  constructor(private readonly services: Services) {}

  /** False, having written nothing, if the pipeline must answer. */
  serve(exchange: Exchange, url: string): boolean {
    const { headers, method } = exchange.request;
    const hit = headers.range === undefined ? this.#find(exchange, url) : undefined;
    if (hit === undefined) return false;
    const { response, requestId } = exchange;
    if (isNotModified(headers['if-none-match'], entityTag(hit.file))) {
      sendPrepared(response, { head: hit.notModified, requestId }, undefined);
      return true;
    }
    const bytes = hit.file.peek();
    if (bytes === undefined) return false;
    sendPrepared(response, { head: hit.whole, requestId }, method === 'HEAD' ? undefined : bytes);
    return true;
  }

  #find(exchange: Exchange, url: string): Hit | undefined {
    const address = this.#addresses.get(url) ?? this.#read(url);
    if (address === undefined) return undefined;
    const catalog = peekFileReader(this.services, address.projectSlug, exchange.ip);
    if (catalog === undefined) return undefined;
    const file = this.services.media.files.peek(address);
    if (file === undefined) return undefined;
    const known = this.#hits.get(file);
    if (known?.dataRegion === catalog.data.tenant.dataRegion) return known;
    const made = hitOf(file, exchange, catalog);
    this.#hits.set(file, made);
    return made;
  }

  #read(url: string): FileAddress | undefined {
    const address = addressIn(url);
    if (address?.search !== '') return undefined;
    this.#addresses.set(url, address);
    return address;
  }
}

import { createHash } from 'node:crypto';

/** Replaces a string in a tag: fixed length, no spaces. Collisions are purged together. */
const hashed = (text: string): string => createHash('md5').update(text).digest('hex').slice(0, 16);
const hashedSql = (column: string): string => `left(md5(${column}), 16)`;

/** Dependencies of cached values. {@link purgeTagSql} must produce the same strings. */
export const purgeTags = {
  entry: (id: string) => `e:${id}`,
  list: (contentTypeId: string) => `l:${contentTypeId}`,
  siteList: (contentTypeId: string, siteId: string) => `l:${contentTypeId}:${siteId}`,
  slug: (siteId: string, slug: string) => `s:${siteId}:${hashed(slug)}`,
  path: (siteId: string, path: string) => `p:${siteId}:${hashed(path)}`,
  paths: (siteId: string) => `P:${siteId}`,
  redirects: (siteId: string) => `r:${siteId}`,
  sitemap: (siteId: string) => `m:${siteId}`,
  entryPath: (entryId: string) => `n:${entryId}`,
  tree: (siteId: string) => `t:${siteId}`,
  environment: (id: string) => `c:${id}`,
  apiKey: (id: string) => `k:${id}`,
  media: (id: string) => `a:${id}`,
  search: (siteId: string) => `q:${siteId}`,
};

export const purgeTagSql: typeof purgeTags = {
  entry: (id) => `'e:' || ${id}`,
  list: (contentTypeId) => `'l:' || ${contentTypeId}`,
  siteList: (contentTypeId, siteId) => `'l:' || ${contentTypeId} || ':' || ${siteId}`,
  slug: (siteId, slug) => `'s:' || ${siteId} || ':' || ${hashedSql(slug)}`,
  path: (siteId, path) => `'p:' || ${siteId} || ':' || ${hashedSql(path)}`,
  paths: (siteId) => `'P:' || ${siteId}`,
  redirects: (siteId) => `'r:' || ${siteId}`,
  sitemap: (siteId) => `'m:' || ${siteId}`,
  entryPath: (entryId) => `'n:' || ${entryId}`,
  tree: (siteId) => `'t:' || ${siteId}`,
  environment: (id) => `'c:' || ${id}`,
  apiKey: (id) => `'k:' || ${id}`,
  media: (id) => `'a:' || ${id}`,
  search: (siteId) => `'q:' || ${siteId}`,
};

const WRITE_MARK = 'w:';

/** First word of a notification; identifies the write. No tag starts like it. */
export const writeMark = (process: string, count: number): string =>
  `${WRITE_MARK}${process}.${count.toString(36)}`;
export const isWriteMark = (word: string): boolean => word.startsWith(WRITE_MARK);

/** The last 48 bits of an id, which are random. What shares them is purged as well. */
const shortened = (id: string): string => Buffer.from(id.slice(-12), 'hex').toString('base64url');

/** Keys of `Surrogate-Key` and of webhook events (specification section 8). */
export const surrogateKeys = {
  entry: (id: string) => `entry:${id}`,
  media: (id: string) => `media:${id}`,
  shortEntry: (id: string) => `e:${shortened(id)}`,
  shortMedia: (id: string) => `m:${shortened(id)}`,
  type: (apiName: string) => `type:${apiName}`,
  site: (slug: string) => `site:${slug}`,
  project: (slug: string) => `project:${slug}`,
};

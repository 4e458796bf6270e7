import { hash } from 'node:crypto';
import fresh from 'fresh';
import { JSON_MEDIA_TYPE, type WholeBody } from './answer.js';

export interface PlainEntity {
  readonly mediaType: string;
  /** Up to {@link SMALL_BODY} bytes as latin1, which node sends in one write with the head. */
  readonly bytes: Buffer | string;
}

export interface TaggedEntity extends PlainEntity {
  readonly tag: string;
}

const SMALL_BODY = 16 * 1024;

export const encodeBytes = (bytes: Buffer): Buffer | string =>
  bytes.length <= SMALL_BODY ? bytes.toString('latin1') : bytes;

function encodeText(text: string): Buffer | string {
  const isAscii = text.length <= SMALL_BODY && Buffer.byteLength(text, 'utf8') === text.length;
  return isAscii ? text : encodeBytes(Buffer.from(text, 'utf8'));
}

/** Strings are hashed as UTF-8. */
export const entityTag = (body: string | Buffer): string => `"${hash('sha1', body, 'base64url')}"`;

const contentOf = (body: WholeBody): string | Buffer => {
  if ('json' in body) return JSON.stringify(body.json);
  return 'text' in body ? body.text : body.bytes;
};

const identityOf = (body: WholeBody): string | undefined => ('text' in body ? body.identity : undefined);

const encode = (content: string | Buffer): Buffer | string =>
  typeof content === 'string' ? encodeText(content) : content;

const mediaTypeOf = (body: WholeBody): string => ('json' in body ? JSON_MEDIA_TYPE : body.mediaType);

export function taggedEntity(body: WholeBody): TaggedEntity {
  const content = contentOf(body);
  return {
    mediaType: mediaTypeOf(body),
    bytes: encode(content),
    tag: entityTag(identityOf(body) ?? content),
  };
}

export const plainEntity = (body: WholeBody): PlainEntity => ({
  mediaType: mediaTypeOf(body),
  bytes: encode(contentOf(body)),
});

const ENCODING_SUFFIX = /-(?:br|gzip)"/g;

/** Weak comparison (RFC 9110 §13.1.2); the tag of any encoding matches. */
export function isNotModified(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === tag) return true;
  return fresh({ 'if-none-match': ifNoneMatch.replace(ENCODING_SUFFIX, '"') }, { etag: tag });
}

import { invalidInput, issuesOf } from '../../../../../contracts/errors.js';
import { MediaTransform } from '../../../../../contracts/media/media/media-file.js';
import type { MediaSignatures } from '../../../../access/media-signature.js';

/** Written as image components write them. */
export function transformQuery({ fp, rect, ...plain }: MediaTransform): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(plain)) if (value !== undefined) query.set(name, String(value));
  if (fp !== undefined) query.set('fp', `${String(fp.x)},${String(fp.y)}`);
  if (rect !== undefined) query.set('rect', [rect.x, rect.y, rect.w, rect.h].join(','));
  return query;
}

const NUMBER = /^\d{1,6}(?:\.\d{1,6})?$/;

const numberOf = (text: string): unknown => (NUMBER.test(text) ? Number(text) : text);

function numbersOf(text: string, names: readonly string[]): unknown {
  const parts = text.split(',');
  if (parts.length !== names.length) return text;
  return Object.fromEntries(names.map((name, index) => [name, numberOf(parts[index] ?? '')]));
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  w: numberOf,
  h: numberOf,
  q: numberOf,
  dpr: numberOf,
  // The stored focal point is the default.
  fp: (text) => (text === 'auto' ? undefined : numbersOf(text, ['x', 'y'])),
  rect: (text) => numbersOf(text, ['x', 'y', 'w', 'h']),
};

/** Names of the signature; `key` is the key that made the URL. */
const SIGNING = ['exp', 'key', 'sig'];

/** @throws AppError 422 `validation_failed` for unknown, repeated or invalid parameters */
export function readTransform(query: URLSearchParams): MediaTransform {
  const values: Record<string, unknown> = {};
  for (const [name, text] of query) {
    if (SIGNING.includes(name)) continue;
    if (name in values)
      throw invalidInput({ path: [name], code: 'repeated', message: 'Send the parameter once.' });
    values[name] = (readers[name] ?? String)(text);
  }
  const parsed = MediaTransform.safeParse(values);
  if (!parsed.success) throw invalidInput(...issuesOf(parsed.error));
  return parsed.data;
}

/** What the URL of a file is made of. */
export interface AddressedFile {
  readonly projectSlug: string;
  readonly id: string;
  readonly checksum: string;
  readonly fileName: string;
}

interface Signing {
  readonly expiresAt: Date;
  /** The key that makes the URL, which must be active when it is used (rule access/key-expiry). */
  readonly keyId?: string | null | undefined;
}

export const HASH_LENGTH = 12;

/** The hash in the path makes responses immutable. */
export const mediaPath = ({ projectSlug, id, checksum, fileName }: AddressedFile): string =>
  `/media/${projectSlug}/${id}/${checksum.slice(0, HASH_LENGTH)}/${encodeURIComponent(fileName)}`;

/** Builds the public URLs of files. */
export class MediaUrls {
  /** @param baseUrl without a final slash; empty: URLs are relative to the host */
  constructor(
    private readonly baseUrl: string,
    readonly signatures: MediaSignatures,
  ) {}

  /** What the URLs of a project's files start with, from here and from pages of this host. */
  prefixesOf(projectSlug: string): string[] {
    const path = `/media/${projectSlug}/`;
    return [...new Set([this.baseUrl + path, path])];
  }

  /** For public files; a transform that needs a signature is refused without one. */
  of(file: AddressedFile, transform: MediaTransform = {}): string {
    return this.#join(mediaPath(file), transformQuery(transform));
  }

  /** For private files, and any transform. */
  signed(
    file: AddressedFile,
    { transform = {}, ...signing }: Signing & { readonly transform?: MediaTransform | undefined },
  ): string {
    return this.#signed(mediaPath(file), transformQuery(transform), signing);
  }

  /** Of an archive that a job wrote. */
  signedExport(path: string, signing: Signing): string {
    return this.#signed(path, new URLSearchParams(), signing);
  }

  #signed(path: string, query: URLSearchParams, { expiresAt, keyId }: Signing): string {
    query.set('exp', String(Math.floor(expiresAt.getTime() / 1000)));
    if (typeof keyId === 'string') query.set('key', keyId);
    this.signatures.sign(path, query);
    return this.#join(path, query);
  }

  #join(path: string, query: URLSearchParams): string {
    return `${this.baseUrl}${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
  }
}

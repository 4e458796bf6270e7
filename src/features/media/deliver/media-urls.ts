import type { MediaTransform } from '../../../../contracts/resources/media-transform.js';
import type { MediaSignatures } from '../../../access/media-signature.js';
import { transformQuery } from './transform-query.js';

/** What the URL of a file is made of. */
export interface AddressedFile {
  readonly projectSlug: string;
  readonly id: string;
  readonly checksum: string;
  readonly fileName: string;
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

  /** For public files; a transform that needs a signature is refused without one. */
  of(file: AddressedFile, transform: MediaTransform = {}): string {
    return this.#join(mediaPath(file), transformQuery(transform));
  }

  /** For private files, and any transform. */
  signed(
    file: AddressedFile,
    {
      expiresAt,
      transform = {},
    }: { readonly expiresAt: Date; readonly transform?: MediaTransform | undefined },
  ): string {
    const path = mediaPath(file);
    const query = transformQuery(transform);
    query.set('exp', String(Math.floor(expiresAt.getTime() / 1000)));
    this.signatures.sign(path, query);
    return this.#join(path, query);
  }

  /** Of an archive that a job wrote. */
  signedExport(path: string, expiresAt: Date): string {
    const query = new URLSearchParams({ exp: String(Math.floor(expiresAt.getTime() / 1000)) });
    this.signatures.sign(path, query);
    return this.#join(path, query);
  }

  #join(path: string, query: URLSearchParams): string {
    return `${this.baseUrl}${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
  }
}

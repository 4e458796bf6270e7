import { createHash } from 'node:crypto';
import { AppError } from '../../../../../contracts/errors.js';
import { purgeTags } from '../../../../infrastructure/cache-tags.js';
import type { Coherence } from '../../../../infrastructure/coherence.js';
import { TaggedCache } from '../../../../infrastructure/tagged-cache.js';
import { recipeKey, typeOfFormat } from '../../../../infrastructure/images/render-image.js';
import { renditionKey, type ByteRange } from '../../../../infrastructure/storage/media-storage.js';
import { fileRefusal } from '../shared/file-refusal.js';
import type { MediaFile, MediaFileReader } from './media-file.repository.js';
import { HASH_LENGTH, mediaPath, readTransform, type MediaUrls } from './media-urls.js';
import { needsSignature, planRendition, type RenditionPlan } from './rendition-plan.js';
import type { Renditions, FileBytes, SmallObjects } from './renditions.js';

const KNOWN_FILES_BYTES = 8 * 1024 * 1024;
const KNOWN_FILE_BYTES = 1000;

interface Found {
  readonly files: readonly MediaFile[];
}

/** Files in memory, until their asset changes. */
export class KnownFiles {
  readonly #known: TaggedCache<Found>;

  constructor(
    private readonly reader: MediaFileReader,
    private readonly coherence: Coherence,
  ) {
    this.#known = new TaggedCache(coherence, KNOWN_FILES_BYTES);
  }

  /** Undefined unless in memory. */
  peek(projectSlug: string, id: string): readonly MediaFile[] | undefined {
    return this.coherence.isFresh ? this.#known.get(`${projectSlug}/${id}`)?.files : undefined;
  }

  async find(projectSlug: string, id: string): Promise<readonly MediaFile[]> {
    const fill = this.coherence.begin();
    try {
      const files = await this.reader.find(projectSlug, id);
      if (fill !== undefined && files.length > 0) {
        const tags = [
          purgeTags.media(id),
          ...files.map(({ environmentId }) => purgeTags.environment(environmentId)),
        ];
        this.#known.store(
          `${projectSlug}/${id}`,
          { files },
          { fill, tags, bytes: KNOWN_FILE_BYTES * files.length },
        );
      }
      return files;
    } finally {
      if (fill !== undefined) this.coherence.end();
    }
  }
}

interface FileTarget {
  readonly projectSlug: string;
  readonly assetId: string;
  /** Start of the checksum. */
  readonly hash: string;
  readonly fileName: string;
}

interface FileRequest extends FileTarget {
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
  readonly now: Date;
}

/** How long and by whom a response may be cached. */
type Caching = 'immutable' | 'revalidated' | { readonly privateSeconds: number };

/** A file or rendition, before any of its bytes is read. */
export interface ServedFile {
  readonly assetId: string;
  readonly fileName: string;
  readonly mimeType: string;
  /** Without quotes. */
  readonly tag: string;
  readonly caching: Caching;
  readonly variesByAccept: boolean;
  /** In bytes; undefined until it is read. */
  readonly size: number | undefined;
  /** Undefined if it does not exist. @throws AppError 503, 507 */
  read(): Promise<{ readonly bytes: FileBytes; readonly size: number } | undefined>;
  /** Bytes in memory. */
  peek(): Buffer | undefined;
  /** Undefined if it does not exist. @throws AppError 503, 507 */
  readPart(range: ByteRange): Promise<FileBytes | undefined>;
}

export type FileOutcome = { readonly file: ServedFile } | { readonly redirect: string };

interface ServingParts {
  readonly files: KnownFiles;
  readonly objects: SmallObjects;
  readonly renditions: Renditions;
  readonly urls: MediaUrls;
}

type Content = Omit<ServedFile, 'assetId' | 'caching' | 'variesByAccept'>;

const refuseFailures = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw fileRefusal(error);
  });

/**
 * The file of a URL, of the default environment if it has it. A branch may have it by another name; who may read it is
 * for the default environment to say.
 */
function namedFile(
  files: readonly MediaFile[],
  { hash, fileName }: Pick<FileTarget, 'hash' | 'fileName'>,
): MediaFile | undefined {
  const first = files.find(({ checksum }) => checksum.startsWith(hash));
  if (first === undefined || first.fileName === fileName) return first;
  const { isPrivate } = first;
  const renamed = files.find(
    (file) => file.fileName === fileName && file.isPrivate === isPrivate && file.checksum.startsWith(hash),
  );
  return renamed ?? first;
}

/** Serves files and renditions by URL. */
export class FileServer {
  /** Public originals, as long as their files are in memory. */
  readonly #originals = new WeakMap<MediaFile, ServedFile>();

  constructor(private readonly parts: ServingParts) {}

  /**
   * @throws AppError 403 `invalid_signature`, 404 `media_not_found`, 422 `validation_failed`
   */
  serve(request: FileRequest): FileOutcome | Promise<FileOutcome> {
    const { projectSlug, assetId } = request;
    const known = this.parts.files.peek(projectSlug, assetId);
    if (known !== undefined) return this.#choose(request, known);
    return this.parts.files.find(projectSlug, assetId).then((files) => this.#choose(request, files));
  }

  /** A public original that was served before, if nothing has changed since; undefined unless in memory. */
  peek({ projectSlug, assetId, hash, fileName }: FileTarget): ServedFile | undefined {
    const files = this.parts.files.peek(projectSlug, assetId);
    const file = files && namedFile(files, { hash, fileName });
    return file?.fileName === fileName ? this.#originals.get(file) : undefined;
  }

  #choose(request: FileRequest, files: readonly MediaFile[]): FileOutcome {
    const named = namedFile(files, request);
    const file = named ?? files[0];
    if (file === undefined) throw new AppError('media_not_found');
    const isSigned = this.#isSigned(request, file);
    if (named === undefined || file.fileName !== request.fileName)
      return { redirect: this.#currentUrl(request, file, isSigned) };
    if (isSigned || request.query.size > 0) return { file: this.#served(request, file, isSigned) };
    const known = this.#originals.get(file) ?? this.#served(request, file, isSigned);
    this.#originals.set(file, known);
    return { file: known };
  }

  /** @throws AppError 403 `invalid_signature` */
  #isSigned({ query, now, ...request }: FileRequest, { isPrivate }: MediaFile): boolean {
    if (!isPrivate && !['sig', 'exp', 'key'].some((name) => query.has(name))) return false;
    const { projectSlug, assetId: id, hash: checksum, fileName } = request;
    const path = mediaPath({ projectSlug, id, checksum, fileName });
    if (!this.parts.urls.signatures.isValid(path, query, now)) throw new AppError('invalid_signature');
    return true;
  }

  /** With the same parameters; a signature is renewed. */
  #currentUrl({ query }: FileRequest, file: MediaFile, isSigned: boolean): string {
    const { urls } = this.parts;
    const transform = readTransform(query);
    if (!isSigned) return urls.of(file, transform);
    const expiresAt = new Date(Number(query.get('exp')) * 1000);
    return urls.signed(file, { expiresAt, keyId: query.get('key'), transform });
  }

  #served(request: FileRequest, file: MediaFile, isSigned: boolean): ServedFile {
    const { query } = request;
    const plan = query.size === 0 ? undefined : this.#plan(request, file, isSigned);
    const content = plan === undefined ? this.#original(file) : this.#rendition(file, plan);
    return {
      ...content,
      assetId: file.id,
      caching: cachingOf(request, file, plan),
      variesByAccept: query.has('auto') && !query.has('fm'),
    };
  }

  #plan({ query, accept }: FileRequest, file: MediaFile, isSigned: boolean): RenditionPlan | undefined {
    const transform = readTransform(query);
    if (!isSigned && needsSignature(transform)) throw new AppError('invalid_signature');
    if (Object.keys(transform).length === 0) return undefined;
    return planRendition(file, { transform, isSigned, accept });
  }

  #original({ storageKey, mimeType, fileName, checksum, size }: MediaFile): Content {
    const { objects } = this.parts;
    return {
      ...this.#stored(storageKey),
      fileName,
      mimeType,
      size,
      tag: checksum,
      read: () => refuseFailures(objects.whole(storageKey)),
    };
  }

  #rendition(file: MediaFile, { recipe }: RenditionPlan): Content {
    const name = recipeKey(recipe);
    const recipeTag = createHash('sha256').update(name).digest('base64url').slice(0, 16);
    return {
      ...this.#stored(renditionKey(file.checksum, name)),
      fileName: `${file.fileName.replace(/\.[^.]*$/, '')}.${recipe.format}`,
      mimeType: typeOfFormat[recipe.format],
      size: undefined,
      tag: `${file.checksum.slice(0, HASH_LENGTH)}.${recipeTag}`,
      read: () => refuseFailures(this.parts.renditions.get(file, recipe)),
    };
  }

  #stored(key: string): Pick<ServedFile, 'peek' | 'readPart'> {
    const { objects } = this.parts;
    return { peek: () => objects.peek(key), readPart: (range) => refuseFailures(objects.part(key, range)) };
  }
}

/** A crop around the stored focal point changes with it. */
function cachingOf(
  { query, now }: FileRequest,
  { isPrivate }: MediaFile,
  plan: RenditionPlan | undefined,
): Caching {
  if (isPrivate) return { privateSeconds: Math.floor(Number(query.get('exp')) - now.getTime() / 1000) };
  return plan?.followsFocalPoint === true ? 'revalidated' : 'immutable';
}

import { purgeTags } from '../../../../infrastructure/cache-tags.js';
import type { Coherence } from '../../../../infrastructure/coherence.js';
import { TaggedCache } from '../../../../infrastructure/tagged-cache.js';
import type { MediaFile, MediaFileReader } from './media-file.repository.js';

const MAXIMUM_BYTES = 8 * 1024 * 1024;
const FILE_BYTES = 1000;

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
    this.#known = new TaggedCache(coherence, MAXIMUM_BYTES);
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
          { fill, tags, bytes: FILE_BYTES * files.length },
        );
      }
      return files;
    } finally {
      if (fill !== undefined) this.coherence.end();
    }
  }
}

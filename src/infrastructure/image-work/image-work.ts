import { sanitizeSvg, type SanitizedDrawing } from '../files/svg/sanitize-svg.js';
import { inspectImage, readImageHeader, type ImageFacts, type ImageHeader } from '../images/inspect-image.js';
import { renderImage, type ImageRecipe } from '../images/render-image.js';
import type { WorkQueue } from '../images/work-queue.js';

/** Work on one picture, which never runs in the thread that serves requests. */
export interface ImageWork {
  /** @throws DamagedFile */
  render(file: string, recipe: ImageRecipe): Promise<Buffer>;
  /** @throws DamagedFile */
  readHeader(file: string): Promise<ImageHeader>;
  /** @throws DamagedFile */
  inspect(file: string): Promise<ImageFacts>;
  /** @throws DamagedFile, ComplexFile */
  sanitize(file: string): Promise<SanitizedDrawing>;
}

export const imageWork: ImageWork = {
  render: renderImage,
  readHeader: readImageHeader,
  inspect: inspectImage,
  sanitize: sanitizeSvg,
};

export interface Lane {
  readonly images: ImageWork;
  readonly queue: WorkQueue;
}

/**
 * Drawings have a queue and a process of their own: a small one can take any amount of work, and only the end of its
 * process stops it.
 */
export class ImageLanes {
  constructor(
    private readonly pictures: Lane,
    private readonly drawings: Lane,
  ) {}

  of(mimeType: string): Lane {
    return mimeType === 'image/svg+xml' ? this.drawings : this.pictures;
  }
}

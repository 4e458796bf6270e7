import type { ImageWork } from './image-work.js';
import type { WorkQueue } from '../images/work-queue.js';

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

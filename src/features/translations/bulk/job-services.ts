import type { MediaStorage } from '../../../infrastructure/storage/media-storage.js';
import type { RichTextConverter } from '../../entries/index.js';
import type { AsRequester } from './requester.js';

/** The process is stopping; another one continues the job. */
export class Stopping extends Error {}

export interface JobServices {
  readonly storage: MediaStorage;
  readonly markup: RichTextConverter;
  readonly asRequester: AsRequester;
  isStopping(): boolean;
}

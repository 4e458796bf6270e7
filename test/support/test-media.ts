import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MediaOptions } from '../../src/process/parts/media.js';

/** Files of one service; the directory appears with the first file. */
export const testMedia = (): MediaOptions => ({
  directory: path.join(tmpdir(), `headwater-media-${randomUUID()}`),
  secrets: [Buffer.from('a secret of file URLs in tests, of more than 32 bytes')],
});

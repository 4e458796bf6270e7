import { describe, expect, it } from '@jest/globals';
import type { MediaFile } from '../../../src/features/media/media/deliver/media-file.repository.js';
import { planRendition } from '../../../src/features/media/media/deliver/rendition-plan.js';
import { verifies } from '../../support/verifies.js';

const file: MediaFile = {
  projectSlug: 'demo',
  id: 'a',
  environmentId: 'e',
  checksum: 'c',
  storageKey: 't/k',
  fileName: 'a.gif',
  mimeType: 'image/gif',
  size: 1,
  width: 400,
  height: 400,
  hasAlpha: false,
  frames: 300,
  isPrivate: false,
  focalPoint: { x: 0.5, y: 0.5 },
};

const isAnimated = (changes: Partial<MediaFile>, transform: object = { w: 128 }): boolean =>
  planRendition({ ...file, ...changes }, { transform, isSigned: true, accept: 'image/avif,image/webp' })
    ?.recipe.isAnimated === true;

describe('Renditions of animations', () => {
  verifies('media/renditions');

  it.each([
    [true, {}, { w: 128 }],
    [true, {}, { w: 128, fm: 'webp' }],
    [true, {}, { w: 128, auto: 'format' }],
    [false, {}, { w: 128, fm: 'avif' }],
    [false, {}, { w: 128, fm: 'png' }],
    [false, { frames: 1 }, { w: 128 }],
    [false, { frames: 301 }, { w: 128 }],
    [false, { width: 500, height: 500 }, { w: 128 }],
    [false, {}, { w: 200 }],
    [false, { mimeType: 'image/avif' }, { w: 128, fm: 'webp' }],
  ] as const)('are animated: %s, with %j and %j', (expected, changes, transform) => {
    expect(isAnimated(changes, transform)).toBe(expected);
  });
});

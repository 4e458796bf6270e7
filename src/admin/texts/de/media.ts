import type { Translated } from '../en/index.js';
import type { media as english } from '../en/media.js';

export const media: Translated<typeof english> = {
  'area.media': 'Medien',
};

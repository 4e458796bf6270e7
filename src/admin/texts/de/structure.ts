import type { Translated } from '../en/index.js';
import type { structure as english } from '../en/structure.js';

export const structure: Translated<typeof english> = {
  'area.structure': 'Struktur',
};

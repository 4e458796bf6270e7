import type { Translated } from '../en/index.js';
import type { administration as english } from '../en/administration.js';

export const administration: Translated<typeof english> = {
  'area.administration': 'Verwaltung',
};

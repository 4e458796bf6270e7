import type { Translated } from '../en/index.js';
import type { planning as english } from '../en/planning.js';

export const planning: Translated<typeof english> = {
  'area.planning': 'Planung',
};

import type { Translated } from '../en/index.js';
import type { insight as english } from '../en/insight.js';

export const insight: Translated<typeof english> = {
  'area.insight': 'Auswertung',
};

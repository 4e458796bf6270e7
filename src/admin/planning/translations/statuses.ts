import { t } from '../../texts/index.js';

/** The columns of the board, in the order of the work. */
export const translationStatuses = ['missing', 'stale', 'in_progress', 'needs_review', 'complete'] as const;
export type TranslationStatus = (typeof translationStatuses)[number];

export const priorities = ['high', 'normal', 'low'] as const;

/** Of a status as the service names it. */
export function translationText(status: string): string {
  const known = translationStatuses.find((one) => one === status);
  return known === undefined ? status : t(`translation.${known}`);
}

/** What is not written cannot be set. */
type SettableStatus = Exclude<TranslationStatus, 'missing'>;
export const settableStatuses = translationStatuses.filter(
  (status): status is SettableStatus => status !== 'missing',
);

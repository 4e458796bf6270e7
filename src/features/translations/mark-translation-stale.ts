import { AppError } from '../../../contracts/errors.js';
import type { translations } from '../../../contracts/management/translations.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { TranslationLocale } from '../../../contracts/resources/translation.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { applyChange } from './apply-change.js';
import { lockTranslation } from './lock-translation.js';

export async function markTranslationStale(
  work: UnitOfWork,
  { entryId, locale, reason }: InputOf<typeof translations.markStale>,
): Promise<{ data: TranslationLocale }> {
  const target = await lockTranslation(work, entryId, locale);
  if (target.before.status === 'missing') throw new AppError('translation_missing');
  const change = { status: 'stale', staleReason: reason ?? null } as const;
  return { data: await applyChange(work, target, { action: 'translation.mark_stale', change }) };
}

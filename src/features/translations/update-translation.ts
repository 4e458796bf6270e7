import { AppError } from '../../../contracts/errors.js';
import type { translations } from '../../../contracts/management/translations.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import type { TranslationLocale } from '../../../contracts/resources/translation.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { definedKeys, hasChanges } from '../shared/index.js';
import { MemberRepository } from '../users/index.js';
import { applyChange } from './apply-change.js';
import { lockTranslation } from './lock-translation.js';
import { presentTranslation } from './translation.presenter.js';
import type { TranslationChange } from './translation.repository.js';

/** @throws AppError 404 `user_not_found` */
async function assertMember(work: UnitOfWork, assigneeId: string): Promise<void> {
  if (await work.use(MemberRepository).isActive(assigneeId)) return;
  throw new AppError('user_not_found', { path: ['assigneeId'] });
}

/** Equal values change nothing, but `complete` accepts the source again. */
export async function updateTranslation(
  work: UnitOfWork,
  { projectSlug: _project, entryId, locale, ...input }: InputOf<typeof translations.update>,
): Promise<{ data: TranslationLocale }> {
  const { dueAt, assigneeId, ...rest } = definedKeys(input);
  const target = await lockTranslation(work, entryId, locale);
  const change: TranslationChange = {
    ...rest,
    ...(dueAt !== undefined && { dueAt: dueAt === null ? null : new Date(dueAt) }),
    ...(assigneeId !== undefined && { assigneeId: assigneeId?.toLowerCase() ?? null }),
    ...(rest.status !== undefined && { staleReason: null }),
  };
  const { before } = target;
  if (change.status !== undefined && before.status === 'missing') throw new AppError('translation_missing');
  if (typeof change.assigneeId === 'string' && change.assigneeId !== before.assigneeId)
    await assertMember(work, change.assigneeId);
  const { staleReason: _reason, dueAt: due, ...compared } = change;
  const shown = presentTranslation(before);
  const isChanged =
    hasChanges(shown, { ...compared, ...(due !== undefined && { dueAt: due?.toISOString() ?? null }) }) ||
    (change.status === 'complete' && before.outdatedFields.length > 0);
  if (!isChanged) return { data: shown };
  return { data: await applyChange(work, target, { action: 'translation.update', change }) };
}

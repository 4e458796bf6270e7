import { AppError } from '../../../../contracts/errors.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { isRestricting } from '../access/entry.policy.js';
import { LinkRepository, type RestrictingField, type LiveReferrer } from '../link.repository.js';
import type { Withdrawal } from './publication.repository.js';

interface WithdrawalCheck {
  /** 409 `entry_in_use` by entry id. */
  readonly refusals: ReadonlyMap<string, AppError>;
  /** By entry id. */
  readonly referrerCounts: ReadonlyMap<string, number>;
}

/** Fields that keep their targets published. */
const restrictingFields = (catalog: Catalog): RestrictingField[] =>
  catalog.data.contentTypes.flatMap((type) =>
    type.fields.filter(isRestricting).map(({ apiName }) => ({ contentTypeId: type.id, apiName })),
  );

/** Whether a published locale with the link remains. */
const staysLive = (
  { entryId, publishedLocales }: LiveReferrer,
  leaving: ReadonlyMap<string, Withdrawal>,
): boolean => publishedLocales.some((locale) => leaving.get(entryId)?.locales.includes(locale) !== true);

/**
 * Finds entries that must stay published because a document links to them through a restricting field. Referrers that
 * leave too do not count, unless they must stay themselves.
 */
export async function checkWithdrawals(
  work: UnitOfWork,
  catalog: Catalog,
  withdrawals: readonly Withdrawal[],
): Promise<WithdrawalCheck> {
  const repository = work.use(LinkRepository);
  const targetIds = withdrawals.map(({ entryId }) => entryId);
  const referrers = targetIds.length === 0 ? [] : await repository.referrersOf(targetIds);
  const links = await repository.liveReferrersOf(targetIds, restrictingFields(catalog));
  const leaving = new Map(withdrawals.map((withdrawal) => [withdrawal.entryId, withdrawal]));
  const refusals = new Map<string, AppError>();
  for (let found = links; found.length > 0;) {
    found = links.filter((link) => leaving.has(link.targetId) && staysLive(link, leaving));
    for (const [targetId, held] of Map.groupBy(found, (link) => link.targetId)) {
      const entryIds = [...new Set(held.map(({ entryId }) => entryId))].slice(0, 10);
      refusals.set(targetId, new AppError('entry_in_use', { entryIds }));
    }
    for (const { targetId } of found) leaving.delete(targetId);
  }
  const counts = [...Map.groupBy(referrers, ({ targetId }) => targetId)].map(
    ([targetId, rows]) => [targetId, new Set(rows.map(({ entryId }) => entryId)).size] as const,
  );
  return { refusals, referrerCounts: new Map(counts) };
}

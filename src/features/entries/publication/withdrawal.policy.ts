import { AppError } from '../../../../contracts/errors.js';
import type { Catalog } from '../../../content/catalog.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { isRestricting } from '../access/entry.policy.js';
import { LinkRepository, type RestrictingField, type LiveReferrer } from '../link.repository.js';
import type { Withdrawal } from './publication.repository.js';

/** What stands against taking entries offline, and who refers to them at all. */
interface WithdrawalCheck {
  /** 409 `entry_in_use` by the id of the entry that must stay. */
  readonly refusals: ReadonlyMap<string, AppError>;
  /** Number of entries that refer to one, by its id. */
  readonly referrerCounts: ReadonlyMap<string, number>;
}

/** Fields that forbid their targets to go offline. */
const restrictingFields = (catalog: Catalog): RestrictingField[] =>
  catalog.data.contentTypes.flatMap((type) =>
    type.fields.filter(isRestricting).map(({ apiName }) => ({ contentTypeId: type.id, apiName })),
  );

/** Whether the link stays live when the leaving locales are gone. */
const staysLive = (
  { entryId, publishedLocales }: LiveReferrer,
  leaving: ReadonlyMap<string, Withdrawal>,
): boolean => publishedLocales.some((locale) => leaving.get(entryId)?.locales.includes(locale) !== true);

/**
 * Which of these entries cannot go offline, because a live document refers to them by a field that
 * forbids it. Referrers that leave together with their target stand in nobody's way; one that must stay
 * holds its own targets, in turn.
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

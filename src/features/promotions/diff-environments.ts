import { listEnvelope, type PageMeta } from '../../../contracts/envelopes.js';
import type { promotions } from '../../../contracts/management/promotions.contract.js';
import type { InputOf } from '../../../contracts/procedure.js';
import {
  promotedKinds,
  type DifferenceCounts,
  type EnvironmentDifference,
} from '../../../contracts/resources/environment-difference.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { compareItems, namesOf } from './compare-items.js';
import { presentDifference } from './difference.presenter.js';
import { ItemRepository } from './item.repository.js';
import { PairRepository } from './pair.repository.js';
import { assertMayCompare, assertReadable } from './promotion.policy.js';

/** Compares what changed on either side since the environments were equal; keeps one page of the result. */
export async function diffEnvironments(
  work: UnitOfWork,
  { slug, target, kind, page, limit }: InputOf<typeof promotions.diff>,
): Promise<{ data: EnvironmentDifference[]; meta: PageMeta & { counts: DifferenceCounts } }> {
  assertMayCompare(work);
  const pair = await work.use(PairRepository).find(slug, target);
  assertReadable(work, pair.source);
  assertReadable(work, pair.target);
  const keys = await work.use(ItemRepository).changed(pair, kind ?? promotedKinds);
  const names = await namesOf(work, pair);
  const counts = { created: 0, updated: 0, deleted: 0, none: 0, conflicts: 0 };
  const items: EnvironmentDifference[] = [];
  const first = (page - 1) * limit;
  let total = 0;
  for await (const batch of compareItems(work, { pair, names, keys }))
    for (const item of batch) {
      const difference = presentDifference(item, names);
      counts[difference.change] += 1;
      if (difference.isConflict) counts.conflicts += 1;
      if (total >= first && items.length < limit) items.push(difference);
      total += 1;
    }
  const { data, meta } = listEnvelope({ items, total }, { page, limit });
  return { data, meta: { ...meta, counts } };
}

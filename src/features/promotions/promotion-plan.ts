import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { promotedKinds } from '../../../contracts/resources/environment-difference.js';
import type { PromotionConflict } from '../../../contracts/resources/promotion.js';
import { mergeParts, ROOT, type Difference, type Parts } from '../../content/three-way.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { changeOf, compareItems, namesOf, type ComparedItem, type PairNames } from './compare-items.js';
import { needsOf } from './item-needs.js';
import { keyText, type ItemKey } from './item-kinds.js';
import { ItemRepository } from './item.repository.js';
import { nameOf, presentValue } from './difference.presenter.js';
import type { EnvironmentPair } from './pair.repository.js';

interface Selected extends ItemKey {
  readonly locales?: readonly string[] | undefined;
}

export interface PlanOptions {
  /** Null: everything. */
  readonly items: readonly Selected[] | null;
  readonly includeDependencies: boolean;
  readonly conflictStrategy: 'fail' | 'source' | 'target';
}

/** An item with the parts that the target will have. */
export interface PlannedItem extends ComparedItem {
  readonly change: 'created' | 'updated' | 'deleted';
  readonly merged: Parts;
  /** Differences whose source value is taken. */
  readonly taken: readonly Difference[];
}

export interface PromotionPlan {
  readonly pair: EnvironmentPair;
  readonly names: PairNames;
  readonly items: readonly PlannedItem[];
  /** Items that were compared: later comparisons start from their present state. */
  readonly settled: readonly ItemKey[];
  readonly conflicts: readonly PromotionConflict[];
  /** Selected items of which nothing is taken. */
  readonly unchanged: number;
}

/** Shared values and the selected locales. */
const isSelected =
  ({ locales }: Pick<Selected, 'locales'>) =>
  ({ part }: Difference): boolean =>
    locales === undefined || part === ROOT || locales.includes(part);

async function compareAll(
  work: UnitOfWork,
  pair: EnvironmentPair,
  names: PairNames,
): Promise<Map<string, ComparedItem>> {
  const keys = await work.use(ItemRepository).changed(pair, promotedKinds);
  const found = new Map<string, ComparedItem>();
  for await (const batch of compareItems(work, { pair, names, keys }))
    for (const item of batch) found.set(keyText(item), item);
  return found;
}

/** @throws AppError 404 `not_found` for items that neither environment has */
async function assertKnown(
  work: UnitOfWork,
  pair: EnvironmentPair,
  items: readonly Selected[],
): Promise<void> {
  const repository = work.use(ItemRepository);
  const sides = [
    await repository.parts(pair.source.id, items),
    await repository.parts(pair.target.id, items),
  ];
  const missing = items.filter((item) => sides.every((side) => !side.has(keyText(item))));
  if (missing.length > 0)
    throw new AppError(
      'not_found',
      { items: missing.map(({ kind, id }) => ({ kind, id })) },
      'Items do not exist in either environment.',
    );
}

/** The selected items with all that they need and the target lacks. */
function withNeeds(selected: readonly Selected[], all: ReadonlyMap<string, ComparedItem>): Selected[] {
  const found = new Map(selected.map((item) => [keyText(item), item]));
  const queue = [...found.values()];
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    const compared = all.get(keyText(item));
    for (const need of compared === undefined ? [] : needsOf(compared, all)) {
      if (found.has(keyText(need))) continue;
      found.set(keyText(need), need);
      queue.push(need);
    }
  }
  return [...found.values()];
}

function planItem(
  item: ComparedItem,
  selected: Selected,
  preference: PlanOptions['conflictStrategy'],
): PlannedItem {
  const taken = item.differences
    .filter(isSelected(selected))
    .filter(({ changedIn }) => changedIn === 'source' || (changedIn === 'both' && preference === 'source'));
  return {
    ...item,
    taken,
    merged: mergeParts(item.sides, taken),
    change: changeOf({ ...item, differences: taken }),
  };
}

/** @throws AppError 422 `limit_reached`, 404 `not_found` */
export async function planPromotion(
  work: UnitOfWork,
  pair: EnvironmentPair,
  { items, includeDependencies, conflictStrategy }: PlanOptions,
): Promise<PromotionPlan> {
  const names = await namesOf(work, pair);
  const all = await compareAll(work, pair, names);
  if (items !== null) await assertKnown(work, pair, items);
  const wanted: readonly Selected[] = items ?? [...all.values()].map(({ kind, id }) => ({ kind, id }));
  const selected = includeDependencies && items !== null ? withNeeds(wanted, all) : wanted;
  if (selected.length > limits.promotedItems)
    throw new AppError('limit_reached', { limit: limits.promotedItems, items: selected.length });
  const compared = selected.flatMap((one) => {
    const item = all.get(keyText(one));
    return item === undefined ? [] : [{ one, item }];
  });
  const planned = compared.map(({ one, item }) => planItem(item, one, conflictStrategy));
  const conflicts = compared.flatMap(({ one, item }): PromotionConflict[] => {
    const both = item.differences.filter(isSelected(one)).filter(({ changedIn }) => changedIn === 'both');
    const values = both.map((difference) => presentValue(item.kind, difference, names));
    return values.length === 0 ? [] : [{ kind: item.kind, id: item.id, name: nameOf(item), values }];
  });
  const changed = planned.filter(({ taken }) => taken.length > 0);
  return {
    pair,
    names,
    items: changed,
    settled: compared
      .filter(({ one }) => one.locales === undefined)
      .map(({ item: { kind, id } }) => ({ kind, id })),
    conflicts,
    unchanged: selected.length - changed.length,
  };
}

import { AppError } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { promotedKinds } from '../../../contracts/resources/environment-difference.js';
import type { PromotionConflict } from '../../../contracts/resources/promotion.js';
import { mergeParts, ROOT, type Difference, type Parts } from '../../content/three-way.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import {
  changeOf,
  COMPARED_AT_ONCE,
  compareItems,
  namesOf,
  type ComparedItem,
  type PairNames,
} from './compare-items.js';
import {
  changeStatuses,
  noStatusChange,
  settledStatuses,
  type SettledStatus,
  type StatusChange,
} from './publication.js';
import { needsOf } from './item-needs.js';
import { keyText, type ItemKey } from './item-kinds.js';
import { ItemRepository } from './item.repository.js';
import { nameOf, presentValue } from './difference.presenter.js';
import type { EnvironmentPair } from './pair.repository.js';
import type { PromotionProgress } from './promotion-progress.js';

interface Selected extends ItemKey {
  readonly locales?: readonly string[] | undefined;
}

export interface PlanOptions {
  /** Null: everything. */
  readonly items: readonly Selected[] | null;
  readonly includeDependencies: boolean;
  readonly conflictStrategy: 'fail' | 'source' | 'target';
  /** Carries what is published, too. */
  readonly publish: boolean;
  /** Of a job. */
  readonly progress?: PromotionProgress | undefined;
}

/** An item with the parts that the target will have. */
export interface PlannedItem extends ComparedItem {
  readonly change: 'created' | 'updated' | 'deleted';
  readonly merged: Parts;
  /** Differences whose source value is taken. */
  readonly taken: readonly Difference[];
  /** Nothing unless what is published is carried, too. */
  readonly statusChange: StatusChange;
}

export interface PromotionPlan {
  readonly pair: EnvironmentPair;
  readonly names: PairNames;
  readonly items: readonly PlannedItem[];
  /** Items that were compared: later comparisons start from their present state. */
  readonly settled: readonly ItemKey[];
  readonly settledStatuses: readonly SettledStatus[];
  readonly conflicts: readonly PromotionConflict[];
  /** Selected items of which nothing is taken. */
  readonly unchanged: number;
}

const isChosen = ({ locales }: Pick<Selected, 'locales'>, locale: string): boolean =>
  locales === undefined || locales.includes(locale);

/** Shared values and the selected locales. */
const isSelected =
  (selected: Pick<Selected, 'locales'>) =>
  ({ part }: Difference): boolean =>
    part === ROOT || isChosen(selected, part);

const isChanged = ({ taken, statusChange }: PlannedItem): boolean =>
  taken.length + statusChange.published.length + statusChange.unpublished.length > 0;

async function compareAll(
  work: UnitOfWork,
  pair: EnvironmentPair,
  { names, progress }: { names: PairNames } & Pick<PlanOptions, 'progress'>,
): Promise<{ found: Map<string, ComparedItem>; agreed: ItemKey[] }> {
  const agreed: ItemKey[] = [];
  const keys = await work.use(ItemRepository).changed(pair, promotedKinds);
  const found = new Map<string, ComparedItem>();
  await progress?.start(keys.length);
  for await (const batch of compareItems(work, { pair, names, keys, agreed })) {
    for (const item of batch) found.set(keyText(item), item);
    await progress?.compared(COMPARED_AT_ONCE);
  }
  return { found, agreed };
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
    for (const need of compared === undefined || compared.differences.length === 0
      ? []
      : needsOf(compared, all)) {
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
  { conflictStrategy: preference, publish }: PlanOptions,
): PlannedItem {
  const taken = item.differences
    .filter(isSelected(selected))
    .filter(({ changedIn }) => changedIn === 'source' || (changedIn === 'both' && preference === 'source'));
  const change = changeOf({ ...item, differences: taken });
  const isCarried = publish && item.kind === 'entry' && change !== 'deleted';
  return {
    ...item,
    taken,
    statusChange: isCarried
      ? changeStatuses({ ...item, taken }, (locale) => isChosen(selected, locale))
      : noStatusChange,
    merged: mergeParts(item.sides, taken),
    change,
  };
}

interface Pairs {
  readonly compared: readonly { readonly one: Selected; readonly item: ComparedItem }[];
  readonly agreed: readonly ItemKey[];
}

/** Selected items that differ, with all of their locales, and those that both sides changed to the same. */
function settledKeys(selected: readonly Selected[] | null, { compared, agreed }: Pairs): ItemKey[] {
  const wanted = selected && new Set(selected.map(keyText));
  const whole = compared.flatMap(({ one, item }) => (one.locales === undefined ? [item] : []));
  const keys = [...whole, ...agreed.filter((key) => wanted === null || wanted.has(keyText(key)))];
  return [...new Map(keys.map(({ kind, id }) => [keyText({ kind, id }), { kind, id }])).values()];
}

/** @throws AppError 422 `limit_reached`, 404 `not_found` */
export async function planPromotion(
  work: UnitOfWork,
  pair: EnvironmentPair,
  options: PlanOptions,
): Promise<PromotionPlan> {
  const { items, includeDependencies } = options;
  const names = await namesOf(work, pair);
  const { found: all, agreed } = await compareAll(work, pair, { names, progress: options.progress });
  if (items !== null) await assertKnown(work, pair, items);
  const wanted: readonly Selected[] = items ?? [...all.values()].map(({ kind, id }) => ({ kind, id }));
  const selected = includeDependencies && items !== null ? withNeeds(wanted, all) : wanted;
  if (selected.length > limits.itemsPerPromotion)
    throw new AppError('limit_reached', { limit: limits.itemsPerPromotion, items: selected.length });
  const compared = selected.flatMap((one) => {
    const item = all.get(keyText(one));
    return item === undefined ? [] : [{ one, item }];
  });
  const planned = compared.map(({ one, item }) => planItem(item, one, options));
  const conflicts = compared.flatMap(({ one, item }): PromotionConflict[] => {
    const both = item.differences.filter(isSelected(one)).filter(({ changedIn }) => changedIn === 'both');
    const values = both.map((difference) => presentValue(item.kind, difference, names));
    return values.length === 0 ? [] : [{ kind: item.kind, id: item.id, name: nameOf(item), values }];
  });
  const changed = planned.filter(isChanged);
  return {
    pair,
    names,
    items: changed,
    settled: settledKeys(items === null ? null : selected, { compared, agreed }),
    settledStatuses: planned.filter(({ kind }) => kind === 'entry').flatMap(settledStatuses),
    conflicts,
    unchanged: selected.length - changed.length,
  };
}

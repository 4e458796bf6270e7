import { AppError } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import { promotedKinds } from '../../../../contracts/environments/environments/environment.js';
import type { PromotionConflict } from '../../../../contracts/deployment/promotions/promotion.js';
import { mergeParts, ROOT, type Difference, type Parts } from '../../../content/three-way.js';
import { Turns } from '../../../infrastructure/lazy.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
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
import { keyText, type ItemKey, type ItemSelection } from './item-kinds.js';
import { ItemRepository } from './item.repository.js';
import { nameOf, presentValue } from './compare.js';
import type { EnvironmentPair } from './pair.repository.js';
import type { PromotionProgress } from './promotion-progress.js';

export interface PlanOptions {
  /** Null: everything. */
  readonly items: readonly ItemSelection[] | null;
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
  /** Items and locales that were compared: later comparisons start from their present state. */
  readonly settled: readonly ItemSelection[];
  readonly settledStatuses: readonly SettledStatus[];
  readonly conflicts: readonly PromotionConflict[];
  /** Selected items of which nothing is taken. */
  readonly unchanged: number;
}

const isChosen = ({ locales }: Pick<ItemSelection, 'locales'>, locale: string): boolean =>
  locales === undefined || locales.includes(locale);

/** Shared values and the selected locales. */
const isSelected =
  (selected: Pick<ItemSelection, 'locales'>) =>
  ({ part }: Difference): boolean =>
    part === ROOT || isChosen(selected, part);

/** The source has only the selected locales. */
function inLocales(item: ComparedItem, selected: ItemSelection): ComparedItem {
  if (selected.locales === undefined) return item;
  const parts = [...item.sides.source].filter(([part]) => part === ROOT || isChosen(selected, part));
  return { ...item, sides: { ...item.sides, source: new Map(parts) } };
}

/** Undefined: it does not differ, or it is an entry that would begin without any locale. */
function chosenOf(one: ItemSelection, all: ReadonlyMap<string, ComparedItem>): ComparedItem | undefined {
  const found = all.get(keyText(one));
  const item = found && inLocales(found, one);
  if (item?.kind !== 'entry') return item;
  const { source, target } = item.sides;
  return !target.has(ROOT) && source.has(ROOT) && source.size === 1 ? undefined : item;
}

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
  items: readonly ItemSelection[],
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
function withNeeds(
  selected: readonly ItemSelection[],
  all: ReadonlyMap<string, ComparedItem>,
): ItemSelection[] {
  const found = new Map(selected.map((item) => [keyText(item), item]));
  const queue = [...found.values()];
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    const compared = chosenOf(item, all);
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
  selected: ItemSelection,
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

interface Pair {
  readonly one: ItemSelection;
  readonly item: ComparedItem;
}

/** Selected items that differ, and those that both sides changed to the same. Entries are deleted with all locales. */
function settledItems(
  selected: readonly ItemSelection[] | null,
  { compared, agreed }: { readonly compared: readonly Pair[]; readonly agreed: readonly ItemKey[] },
): ItemSelection[] {
  const wanted = selected && new Map(selected.map((one) => [keyText(one), one]));
  const differing = compared.map(({ one: { kind, id, locales }, item }) =>
    item.sides.source.has(ROOT) ? { kind, id, locales } : { kind, id },
  );
  const equal = agreed.flatMap((key): ItemSelection[] => {
    const one = wanted === null ? key : wanted.get(keyText(key));
    return one === undefined ? [] : [one];
  });
  return [...new Map([...differing, ...equal].map((one) => [keyText(one), one])).values()];
}

const statusesOf = (item: PlannedItem | undefined, one: ItemSelection): SettledStatus[] =>
  item?.kind === 'entry' ? settledStatuses(item).filter(({ locale }) => isChosen(one, locale)) : [];

/** Items that are named twice with the locales of both. */
function withoutTwins(items: readonly ItemSelection[]): ItemSelection[] {
  const found = new Map<string, ItemSelection>();
  for (const { kind, id, locales } of items) {
    const known = found.get(keyText({ kind, id }));
    const isWhole = locales === undefined || (known !== undefined && known.locales === undefined);
    const all = isWhole ? undefined : [...new Set([...(known?.locales ?? []), ...locales])];
    found.set(keyText({ kind, id }), { kind, id, locales: all });
  }
  return [...found.values()];
}

/** Values that both sides changed. */
function conflictsOf(item: ComparedItem, one: ItemSelection, names: PairNames): PromotionConflict[] {
  const both = item.differences.filter(isSelected(one)).filter(({ changedIn }) => changedIn === 'both');
  const values = both.map((difference) => presentValue(item, difference, names));
  return values.length === 0 ? [] : [{ kind: item.kind, id: item.id, name: nameOf(item), values }];
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
  const wanted =
    items === null ? [...all.values()].map(({ kind, id }) => ({ kind, id })) : withoutTwins(items);
  const selected = includeDependencies && items !== null ? withNeeds(wanted, all) : wanted;
  if (selected.length > limits.itemsPerPromotion)
    throw new AppError('limit_reached', { limit: limits.itemsPerPromotion, items: selected.length });
  const compared = selected.flatMap((one): Pair[] => {
    const item = chosenOf(one, all);
    return item === undefined ? [] : [{ one, item }];
  });
  const planned: PlannedItem[] = [];
  const conflicts: PromotionConflict[] = [];
  const turns = new Turns();
  for (const { one, item } of compared) {
    planned.push(planItem(item, one, options));
    conflicts.push(...conflictsOf(item, one, names));
    await turns.pause();
  }
  const changed = planned.filter(isChanged);
  return {
    pair,
    names,
    items: changed,
    settled: settledItems(items === null ? null : selected, { compared, agreed }),
    settledStatuses: compared.flatMap(({ one }, index) => statusesOf(planned[index], one)),
    conflicts,
    unchanged: selected.length - changed.length,
  };
}

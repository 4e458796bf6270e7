import { compareParts, ROOT, type Difference, type Parts, type Sides } from '../../content/three-way.js';
import { Turns } from '../../infrastructure/turns.js';
import type { UnitOfWork } from '../../persistence/work/unit-of-work.js';
import { formerParts, partsOf } from './item-parts.js';
import { keyText, type ItemKey } from './item-kinds.js';
import { ItemRepository, type StoredPart } from './item.repository.js';
import type { EnvironmentPair } from './pair.repository.js';
import { VocabularyRepository, type Vocabulary } from './vocabulary.repository.js';

/** Names of both environments. */
export interface PairNames {
  readonly source: Vocabulary;
  readonly target: Vocabulary;
}

/** An item that differs between the environments. */
export interface ComparedItem extends ItemKey {
  readonly sides: Sides<Parts>;
  readonly differences: readonly Difference[];
  readonly stored: { readonly source: readonly StoredPart[]; readonly target: readonly StoredPart[] };
}

/** Items compared at a time: bounds memory and the time between turns of other requests. */
const BATCH = 200;

export async function namesOf(work: UnitOfWork, { source, target }: EnvironmentPair): Promise<PairNames> {
  const vocabularies = work.use(VocabularyRepository);
  const [from, to] = await Promise.all([vocabularies.of(source.id), vocabularies.of(target.id)]);
  return { source: from, target: to };
}

/** Values of a field that the source does not have are not compared: the difference is that of the schema. */
const isComparable =
  ({ source }: PairNames, kind: ItemKey['kind']) =>
  ({ key }: Difference): boolean =>
    kind !== 'entry' || key === null || !isFieldId(key) || source.field(key) !== undefined;

/** An order that changed on both sides is no conflict: that of the source applies. */
const settleOrder = (difference: Difference): Difference =>
  difference.changedIn === 'both' && (difference.key === 'position' || difference.key === 'rank')
    ? { ...difference, changedIn: 'source' }
    : difference;

const isFieldId = (key: string): boolean => key.length === 36;

async function compareBatch(
  work: UnitOfWork,
  { pair, names, keys }: { pair: EnvironmentPair; names: PairNames; keys: readonly ItemKey[] },
): Promise<ComparedItem[]> {
  const items = work.use(ItemRepository);
  const [sources, targets, formers, settled] = await Promise.all([
    items.parts(pair.source.id, keys),
    items.parts(pair.target.id, keys),
    items.former(pair, keys),
    items.settled(pair, keys),
  ]);
  const isBranchSource = pair.branchId === pair.source.id;
  return keys.flatMap((key) => {
    const id = keyText(key);
    const stored = { source: sources.get(id) ?? [], target: targets.get(id) ?? [] };
    const source = partsOf(stored.source, names.source);
    const target = partsOf(stored.target, names.target);
    const [branch, branchNames] = isBranchSource ? [source, names.source] : [target, names.target];
    const agreed = settled.get(id);
    const base =
      agreed === undefined
        ? formerParts(branch, formers.get(id) ?? [], branchNames)
        : formerParts(
            new Map(),
            agreed,
            agreed[0]?.environmentId === pair.source.id ? names.source : names.target,
          );
    const sides = { base, source, target };
    const differences = compareParts(sides).filter(isComparable(names, key.kind)).map(settleOrder);
    return differences.length === 0 ? [] : [{ ...key, sides, differences, stored }];
  });
}

/** Those of the items that differ, in batches. */
export async function* compareItems(
  work: UnitOfWork,
  { pair, names, keys }: { pair: EnvironmentPair; names: PairNames; keys: readonly ItemKey[] },
): AsyncGenerator<ComparedItem[]> {
  const turns = new Turns();
  for (let start = 0; start < keys.length; start += BATCH) {
    yield await compareBatch(work, { pair, names, keys: keys.slice(start, start + BATCH) });
    await turns.pause();
  }
}

export function changeOf({ sides, differences }: ComparedItem): 'created' | 'updated' | 'deleted' {
  const whole = differences.find(({ part, key }) => part === ROOT && key === null);
  if (whole === undefined) return 'updated';
  return sides.source.has(ROOT) ? 'created' : 'deleted';
}

export const isConflicting = ({ differences }: Pick<ComparedItem, 'differences'>): boolean =>
  differences.some(({ changedIn }) => changedIn === 'both');

import {
  compareParts,
  isEqualParts,
  ROOT,
  type Difference,
  type Parts,
  type Properties,
  type Sides,
} from '../../../content/three-way.js';
import { Turns } from '../../../infrastructure/lazy.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { readKey, settleBlocks, withHeldBlocks } from './block-parts.js';
import { formerParts, partsOf } from './item-parts.js';
import { keyText, type ItemKey } from './item-kinds.js';
import { compareStatuses, hasChangedStatus, type StatusDifference } from './publication.js';
import { hasCommonStart, ItemRepository, type FormerPart, type StoredPart } from './item.repository.js';
import type { EnvironmentPair } from './pair.repository.js';
import { VocabularyRepository, type Vocabulary } from './vocabulary.repository.js';

/** Names of both environments. */
export interface PairNames {
  readonly source: Vocabulary;
  readonly target: Vocabulary;
  /** Ids of fields that only the source has, because they were created there. */
  readonly created: ReadonlySet<string>;
  /** By environment: of those whose names bases use. */
  readonly known: Map<string, Vocabulary>;
}

/** An item that differs between the environments. */
export interface ComparedItem extends ItemKey {
  readonly sides: Sides<Parts>;
  readonly differences: readonly Difference[];
  /** Of an entry. */
  readonly statusDifferences: readonly StatusDifference[];
  readonly stored: { readonly source: readonly StoredPart[]; readonly target: readonly StoredPart[] };
}

/** Items compared at a time: bounds memory and the time between turns of other requests. */
export const COMPARED_AT_ONCE = 200;

export async function namesOf(work: UnitOfWork, pair: EnvironmentPair): Promise<PairNames> {
  const vocabularies = work.use(VocabularyRepository);
  const [from, to, created] = await Promise.all([
    vocabularies.of(pair.source.id),
    vocabularies.of(pair.target.id),
    vocabularies.created(pair),
  ]);
  const known = new Map([
    [pair.source.id, from],
    [pair.target.id, to],
  ]);
  return { source: from, target: to, created, known };
}

/** Reads the names of environments that are not known yet. */
async function learnNames(work: UnitOfWork, { known }: PairNames, ids: Iterable<string>): Promise<void> {
  for (const id of new Set(ids))
    if (!known.has(id)) known.set(id, await work.use(VocabularyRepository).known(id));
}

function withFields(parts: Parts, isKept: (fieldId: string) => boolean): Parts {
  const isKeptKey = (key: string): boolean => {
    const field = readKey(key);
    return field === undefined || isKept(field.fieldId);
  };
  const kept = (values: Properties): Properties =>
    Object.fromEntries(Object.entries(values).filter(([key]) => isKeptKey(key)));
  return withHeldBlocks(new Map([...parts].map(([part, values]) => [part, kept(values)])));
}

/** Values of a field that one side deleted, and of blocks in it, are not compared: the difference is that of the schema. */
function comparable({ base, source, target }: Sides<Parts>, names: PairNames): Sides<Parts> {
  const isShared = (id: string): boolean =>
    names.source.field(id) !== undefined && names.target.field(id) !== undefined;
  const isCompared = (id: string): boolean => isShared(id) || names.created.has(id);
  return {
    base: withFields(base, isShared),
    source: withFields(source, isCompared),
    target: withFields(target, isCompared),
  };
}

/** An order that changed on both sides is no conflict: that of the source applies. */
const settleOrder = (difference: Difference): Difference =>
  difference.changedIn === 'both' && (difference.key === 'position' || difference.key === 'rank')
    ? { ...difference, changedIn: 'source' }
    : difference;

interface Comparison {
  readonly pair: EnvironmentPair;
  readonly names: PairNames;
  readonly keys: readonly ItemKey[];
  /** Receives items that both sides changed to the same. */
  readonly agreed?: ItemKey[];
}

/** Each row has the names of its environment; that of the item itself is read first, as its locales depend on it. */
function settledParts(settled: readonly FormerPart[], { known }: PairNames): Parts {
  const byEnvironment = Map.groupBy(settled, ({ environmentId = '' }) => environmentId);
  const hasRoot = (parts: readonly FormerPart[]): number => Number(parts.some(({ part }) => part === ROOT));
  return [...byEnvironment]
    .toSorted(([, a], [, b]) => hasRoot(b) - hasRoot(a))
    .reduce<Parts>((read, [id, parts]) => {
      const names = known.get(id);
      return names === undefined ? read : formerParts(read, parts, names);
    }, new Map());
}

interface StoredItem {
  readonly key: ItemKey;
  readonly stored: ComparedItem['stored'];
  /** Of the environment that began with the common state: its parts, and those that it changed as they were then. */
  readonly start: { readonly parts: readonly StoredPart[]; readonly former: readonly FormerPart[] };
  /** All parts, if the item was promoted. */
  readonly settled: readonly FormerPart[] | undefined;
}

function startParts({ parts, former }: StoredItem['start'], names: Vocabulary | undefined): Parts {
  return names === undefined ? new Map() : formerParts(partsOf(parts, names), former, names);
}

function compareItem(
  { pair, names }: Pick<Comparison, 'pair' | 'names'>,
  { key, stored, start, settled }: StoredItem,
): ComparedItem & { readonly hasChanged: boolean } {
  const source = partsOf(stored.source, names.source);
  const target = partsOf(stored.target, names.target);
  const base =
    settled === undefined ? startParts(start, names.known.get(pair.startId)) : settledParts(settled, names);
  const sides = { base, source, target };
  const compared = key.kind === 'entry' ? comparable(sides, names) : sides;
  const differences = settleBlocks(compareParts(compared).map(settleOrder), compared);
  const known = settled ?? [...start.parts, ...start.former];
  return {
    ...key,
    sides: { ...sides, source: compared.source },
    differences,
    statusDifferences: key.kind === 'entry' ? compareStatuses({ ...stored, base: known }, differences) : [],
    stored,
    hasChanged:
      !isEqualParts(compared.base, compared.source) ||
      (key.kind === 'entry' && hasChangedStatus({ base: known, source: stored.source })),
  };
}

async function compareBatch(
  work: UnitOfWork,
  { pair, names, keys, agreed }: Comparison,
): Promise<ComparedItem[]> {
  const items = work.use(ItemRepository);
  const [sources, targets, formers, settled] = await Promise.all([
    items.parts(pair.source.id, keys),
    items.parts(pair.target.id, keys),
    items.former(pair, keys),
    items.settled(pair, keys),
  ]);
  const sides = new Map([
    [pair.source.id, sources],
    [pair.target.id, targets],
  ]);
  const starts = sides.get(pair.startId) ?? (await items.parts(pair.startId, keys));
  const used = [...settled.values()].flat().flatMap(({ environmentId }) => environmentId ?? []);
  await learnNames(work, names, [pair.startId, ...used]);
  return keys.flatMap((key) => {
    const id = keyText(key);
    const stored = { source: sources.get(id) ?? [], target: targets.get(id) ?? [] };
    const start = hasCommonStart(pair, key.kind)
      ? { parts: starts.get(id) ?? [], former: formers.get(id) ?? [] }
      : { parts: [], former: [] };
    const item = { key, stored, start, settled: settled.get(id) };
    const { hasChanged, ...compared } = compareItem({ pair, names }, item);
    if (compared.differences.length === 0 && hasChanged) agreed?.push(key);
    return compared.differences.length + compared.statusDifferences.length === 0 ? [] : [compared];
  });
}

/** Those of the items that differ, in batches. */
export async function* compareItems(
  work: UnitOfWork,
  { keys, ...comparison }: Comparison,
): AsyncGenerator<ComparedItem[]> {
  const turns = new Turns();
  for (let start = 0; start < keys.length; start += COMPARED_AT_ONCE) {
    yield await compareBatch(work, { ...comparison, keys: keys.slice(start, start + COMPARED_AT_ONCE) });
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

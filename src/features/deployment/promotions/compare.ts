import {
  type DifferentValue,
  type EnvironmentDifference,
  promotedKinds,
  type DifferenceCounts,
} from '../../../../contracts/environments/environments/environment-difference.js';
import { ROOT, type Difference, type Properties } from '../../../content/three-way.js';
import {
  changeOf,
  isConflicting,
  type ComparedItem,
  type PairNames,
  compareItems,
  namesOf,
} from './compare-items.js';
import { hasLocales } from './item-kinds.js';
import { type Row, ItemRepository } from './item.repository.js';
import type { StatusDifference } from './publication.js';
import { isLink } from './vocabulary.repository.js';
import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { promotions } from '../../../../contracts/deployment/promotions/promotions.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { PairRepository } from './pair.repository.js';
import { assertMayCompare, assertReadable } from './promotions.js';

const camelCase = (column: string): string =>
  column.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

const fieldOf = ({ source, target }: PairNames, id: string) => source.field(id) ?? target.field(id);

/** Fields and types by name again. */
function shownKey(key: string, names: PairNames): string {
  return fieldOf(names, key)?.apiName ?? camelCase(key);
}

const typeNameOf = ({ source, target }: PairNames, id: string): string =>
  source.typeName(id) ?? target.typeName(id) ?? id;

function shownLink(value: unknown, names: PairNames): unknown {
  if (Array.isArray(value)) return value.map((item) => shownLink(item, names));
  if (typeof value !== 'object' || value === null || !('_type' in value)) return value;
  return { ...value, _type: typeNameOf(names, String(value._type)) };
}

function shownSettings(value: unknown, names: PairNames): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { contentTypes, sourceField, ...rest } = value as Row;
  return {
    ...rest,
    ...(Array.isArray(contentTypes) && {
      contentTypes: contentTypes.map((id) => typeNameOf(names, String(id))),
    }),
    ...(typeof sourceField === 'string' && { sourceField: shownKey(sourceField, names) }),
  };
}

function shownValue(key: string, value: unknown, names: PairNames): unknown {
  if (value === undefined || value === null) return null;
  if (key === 'settings') return shownSettings(value, names);
  if (key === 'display_field') return shownKey(asText(value), names);
  if (key === 'content_type_id') return typeNameOf(names, asText(value));
  const field = fieldOf(names, key);
  return key === 'default_value' || (field !== undefined && isLink(field)) ? shownLink(value, names) : value;
}

const shownProperties = (properties: Properties, names: PairNames): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [shownKey(key, names), shownValue(key, value, names)]),
  );

/** Name of a whole field of a type. */
function partName({ part, base, source, target }: Difference, names: PairNames): string {
  const whole = (source ?? target ?? base) as Row | undefined;
  return fieldOf(names, part)?.apiName ?? (asText(whole?.api_name) || part);
}

function shownField(kind: ComparedItem['kind'], difference: Difference, names: PairNames): string | null {
  const { part, key } = difference;
  const own = key === null ? null : shownKey(key, names);
  if (kind !== 'contentType' || part === ROOT) return own;
  const field = `fields.${partName(difference, names)}`;
  return own === null ? field : `${field}.${own}`;
}

export function presentValue(
  kind: ComparedItem['kind'],
  difference: Difference,
  names: PairNames,
): DifferentValue {
  const { part, key, changedIn } = difference;
  const shown = (value: unknown): unknown => {
    if (key !== null) return shownValue(key, value, names);
    return value === undefined ? null : shownProperties(value as Properties, names);
  };
  return {
    locale: hasLocales(kind) && part !== ROOT ? part : null,
    field: shownField(kind, difference, names),
    changedIn,
    base: shown(difference.base),
    source: shown(difference.source),
    target: shown(difference.target),
  };
}

const presentStatus = (difference: StatusDifference): DifferentValue => ({ field: 'status', ...difference });

/** What a person calls the item. */
export function nameOf({ kind, id, stored }: ComparedItem): string {
  const rows = [...stored.source, ...stored.target];
  const rowOf = (isWanted: (part: string) => boolean): Row =>
    rows.find(({ part }) => isWanted(part))?.row ?? {};
  const { title } = rowOf((part) => kind === 'entry' && part !== ROOT);
  const { name, source, file_name: fileName } = rowOf((part) => part === ROOT);
  const titleOfNode = rows.find((row) => typeof row.title === 'string')?.title;
  const found = [title, name, source, fileName, titleOfNode].find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : id;
}

function presentDifference(item: ComparedItem, names: PairNames): EnvironmentDifference {
  const { kind, id, differences, statusDifferences } = item;
  return {
    kind,
    id,
    name: nameOf(item),
    change: [...differences, ...statusDifferences].every(({ changedIn }) => changedIn === 'target')
      ? 'none'
      : changeOf(item),
    isConflict: isConflicting(item),
    values: [
      ...differences.map((difference) => presentValue(kind, difference, names)),
      ...statusDifferences.map(presentStatus),
    ],
  };
}

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

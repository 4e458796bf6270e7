import {
  type DifferentValue,
  type EnvironmentDifference,
  promotedKinds,
  type DifferenceCounts,
} from '../../../../contracts/environments/environments/environment.js';
import { mapNamedFields } from '../../../content/field-conditions.js';
import { ROOT, type Difference, type Properties } from '../../../content/three-way.js';
import {
  changeOf,
  isConflicting,
  type ComparedItem,
  type PairNames,
  compareItems,
  namesOf,
} from './compare-items.js';
import { pathOfKey, readKey } from './block-parts.js';
import { hasLocales } from './item-kinds.js';
import { type ItemRow, ItemRepository } from './item.repository.js';
import type { StatusDifference } from './publication.js';
import { isLink } from './vocabulary.repository.js';
import { listEnvelope, type PageMeta } from '../../../../contracts/envelopes.js';
import type { promotions } from '../../../../contracts/deployment/promotions/promotions.contract.js';
import type { InputOf } from '../../../../contracts/procedure.js';
import type { UnitOfWork } from '../../../persistence/work/unit-of-work.js';
import { PairRepository } from './pair.repository.js';
import { assertMayCompare, assertReadable } from './promotions.js';

interface Shown {
  readonly names: PairNames;
  readonly sides: ComparedItem['sides'];
}

const camelCase = (column: string): string =>
  column.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

const fieldOf = ({ source, target }: PairNames, id: string) => source.field(id) ?? target.field(id);

/** Fields and types by name again. */
function shownKey(key: string, names: PairNames): string {
  return fieldOf(names, key)?.apiName ?? camelCase(key);
}

/** Values of blocks by their paths. */
function shownPath(part: string, key: string, { names, sides }: Shown): string {
  const read = readKey(key);
  if (read === undefined || read.blockId === null) return shownKey(key, names);
  return pathOfKey({ part, key: read }, sides, (id) => shownKey(id, names));
}

const typeNameOf = ({ source, target }: PairNames, id: string): string =>
  source.typeName(id) ?? target.typeName(id) ?? id;

function shownLink(value: unknown, names: PairNames): unknown {
  if (Array.isArray(value)) return value.map((item) => shownLink(item, names));
  if (typeof value !== 'object' || value === null || !('_type' in value)) return value;
  const { fields: _shownByPath, ...link } = value as ItemRow;
  return { ...link, _type: typeNameOf(names, String(link._type)) };
}

/** Settings and validations name types and fields by id. */
function shownOptions(value: unknown, names: PairNames): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { contentTypes, ...rest } = mapNamedFields(value as ItemRow, (id) => shownKey(id, names));
  return {
    ...rest,
    ...(Array.isArray(contentTypes) && {
      contentTypes: contentTypes.map((id) => typeNameOf(names, String(id))),
    }),
  };
}

function shownValue(key: string, value: unknown, names: PairNames): unknown {
  if (value === undefined || value === null) return null;
  if (key === 'settings' || key === 'validations') return shownOptions(value, names);
  if (key === 'display_field') return shownKey(asText(value), names);
  if (key === 'content_type_id') return typeNameOf(names, asText(value));
  const field = fieldOf(names, readKey(key)?.fieldId ?? key);
  return key === 'default_value' || (field !== undefined && isLink(field)) ? shownLink(value, names) : value;
}

const shownProperties = (part: string, properties: Properties, shown: Shown): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [
      shownPath(part, key, shown),
      shownValue(key, value, shown.names),
    ]),
  );

/** Name of a whole field of a type. */
function partName({ part, base, source, target }: Difference, names: PairNames): string {
  const whole = (source ?? target ?? base) as ItemRow | undefined;
  return fieldOf(names, part)?.apiName ?? (asText(whole?.api_name) || part);
}

function shownField(
  kind: ComparedItem['kind'],
  difference: Difference,
  { names, sides }: Shown,
): string | null {
  const { part, key } = difference;
  const own = key === null ? null : shownPath(part, key, { names, sides });
  if (kind !== 'contentType' || part === ROOT) return own;
  const field = `fields.${partName(difference, names)}`;
  return own === null ? field : `${field}.${own}`;
}

export function presentValue(
  { kind, sides }: Pick<ComparedItem, 'kind' | 'sides'>,
  difference: Difference,
  names: PairNames,
): DifferentValue {
  const { part, key, changedIn } = difference;
  const shown = (value: unknown): unknown => {
    if (key !== null) return shownValue(key, value, names);
    return value === undefined ? null : shownProperties(part, value as Properties, { names, sides });
  };
  return {
    locale: hasLocales(kind) && part !== ROOT ? part : null,
    field: shownField(kind, difference, { names, sides }),
    changedIn,
    base: shown(difference.base),
    source: shown(difference.source),
    target: shown(difference.target),
  };
}

const presentStatus = (difference: StatusDifference): DifferentValue => ({ field: 'status', ...difference });

/** What a person calls the item: an entry by its title in the shown locale. */
export function nameOf({ kind, id, stored }: ComparedItem): string {
  const all = [...stored.source, ...stored.target];
  const rows = [...all.filter(({ row }) => row.is_shown === true), ...all];
  const rowOf = (isWanted: (part: string) => boolean): ItemRow =>
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
      ...differences.map((difference) => presentValue(item, difference, names)),
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

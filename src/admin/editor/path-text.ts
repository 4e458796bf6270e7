import type { ContentType } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { fieldLabel } from './field-label.js';
import { blockTypesOf, findBlock, firstStep, itemIndex, rootOf, type Found } from './paths.js';

type Values = Readonly<Record<string, unknown>>;

interface Types {
  readonly types: readonly ContentType[];
}

const typeNamed = ({ types }: Types, apiName: string): ContentType | undefined =>
  types.find((type) => type.apiName === apiName);

/** Such as "2. Quote". */
export const blockLabel = (project: Types, index: number, typeName: string): string =>
  `${String(index + 1)}. ${typeNamed(project, typeName)?.name ?? typeName}`;

function labelOf(project: Types, { index, block }: Found, isRemoved: boolean): string {
  const label = blockLabel(project, index, block._type);
  return isRemoved ? t('block.removedItem', { block: label }) : label;
}

/** Where paths lead. */
interface Guide {
  readonly project: Types;
  readonly type: ContentType | undefined;
  /** Values of the entry in which its blocks are looked for. What the first ones lack was removed from them. */
  readonly known: readonly Values[];
}

/** The type of a block that is in none of the values: one that the list takes and that has the field. */
function likelyType({ project, type }: Guide, name: string, rest: string): ContentType | undefined {
  const field = type?.fields.find(({ apiName }) => apiName === name);
  const inner = rootOf(rest);
  const types = field === undefined ? [] : blockTypesOf(project, field);
  return types.find(({ fields }) => fields.some(({ apiName }) => apiName === inner));
}

function wordsOf(guide: Guide, path: string): string[] {
  const { project, type, known } = guide;
  const { name, id, rest } = firstStep(path);
  const label = type === undefined ? name : fieldLabel(type, name);
  if (id === undefined) return [label];
  const index = itemIndex(id);
  if (index !== undefined) return [t('field.item', { field: label, number: index + 1 })];
  const places = known.flatMap((values) => findBlock(values, name, id) ?? []);
  const [found] = places;
  const isRemoved = known[0] !== undefined && findBlock(known[0], name, id) === undefined;
  const block = found === undefined ? t('block.other') : labelOf(project, found, isRemoved);
  if (rest === undefined) return [label, block];
  const own = found === undefined ? likelyType(guide, name, rest) : typeNamed(project, found.block._type);
  const inside = { project, type: own, known: places.map((place) => place.block.fields) };
  return [label, block, ...wordsOf(inside, rest)];
}

/** A path in words: labels of fields, and blocks by number and type. */
export const pathText = (guide: Guide, path: string): string => wordsOf(guide, path).join(' › ');

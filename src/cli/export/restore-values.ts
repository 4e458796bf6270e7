import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import { isObject } from '../../content/exact-json/is-object.js';
import { DEEPEST } from './export-format.js';
import type { Restore } from './restore-settings.js';

type Values = Readonly<Record<string, unknown>>;

/** What is left of a link to something that the project does not have. */
const NOTHING = Symbol('nothing');

/** A block of the entry itself, as management returns it. */
const isBlock = (
  value: Values,
): value is { _ref: string; _type: string; _externalId?: unknown; fields: Values } =>
  typeof value._ref === 'string' && typeof value._type === 'string' && isObject(value.fields);

/** Id of an entry or asset that a value, node or mark is about. */
function targetOf(value: Values): string | undefined {
  if (typeof value._ref === 'string' && typeof value._type === 'string')
    return isBlock(value) ? undefined : value._ref;
  const { entryId, assetId } = isObject(value.attrs) ? value.attrs : {};
  return [entryId, assetId].find((id): id is string => typeof id === 'string');
}

/**
 * The values of an entry with the ids of the project. Links to what the project does not have are left out.
 * @param lose is called with the id of what is left out
 */
export function ownValues({ ids }: Restore, fields: Values, lose: (id: string) => void): Values {
  const own = (value: unknown, level: number): unknown => {
    if (typeof value === 'string') return ids.get(value) ?? value;
    if (level > DEEPEST) throw new Error(`A value has more than ${String(DEEPEST)} levels.`);
    if (Array.isArray(value))
      return value.map((item) => own(item, level + 1)).filter((item) => item !== NOTHING);
    if (!isObject(value)) return value;
    const target = targetOf(value);
    if (target !== undefined && !ids.has(target)) {
      lose(target);
      return NOTHING;
    }
    const parts = Object.entries(value).map(([key, part]) => [key, own(part, level + 1)] as const);
    return Object.fromEntries(parts.filter(([, part]) => part !== NOTHING));
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const replaced = own(value, 0);
      return [name, replaced === NOTHING ? null : replaced];
    }),
  );
}

function* blocksIn(value: unknown): Generator<{ _ref: string; fields: Values }> {
  if (typeof value !== 'object' || value === null) return;
  if (isObject(value) && isBlock(value)) yield value;
  for (const part of Object.values(value)) yield* blocksIn(part);
}

/** As it is written: a block keeps its id, and loses the values that the export does not have. */
function written(value: unknown, present: ReadonlyMap<string, Values>): unknown {
  if (Array.isArray(value)) return value.map((item) => written(item, present));
  if (!isObject(value)) return value;
  if (!isBlock(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, written(part, present)]));
  const { _ref, _type, _externalId, fields } = value;
  const cleared = Object.keys(present.get(_ref) ?? {}).map((name) => [name, null] as const);
  const own = Object.entries(fields).map(([name, part]) => [name, written(part, present)] as const);
  const name = typeof _externalId === 'string' && { _externalId };
  return { _type, _id: _ref, ...name, fields: Object.fromEntries([...cleared, ...own]) };
}

/** What makes the present values equal to the wanted ones. */
export function changesOf(wanted: Values, present: Values): Record<string, unknown> {
  const blocks = new Map([...blocksIn(present)].map(({ _ref, fields }) => [_ref, fields]));
  const names = new Set([...Object.keys(present), ...Object.keys(wanted)]);
  const changed = [...names].filter((name) => !isEqualJson(wanted[name] ?? null, present[name] ?? null));
  return Object.fromEntries(changed.map((name) => [name, written(wanted[name] ?? null, blocks)]));
}

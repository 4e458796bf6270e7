import { AppError, invalidInput, issuesOf } from '../../../../contracts/errors.js';
import { limits } from '../../../../contracts/limits.js';
import { Comparisons } from '../../../../contracts/publishing/delivery/parameters.js';
import type { Catalog, ContentTypeDefinition, FieldDefinition } from '../../../content/catalog.js';
import { kindOf } from '../../../content/field-kinds/index.js';
import { parseExactJson } from '../../../content/exact-json/exact-json.js';
import {
  comparisonsOf,
  refuseFilter,
  tooManyConditions,
  type CombinedCondition,
  type Condition,
  type FilterPath,
  type SingleCondition,
} from './content-filter.js';

/** The ids of entries of a type that match, of at most `limit` + 1. */
export type FindTargets = (
  type: ContentTypeDefinition,
  conditions: readonly Condition[],
  limit: number,
) => Promise<readonly string[]>;

/** Entries of one type that a reference field may refer to. */
interface Target {
  readonly type: ContentTypeDefinition;
  readonly conditions: readonly Read[];
}

/** A condition on what a field refers to. */
interface Step {
  readonly field: FieldDefinition;
  readonly targets: readonly Target[];
  readonly path: FilterPath;
}

/** A condition as read, before the entries that steps find are known. */
type Read = SingleCondition | Step | { combine: CombinedCondition['combine']; parts: readonly Read[] };

interface FilterPosition {
  readonly type: ContentTypeDefinition;
  readonly path: FilterPath;
  /** Levels of `and`, `or` and `not` around it. */
  readonly depth: number;
  /** Whether a reference has been crossed. */
  readonly isTarget: boolean;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Filters are compared as strings, as in a URL. */
function asGiven(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asGiven);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** Comparisons have strings, numbers, booleans and lists as values, filters of another entry have objects. */
const isFilterOfTarget = (value: Members): boolean =>
  Object.entries(value).some(([key, part]) => isObject(part) || !Object.hasOwn(Comparisons.shape, key));

/** Media are links too, but not to entries. */
function refersToEntries(field: FieldDefinition): boolean {
  const { comparison, graphqlType } = kindOf(field);
  return comparison === 'link' && graphqlType === 'ContentEntry';
}

class WhereReader {
  #conditions = 0;

  constructor(private readonly catalog: Catalog) {}

  /** Conditions that all have to match. */
  read(value: unknown, place: FilterPosition): Read[] {
    const { path, depth } = place;
    if (!isObject(value)) return refuseFilter(path, 'Must be an object.');
    if (depth > limits.whereDepth)
      refuseFilter(path, `Filters may be nested ${String(limits.whereDepth)} deep.`);
    return Object.entries(value).flatMap(([key, part]): Read[] => {
      const inner = { ...place, path: [...path, key], depth: depth + 1 };
      if (key === 'and') return this.#list(part, inner).flat();
      if (key === 'not') return [{ combine: 'not', parts: this.read(part, inner) }];
      if (key !== 'or') return this.#field(part, { ...place, path: inner.path });
      const parts = this.#list(part, inner).map((some): Read => ({ combine: 'and', parts: some }));
      return [{ combine: 'or', parts }];
    });
  }

  #list(value: unknown, place: FilterPosition): Read[][] {
    if (!Array.isArray(value) || value.length === 0)
      return refuseFilter(place.path, 'Must be a list of filters.');
    return value.map((part: unknown, index) => this.read(part, { ...place, path: [...place.path, index] }));
  }

  #field(value: unknown, place: FilterPosition): Read[] {
    const { type, path } = place;
    const name = String(path.at(-1));
    const field = type.fields.find(({ apiName }) => apiName === name);
    if (field !== undefined && refersToEntries(field) && isObject(value) && isFilterOfTarget(value))
      return [this.#step(value, field, place)];
    const given = isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, asGiven(part)]))
      : value;
    const operators = Comparisons.safeParse(given);
    if (!operators.success)
      throw invalidInput(
        ...issuesOf(operators.error).map((issue) => ({ ...issue, path: [...path, ...issue.path] })),
      );
    const conditions = comparisonsOf(type, operators.data, path);
    this.#conditions += conditions.length;
    if (this.#conditions > limits.filterConditions) throw tooManyConditions('where');
    return conditions;
  }

  /** Types that lack what the filter names have no entries that match. */
  #step(value: Members, field: FieldDefinition, { path, depth, isTarget }: FilterPosition): Step {
    if (isTarget) refuseFilter(path, 'A filter crosses one reference only.');
    const failures: AppError[] = [];
    const { _type: named, ...filter } = value;
    const types = this.#targetTypes(field, named, path);
    const counted = this.#conditions;
    let most = counted;
    const targets = types.flatMap((type): Target[] => {
      this.#conditions = counted;
      try {
        const conditions = this.read(filter, { type, path, depth, isTarget: true });
        most = Math.max(most, this.#conditions);
        return [{ type, conditions }];
      } catch (failure) {
        const isTooMany = this.#conditions > limits.filterConditions;
        if (isTooMany || !(failure instanceof AppError)) throw failure;
        failures.push(failure);
        return [];
      }
    });
    this.#conditions = most;
    const [failure] = failures;
    if (targets.length === 0 && failure !== undefined) throw failure;
    return { field, targets, path };
  }

  /** @param named what the filter says of the type */
  #targetTypes({ settings }: FieldDefinition, named: unknown, path: FilterPath): ContentTypeDefinition[] {
    const { contentTypes } = settings;
    const allowed = Array.isArray(contentTypes) ? contentTypes.map(String) : undefined;
    const types = this.catalog.data.contentTypes.filter(({ apiName }) => allowed?.includes(apiName) ?? true);
    if (named === undefined) return types;
    const apiName = isObject(named) && Object.keys(named).length === 1 ? named.eq : undefined;
    const type = types.find((one) => one.apiName === apiName);
    return type === undefined
      ? refuseFilter([...path, '_type'], 'Must be {"eq": …} with a content type that the field can refer to.')
      : [type];
  }
}

function parseWhere(text: string): unknown {
  try {
    return parseExactJson(Buffer.from(text));
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'invalid_json') throw failure;
    const message = 'Write a filter as JSON, such as {"title": {"contains": "lock"}}.';
    throw invalidInput({ path: ['where'], code: 'invalid_json', message });
  }
}

async function findAll(read: readonly Read[], find: FindTargets): Promise<Condition[]> {
  const found: Condition[] = [];
  for (const condition of read) found.push(await findOne(condition, find));
  return found;
}

async function findOne(read: Read, find: FindTargets): Promise<Condition> {
  if ('combine' in read) return { combine: read.combine, parts: await findAll(read.parts, find) };
  if (!('targets' in read)) return read;
  const { field, targets, path } = read;
  const values: string[] = [];
  for (const { type, conditions } of targets)
    values.push(...(await find(type, await findAll(conditions, find), limits.filterValues)));
  if (values.length > limits.filterValues)
    refuseFilter(
      path,
      `More than ${String(limits.filterValues)} entries match. Add conditions, so that fewer do.`,
    );
  return { apiName: field.apiName, isList: field.isList, comparison: 'link', operator: 'in', values };
}

/**
 * Reads a filter that is one parameter (rule delivery/where). Entries that it finds by a reference are looked up first.
 * @param text undefined matches all
 * @throws AppError 422 `validation_failed`
 */
export async function whereConditions(
  text: string | undefined,
  { catalog, type }: { readonly catalog: Catalog; readonly type: () => ContentTypeDefinition },
  find: FindTargets,
): Promise<readonly Condition[]> {
  if (text === undefined) return [];
  const place = { type: type(), path: ['where'], depth: 0, isTarget: false };
  return findAll(new WhereReader(catalog).read(parseWhere(text), place), find);
}

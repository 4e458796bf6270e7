import { invalidInput, type InputIssue } from '../../../../../contracts/errors.js';
import { ExternalId } from '../../../../../contracts/primitives.js';
import type { Catalog, FieldDefinition } from '../../../../content/catalog.js';
import { isObject } from '../../../../content/exact-json/is-object.js';
import { kindOf } from '../../../../content/field-kinds/index.js';
import { valueIn } from '../../../../content/model/field-definition.js';
import { issuesMaximum, type FieldValues } from '../../../../content/validate-fields.js';
import type { UnitOfWork } from '../../../../persistence/work/unit-of-work.js';
import { externalKey, ExternalIdRepository, type ExternalKey } from './external-id.repository.js';
import type { WrittenFields } from './rich-text-input.js';

type Path = InputIssue['path'];

/** An object that names an entry by its external id, `{_external, _type}`, as it was sent. */
type Given = Readonly<Record<string, unknown>>;

const isExternal = (value: unknown): value is Given => isObject(value) && Object.hasOwn(value, '_external');

const keys: ReadonlySet<string> = new Set(['_external', '_type']);

/** Objects with `_external` in values of any kind. */
function externalsIn(values: unknown): Given[] {
  const found: Given[] = [];
  const rest: unknown[] = [values];
  while (rest.length > 0) {
    const value = rest.pop();
    if (isExternal(value)) found.push(value);
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) rest.push(part);
  }
  return found;
}

function keyOf(catalog: Catalog, { _external: externalId, _type: name }: Given): ExternalKey | undefined {
  if (typeof name !== 'string' || !ExternalId.safeParse(externalId).success) return undefined;
  const contentTypeId = catalog.contentType(name)?.id;
  return contentTypeId === undefined ? undefined : { contentTypeId, externalId: externalId as string };
}

/** Entries that items of a batch create under external ids, by key; an item is named by its index. */
export interface Creations {
  readonly ids: ReadonlyMap<string, string>;
  readonly creators: ReadonlyMap<string, readonly number[]>;
}

const noCreations: Creations = { ids: new Map(), creators: new Map() };

/** A link to an entry that an item of the batch creates. */
interface Dependency {
  readonly key: string;
  readonly issue: InputIssue;
}

function unresolved(path: Path, { _external: externalId, _type: type }: Given): InputIssue {
  const message = `There is no entry of type ${String(type)} with the external ID ${String(externalId)}.`;
  return { path: [...path, '_external'], code: 'unresolved_reference', message };
}

/** Looks up the entries that a request names by external ids, with one statement (rule entries/batch). */
export class ExternalLinks {
  /** By index of the item. */
  readonly #dependencies = new Map<number, Dependency[]>();

  private constructor(
    private readonly catalog: Catalog,
    private readonly stored: ReadonlyMap<string, string>,
    private readonly creations: Creations,
  ) {}

  /** Undefined for values without such links. Entries that the caller cannot read are not found. */
  static async read(
    work: UnitOfWork,
    { catalog, values }: { readonly catalog: Catalog; readonly values: unknown },
    create: (names: ReadonlySet<string>) => Creations = () => noCreations,
  ): Promise<ExternalLinks | undefined> {
    const given = externalsIn(values);
    if (given.length === 0) return undefined;
    const names = new Map(
      given.flatMap((one) => {
        const key = keyOf(catalog, one);
        return key === undefined ? [] : [[externalKey(key), key] as const];
      }),
    );
    const stored = await work.use(ExternalIdRepository).readable([...names.values()]);
    return new ExternalLinks(catalog, stored, create(new Set(names.keys())));
  }

  /** Whether items of the batch create what others link. */
  get areCreated(): boolean {
    return this.creations.ids.size > 0;
  }

  /** Without the entries that items create. */
  get storedOnly(): ExternalLinks {
    return new ExternalLinks(this.catalog, this.stored, noCreations);
  }

  /** Id of the entry that the item will create; undefined where no item links it. */
  idOfNew(key: ExternalKey): string | undefined {
    return this.creations.ids.get(externalKey(key));
  }

  /**
   * Replaces `{_external, _type}` by links in values of one request, or of one item of a batch.
   * @throws AppError 422 `validation_failed`
   */
  resolve<W extends WrittenFields>(written: readonly W[], index = 0): readonly W[] {
    this.#dependencies.set(index, []);
    const issues: InputIssue[] = [];
    const replace = (given: Given, path: Path): string | undefined => {
      const found = this.#find(given, path, index);
      if (typeof found === 'string') return found;
      issues.push(found);
      return undefined;
    };
    const resolved = written.map((one) => ({ ...one, fields: resolvedFields(one, replace) }));
    if (issues.length > 0) throw invalidInput(...issues.slice(0, issuesMaximum));
    return resolved;
  }

  /** Items that link an entry which none of the items will create, directly or by others that fail for it. */
  lost(items: ReadonlySet<number>): { readonly index: number; readonly issue: InputIssue }[] {
    const alive = new Set(items);
    const lost: { index: number; issue: InputIssue }[] = [];
    const isCreated = (key: string): boolean =>
      this.creations.creators.get(key)?.some((index) => alive.has(index)) === true;
    for (let count = -1; count < lost.length;) {
      count = lost.length;
      for (const index of alive) {
        const missing = this.#dependencies.get(index)?.find(({ key }) => !isCreated(key));
        if (missing === undefined) continue;
        alive.delete(index);
        lost.push({ index, issue: missing.issue });
      }
    }
    return lost;
  }

  #find(given: Given, path: Path, index: number): string | InputIssue {
    const unknown = Object.keys(given).find((key) => !keys.has(key));
    if (unknown !== undefined) {
      const message = 'A link by external ID has only the keys _external and _type.';
      return { path: [...path, unknown], code: 'unknown_key', message };
    }
    if (typeof given._type !== 'string')
      return { path: [...path, '_type'], code: 'required', message: 'A link by external ID needs _type.' };
    if (!ExternalId.safeParse(given._external).success) {
      const message = 'The external ID must be a short text.';
      return { path: [...path, '_external'], code: 'invalid_type', message };
    }
    const key = keyOf(this.catalog, given);
    const issue = unresolved(path, given);
    if (key === undefined) return issue;
    const name = externalKey(key);
    const created = this.creations.ids.get(name);
    if (created !== undefined) this.#dependencies.get(index)?.push({ key: name, issue });
    return created ?? this.stored.get(name) ?? issue;
  }
}

/** The id that replaces what was sent; undefined if there is none. */
type Replace = (given: Given, path: Path) => string | undefined;

function resolvedFields({ type, path, fields }: WrittenFields, replace: Replace): FieldValues {
  const resolved: Record<string, unknown> = { ...fields };
  for (const field of type.fields) {
    const { apiName } = field;
    const { isLink, namesEntries } = kindOf(field);
    if (!(isLink || namesEntries) || !Object.hasOwn(fields, apiName)) continue;
    const value = valueIn(fields, apiName);
    const at = [...path, 'fields', apiName];
    const one = (item: unknown, where: Path): unknown => resolvedItem(field, item, { where, replace });
    resolved[apiName] = Array.isArray(value)
      ? value.map((item, index) => one(item, [...at, index]))
      : one(value, at);
  }
  return resolved;
}

function resolvedItem(
  field: FieldDefinition,
  item: unknown,
  { where, replace }: { where: Path; replace: Replace },
): unknown {
  if (!kindOf(field).isLink) return resolvedNode(item, where, replace);
  if (!isExternal(item)) return item;
  const id = replace(item, where);
  return id === undefined ? item : { _ref: id, _type: item._type };
}

/** A node of a text that may be malformed, with its marks and children. */
function resolvedNode(node: unknown, path: Path, replace: Replace): unknown {
  if (!isObject(node)) return node;
  const { marks, content } = node;
  const attrs = resolvedAttributes(node.attrs, [...path, 'attrs'], replace);
  const each = (items: readonly unknown[], name: string): unknown[] =>
    items.map((item, index) => resolvedNode(item, [...path, name, index], replace));
  return {
    ...node,
    ...(attrs !== undefined && { attrs }),
    ...(Array.isArray(marks) && { marks: each(marks, 'marks') }),
    ...(Array.isArray(content) && { content: each(content, 'content') }),
  };
}

function resolvedAttributes(attrs: unknown, path: Path, replace: Replace): unknown {
  if (!isObject(attrs) || !isExternal(attrs.entryId)) return attrs;
  const entryId = replace(attrs.entryId, [...path, 'entryId']);
  return entryId === undefined ? attrs : { ...attrs, entryId };
}

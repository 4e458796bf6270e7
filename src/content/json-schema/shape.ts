import { typeNameOf } from '../model/api-names.js';
import { readSchema, type SchemaPart } from './read-schema.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a typed interface can express of a schema's values; `json` is everything else. */
export type ValueShape =
  | { readonly kind: 'text' | 'number' | 'boolean' | 'json' }
  | { readonly kind: 'enum'; readonly typeName: string; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly items: ValueShape; readonly hasNulls: boolean }
  | {
      readonly kind: 'object';
      readonly typeName: string;
      readonly description: string | null;
      readonly fields: readonly ShapeField[];
    };

export interface ShapeField {
  readonly name: string;
  readonly description: string | null;
  readonly shape: ValueShape;
}

/** Further types of one schema stay JSON. */
const typesMaximum = 100;

const json: ValueShape = { kind: 'json' };
const legalName = /^(?!__)[A-Za-z_][A-Za-z0-9_]{0,62}$/;
const enumWords: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** Whether GraphQL can have it as a value of an enum. */
export const isEnumName = (value: string): boolean => legalName.test(value) && !enumWords.has(value);

/** Keywords that allow several shapes. */
const choices = ['oneOf', 'anyOf', 'allOf', 'if'];
/** Keywords that make an object a map. */
const maps = ['patternProperties', 'additionalProperties', 'unevaluatedProperties'];
/** Keywords that add to a `$ref` beside them. */
const structural = ['type', 'properties', 'items', 'enum', 'const', ...choices];

/** The shape of a schema's values (rule content/custom-field-types). A nested type is named after its parent and its property. */
export function shapeOf(schema: JsonSchema, typeName: string): ValueShape {
  return new Shaper().shape(readSchema(schema).root, typeName);
}

/** Names of all types in a shape, with repetitions. */
export function typeNamesIn(shape: ValueShape): string[] {
  if (shape.kind === 'list') return typeNamesIn(shape.items);
  if (shape.kind === 'enum') return [shape.typeName];
  if (shape.kind !== 'object') return [];
  return [shape.typeName, ...shape.fields.flatMap((field) => typeNamesIn(field.shape))];
}

class Shaper {
  readonly #around = new Set<SchemaPart>();
  #types = 0;

  shape(part: SchemaPart, typeName: string): ValueShape {
    const { source, reference } = part;
    // A recursive schema has no finite type.
    if (typeof source === 'boolean' || this.#around.has(part)) return json;
    this.#around.add(part);
    const isReference = reference !== null && !structural.some((keyword) => keyword in source);
    const shape = isReference ? this.shape(reference, typeName) : this.#own(part, source, typeName);
    this.#around.delete(part);
    return shape;
  }

  #own(part: SchemaPart, source: Readonly<Record<string, unknown>>, typeName: string): ValueShape {
    if (part.reference !== null || choices.some((keyword) => keyword in source)) return json;
    const listed = 'const' in source ? [source.const] : source.enum;
    if (Array.isArray(listed)) return this.#enumeration(listed as readonly unknown[], typeName);
    const { types } = typesOf(source);
    if (types.length !== 1) return json;
    switch (types[0]) {
      case 'string':
        return { kind: 'text' };
      case 'integer':
      case 'number':
        return { kind: 'number' };
      case 'boolean':
        return { kind: 'boolean' };
      case 'array':
        return this.#list(part, source, typeName);
      case 'object':
        return this.#object(part, source, typeName);
      default:
        return json;
    }
  }

  #enumeration(listed: readonly unknown[], typeName: string): ValueShape {
    const values = listed.filter((value) => value !== null);
    const isAll = (type: string) => values.length > 0 && values.every((value) => typeof value === type);
    if (isAll('number')) return { kind: 'number' };
    if (isAll('boolean')) return { kind: 'boolean' };
    if (!isAll('string')) return json;
    const names = [...new Set(values as string[])];
    if (!names.every(isEnumName) || !this.#mayName()) return json;
    return { kind: 'enum', typeName, values: names };
  }

  #list(part: SchemaPart, source: Readonly<Record<string, unknown>>, typeName: string): ValueShape {
    const items = childOf(part, 'items');
    if (items === undefined || 'prefixItems' in source) return { kind: 'list', items: json, hasNulls: true };
    const shape = this.shape(items, typeName);
    return { kind: 'list', items: shape, hasNulls: shape.kind === 'json' || allowsNull(items) };
  }

  #object(part: SchemaPart, source: Readonly<Record<string, unknown>>, typeName: string): ValueShape {
    const properties = part.children.filter(({ keyword }) => keyword === 'properties');
    const isOpen = maps.some((keyword) => keyword in source && source[keyword] !== false);
    const isLegal = properties.every(({ key }) => legalName.test(key ?? ''));
    if (properties.length === 0 || isOpen || !isLegal || !this.#mayName()) return json;
    const fields = properties.map(({ key, part: property }) => ({
      name: key ?? '',
      description: descriptionOf(property),
      shape: this.shape(property, `${typeName}${typeNameOf(key ?? '')}`),
    }));
    return { kind: 'object', typeName, description: descriptionOf(part), fields };
  }

  #mayName(): boolean {
    this.#types += 1;
    return this.#types <= typesMaximum;
  }
}

function childOf(part: SchemaPart, keyword: string): SchemaPart | undefined {
  return part.children.find((child) => child.keyword === keyword)?.part;
}

/** The types a schema names except null; without `type`, what `properties` or `items` imply. */
function typesOf(source: Readonly<Record<string, unknown>>): { types: string[]; hasNull: boolean } {
  const named: unknown[] = 'type' in source ? [source.type].flat() : [];
  const types = named.filter((type): type is string => typeof type === 'string' && type !== 'null');
  if (named.length === 0) {
    if ('properties' in source) types.push('object');
    else if ('items' in source) types.push('array');
  }
  return { types, hasNull: named.includes('null') };
}

function allowsNull(part: SchemaPart): boolean {
  const { source, reference } = part;
  if (typeof source === 'boolean') return source;
  if (reference !== null && !structural.some((keyword) => keyword in source)) return allowsNull(reference);
  const listed = 'const' in source ? [source.const] : source.enum;
  return Array.isArray(listed) ? listed.includes(null) : typesOf(source).hasNull;
}

function descriptionOf({ source }: SchemaPart): string | null {
  if (typeof source === 'boolean') return null;
  const text = source.description ?? source.title;
  return typeof text === 'string' && text !== '' ? text : null;
}

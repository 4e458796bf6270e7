import type { SchemaObject, Schemas } from './types.js';

/** Unions of fewer alternatives stay as they are. */
const SHORTEST = 8;

type Properties = Readonly<Record<string, SchemaObject>>;

interface Variant {
  readonly properties: Properties;
  readonly required: readonly string[];
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function variantsOf({ oneOf }: SchemaObject): readonly Variant[] {
  const variants = ((oneOf ?? []) as SchemaObject[]).map(({ properties = {}, required = [] }) => ({
    properties: properties as Properties,
    required: required as string[],
  }));
  return variants.length >= SHORTEST ? variants : [];
}

/** The key whose value says which alternative it is. */
function discriminatorOf(variants: readonly Variant[]): string | undefined {
  const [first] = variants;
  return Object.keys(first?.properties ?? {}).find((name) =>
    variants.every(({ properties }) => properties[name]?.const !== undefined),
  );
}

/** What every alternative allows for a key, or any of what they allow. */
function mergedKey(name: string, variants: readonly Variant[]): SchemaObject {
  const allowed = variants.map(({ properties }) => properties[name] ?? {});
  const distinct = [...new Map(allowed.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first = {}] = distinct;
  if (distinct.length === 1) return first;
  const descriptions = [...new Set(distinct.map(({ description }) => description))];
  const description = descriptions.length === 1 ? { description: descriptions[0] } : {};
  return { anyOf: distinct, ...description };
}

/** Keys that the alternatives allow different values for, one condition for all alternatives with the same ones. */
function conditionsOf(discriminator: string, variants: readonly Variant[], base: Variant): SchemaObject[] {
  const groups = Map.groupBy(variants, ({ properties, required }) => {
    const own = Object.entries(properties).filter(([name, schema]) => !same(schema, base.properties[name]));
    const differing = Object.fromEntries(own.filter(([name]) => name !== discriminator));
    const needed = required.filter((name) => !base.required.includes(name));
    return JSON.stringify({ properties: differing, ...(needed.length > 0 && { required: needed }) });
  });
  return [...groups].map(([then, members]) => ({
    if: { properties: { [discriminator]: { enum: members.map(({ properties }) => properties[discriminator]?.const) } } },
    then: JSON.parse(then) as SchemaObject,
  }));
}

/**
 * A long union of objects that differ in a few keys as one object with conditions: many times shorter, and one type in
 * generated clients instead of one for each alternative.
 */
function foldUnion(schema: SchemaObject): SchemaObject {
  const variants = variantsOf(schema);
  const discriminator = discriminatorOf(variants);
  const [first] = variants;
  if (first === undefined || discriminator === undefined) return schema;
  const required = first.required.filter((name) => variants.every((variant) => variant.required.includes(name)));
  const names = [...new Set(variants.flatMap(({ properties }) => Object.keys(properties)))];
  const merged = Object.fromEntries(names.map((name) => [name, mergedKey(name, variants)]));
  const { description } = first.properties[discriminator] ?? {};
  const kinds = variants.map(({ properties }) => properties[discriminator]?.const);
  const properties = { ...merged, [discriminator]: { type: 'string', enum: kinds, description } };
  const { oneOf, ...other } = schema;
  const [{ additionalProperties = true } = {}] = oneOf as SchemaObject[];
  return {
    ...other,
    type: 'object',
    properties,
    required,
    ...(additionalProperties === false && { additionalProperties }),
    allOf: [{ allOf: conditionsOf(discriminator, variants, { properties: merged, required }) }],
  };
}

export const foldUnions = (schemas: Schemas): Schemas =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, foldUnion(schema)]));

/** Shorter parts than this are not worth a schema of two parts. */
const SHORTEST_BASE = 400;

/** Whether a schema has all properties of another one, and needs those that it needs. */
function extendsBase(schema: SchemaObject, base: SchemaObject): boolean {
  const [all, some] = [schema, base].map(({ properties }) => (properties ?? {}) as Properties);
  const [needed, neededByBase] = [schema, base].map(({ required }) => (required ?? []) as string[]);
  const names = Object.keys(some ?? {});
  return (
    names.length < Object.keys(all ?? {}).length &&
    [schema, base].every(({ additionalProperties }) => additionalProperties === undefined) &&
    names.every((name) => same(all?.[name], some?.[name])) &&
    (neededByBase ?? []).every((name) => needed?.includes(name) === true)
  );
}

const isBase = ({ properties, additionalProperties }: SchemaObject): boolean =>
  additionalProperties === undefined && JSON.stringify(properties ?? {}).length > SHORTEST_BASE;

/** Writes a schema that has all that another one has as that one and the rest. */
export function extendSchemas(schemas: Schemas): Schemas {
  const bases = Object.entries(schemas).filter(([, schema]) => isBase(schema));
  const sized = bases.map(([name, base]) => ({ name, base, size: Object.keys(base.properties ?? {}).length }));
  sized.sort((one, other) => other.size - one.size);
  const extended = Object.entries(schemas).map(([name, schema]): [string, SchemaObject] => {
    const found = isBase(schema) ? sized.find(({ base }) => base !== schema && extendsBase(schema, base)) : undefined;
    return [name, found === undefined ? schema : extension(schema, found)];
  });
  return Object.fromEntries(extended);
}

function extension(schema: SchemaObject, { name, base }: { name: string; base: SchemaObject }): SchemaObject {
  const { type, properties, required = [], ...other } = schema as SchemaObject & { required?: string[] };
  const inBase = new Set(Object.keys(base.properties as Properties));
  const own = Object.entries(properties as Properties).filter(([key]) => !inBase.has(key));
  const needed = required.filter((key) => !inBase.has(key));
  const rest = { type, properties: Object.fromEntries(own), ...(needed.length > 0 && { required: needed }) };
  return { ...other, allOf: [{ $ref: `#/components/schemas/${name}` }, rest] };
}

/** How often each schema is referred to. */
function countReferences(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const [, name = ''] of text.matchAll(/\{"\$ref":"#\/components\/schemas\/(\w+)"\}/g))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Writes schemas with these names where they are used if that is shorter. */
export function inlineShort<P extends { readonly schemas: Schemas }>(parts: P, names: ReadonlySet<string>): P {
  const { schemas, ...others } = parts;
  const texts = new Map(Object.entries(schemas).map(([name, schema]) => [name, JSON.stringify(schema)]));
  let rest = JSON.stringify(others);
  const counts = countReferences([rest, ...texts.values()]);
  const lengths = [...names].map((name) => [name, texts.get(name)?.length ?? 0] as const);
  for (const [name] of lengths.sort(([, one], [, other]) => one - other)) {
    const reference = `{"$ref":"#/components/schemas/${name}"}`;
    const body = texts.get(name) ?? '';
    const uses = counts.get(name) ?? 0;
    if (uses * body.length > uses * reference.length + body.length + name.length) continue;
    texts.delete(name);
    for (const [inner, count] of countReferences([body])) counts.set(inner, (counts.get(inner) ?? 0) + count * (uses - 1));
    for (const [other, text] of texts)
      if (text.includes(reference)) texts.set(other, text.replaceAll(reference, () => body));
    rest = rest.replaceAll(reference, () => body);
  }
  const kept = [...texts].map(([name, text]) => [name, JSON.parse(text) as SchemaObject] as const);
  return { ...(JSON.parse(rest) as Omit<P, 'schemas'>), schemas: Object.fromEntries(kept) } as P;
}

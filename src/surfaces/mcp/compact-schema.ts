type Json = Readonly<Record<string, unknown>>;

/** A schema with types alone. */
export type CompactSchema = Readonly<Record<string, unknown>>;

/** Keys of an object whose types are kept. */
const TYPED_KEYS = 4;

class Compactor {
  constructor(private readonly definitions: Readonly<Record<string, Json>>) {}

  /** @param levels of properties to keep */
  compact(given: Json, levels: number): CompactSchema {
    const schema = this.#resolve(given);
    const choices = (schema.anyOf ?? schema.oneOf) as readonly Json[] | undefined;
    if (choices !== undefined) return this.#compactChoices(choices, levels);
    if (schema.type === 'object')
      return levels === 0 ? { type: 'object' } : this.#compactObject(schema, levels);
    if (schema.type === 'array' && levels > 0)
      return { type: 'array', items: this.compact((schema.items ?? {}) as Json, levels) };
    return schema.type === undefined ? {} : { type: schema.type };
  }

  properties(given: Json, levels: number): Readonly<Record<string, CompactSchema>> {
    const properties = (this.#resolve(given).properties ?? {}) as Readonly<Record<string, Json>>;
    return Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [name, this.compact(part, levels)]),
    );
  }

  /** Large objects name their keys without types. */
  #compactObject(schema: Json, levels: number): CompactSchema {
    const properties = this.properties(schema, levels - 1);
    const count = Object.keys(properties).length;
    if (count > TYPED_KEYS) return { type: 'object', required: schema.required ?? [] };
    return { type: 'object', ...(count > 0 && { properties }) };
  }

  /** Simple alternatives, such as null, become one list of types. */
  #compactChoices(choices: readonly Json[], levels: number): CompactSchema {
    const compacted = choices.map((choice) => this.compact(choice, levels));
    const isSimple = compacted.every((choice) => Object.keys(choice).join() === 'type');
    if (!isSimple) return { anyOf: compacted };
    const types = [...new Set(compacted.flatMap(({ type }) => type as string | string[]))];
    return { type: types.length === 1 ? types[0] : types };
  }

  #resolve(schema: Json): Json {
    const { $ref: reference } = schema;
    if (typeof reference !== 'string') return schema;
    return this.definitions[reference.replace('#/$defs/', '')] ?? {};
  }
}

/** Properties of an object schema, down to some levels, without anything but their types. */
export function compactProperties(schema: Json, levels: number): Readonly<Record<string, CompactSchema>> {
  const definitions = (schema.$defs ?? {}) as Readonly<Record<string, Json>>;
  return new Compactor(definitions).properties(schema, levels);
}

/** The items of a list with only these keys, whose types it leaves out. */
export const pickItemKeys = (list: CompactSchema, keys: readonly string[]): CompactSchema => ({
  ...list,
  items: { type: 'object', required: keys },
});

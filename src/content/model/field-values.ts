/** Values of an entry in one locale, by the apiName of the field. A field that is absent or null is not set. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** The value of a field, or undefined: never something that every object inherits. */
export function valueIn(values: FieldValues, apiName: string): unknown {
  return Object.hasOwn(values, apiName) ? values[apiName] : undefined;
}

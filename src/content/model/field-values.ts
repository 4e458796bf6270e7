/** Values of an entry in one locale by `apiName`. Absent and null both mean not set. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** The value of a field, never an inherited property. */
export function valueIn(values: FieldValues, apiName: string): unknown {
  return Object.hasOwn(values, apiName) ? values[apiName] : undefined;
}

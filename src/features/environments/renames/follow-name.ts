/** A name that changes in one environment. */
export interface NameChange {
  readonly from: string;
  readonly to: string;
  /** Whether another environment of the project still has the former name. */
  readonly isKept: boolean;
  /** Whether the environment is the default one, which single names follow in any case. */
  readonly isDefault: boolean;
}

/** A list that names the former name also gets the new one, which replaces it once no environment has it. */
export function followInList(names: readonly string[], { from, to, isKept }: NameChange): readonly string[] {
  if (!names.includes(from)) return names;
  const followed = names.flatMap((name) => (name !== from ? [name] : isKept ? [from, to] : [to]));
  return [...new Set(followed)];
}

/** A name that has room for one only. */
export const followSingle = (name: string, { from, to, isKept, isDefault }: NameChange): string =>
  name === from && (isDefault || !isKept) ? to : name;

const FIELD = 'fields.';

/** The change of a key such as `fields.title`. */
export const ofFieldKeys = (change: NameChange): NameChange => ({
  ...change,
  from: FIELD + change.from,
  to: FIELD + change.to,
});

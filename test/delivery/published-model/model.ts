/** Content of one environment as it should be, by keys that no rename changes. */

export const locales = ['en', 'de'] as const;
export type Locale = (typeof locales)[number];

export type Kind = 'text' | 'longText' | 'integer' | 'boolean' | 'json' | 'reference';

export interface ModelField {
  readonly key: number;
  name: string;
  kind: Kind;
  localized: boolean;
  isList: boolean;
}

export interface ModelType {
  readonly key: number;
  name: string;
  fields: ModelField[];
}

/** Values by the key of their field; those of references are ids of entries. Unset values are absent. */
export type Values = Map<number, unknown>;

export interface ModelEntry {
  readonly id: string;
  readonly type: number;
  /** Values of fields that are not localized. */
  readonly shared: Values;
  readonly drafts: Map<Locale, Values>;
  /** Published values, shared ones included. */
  readonly live: Map<Locale, Values>;
}

export interface Model {
  readonly types: ModelType[];
  readonly entries: ModelEntry[];
}

export const copyOf = (model: Model): Model => structuredClone(model);

export const typeOf = ({ types }: Model, { type }: ModelEntry): ModelType => {
  const found = types.find(({ key }) => key === type);
  if (found === undefined) throw new Error(`no type ${String(type)}`);
  return found;
};

/** Every map of values of the type's entries. */
export function valuesOf({ entries }: Model, type: ModelType): Values[] {
  const own = entries.filter((entry) => entry.type === type.key);
  return own.flatMap(({ shared, drafts, live }) => [shared, ...drafts.values(), ...live.values()]);
}

export function setValue(
  entry: ModelEntry,
  { key, localized }: ModelField,
  { locale, value }: { locale: Locale; value: unknown },
): void {
  const held = localized ? draftOf(entry, locale) : entry.shared;
  if (value === undefined) held.delete(key);
  else held.set(key, value);
}

export function draftOf({ drafts }: ModelEntry, locale: Locale): Values {
  const held = drafts.get(locale) ?? new Map<number, unknown>();
  drafts.set(locale, held);
  return held;
}

export function publishIn(entry: ModelEntry, locale: Locale): void {
  const own = entry.drafts.get(locale);
  if (own !== undefined) entry.live.set(locale, new Map([...entry.shared, ...own]));
}

/** A field becomes a list, whose first value remains when it becomes a single value again. */
export function reshape(model: Model, type: ModelType, field: ModelField): void {
  field.isList = !field.isList;
  for (const values of valuesOf(model, type)) {
    const value = values.get(field.key);
    if (value === undefined) continue;
    const shaped = field.isList ? [value] : (value as unknown[])[0];
    if (shaped === undefined) values.delete(field.key);
    else values.set(field.key, shaped);
  }
}

/** Drafts get the shared value in every locale, or share that of the default one; what is live stays. */
export function relocate({ entries }: Model, type: ModelType, field: ModelField): void {
  const { key } = field;
  field.localized = !field.localized;
  for (const { shared, drafts } of entries.filter((entry) => entry.type === type.key)) {
    const kept = field.localized
      ? shared.get(key)
      : (drafts.get('en')?.get(key) ?? drafts.get('de')?.get(key));
    shared.delete(key);
    for (const values of drafts.values()) values.delete(key);
    if (kept === undefined) continue;
    for (const values of field.localized ? drafts.values() : [shared]) values.set(key, kept);
  }
}

/** An entry as REST delivery shows it, without what the service chooses. */
export interface Shown {
  readonly id: string;
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Place {
  readonly locale: Locale;
  readonly hops: number;
  readonly path: readonly string[];
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

export const linkTo = (model: Model, id: string): unknown => {
  const target = model.entries.find((entry) => entry.id === id);
  return { _ref: id, _type: target && typeOf(model, target).name };
};

function shownLink(model: Model, id: string, { locale, hops, path }: Place): unknown {
  const target = model.entries.find((entry) => entry.id === id);
  const isShown = hops > 0 && target?.live.has(locale) === true && !path.includes(id);
  return isShown ? shown(model, target, { locale, hops: hops - 1, path }) : linkTo(model, id);
}

/** A published entry with its references expanded. */
export function shown(model: Model, entry: ModelEntry, { locale, hops, path }: Place): Shown {
  const type = typeOf(model, entry);
  const values = entry.live.get(locale) ?? new Map<number, unknown>();
  const place = { locale, hops, path: [...path, entry.id] };
  const fields = type.fields.map(({ key, name, kind, isList }) => {
    const value = values.get(key);
    if (value === undefined) return [name, isList ? [] : null];
    if (kind !== 'reference') return [name, value];
    const links = asList(value).map((id) => shownLink(model, String(id), place));
    return [name, isList ? links : links[0]];
  });
  return { id: entry.id, type: type.name, fields: Object.fromEntries(fields) as Shown['fields'] };
}

/** A published entry as GraphQL shows it: targets that are not live are left out, cycles end with the query. */
export function answered(model: Model, entry: ModelEntry, { locale, hops }: Omit<Place, 'path'>): object {
  const type = typeOf(model, entry);
  const values = entry.live.get(locale) ?? new Map<number, unknown>();
  const fields = type.fields.flatMap(({ key, name, kind, isList }) => {
    const alias = `${type.name}_${name}`;
    const value = values.get(key);
    if (kind !== 'reference') return [[alias, value ?? (isList ? [] : null)] as const];
    if (hops === 0) return [];
    const targets = (value === undefined ? [] : asList(value)).flatMap((id) => {
      const target = model.entries.find((one) => one.id === id);
      return target?.live.has(locale) === true ? [answered(model, target, { locale, hops: hops - 1 })] : [];
    });
    return [[alias, isList ? targets : (targets[0] ?? null)] as const];
  });
  return { _id: entry.id, ...Object.fromEntries(fields) };
}

/** The draft of an entry as management shows it, without unset values. */
export function drafted(model: Model, entry: ModelEntry, locale: Locale): object {
  const type = typeOf(model, entry);
  const values = new Map([...entry.shared, ...(entry.drafts.get(locale) ?? [])]);
  const fields = type.fields.flatMap(({ key, name, kind, isList }) => {
    const value = values.get(key);
    if (value === undefined) return [];
    if (kind !== 'reference') return [[name, value] as const];
    const links = asList(value).map((id) => linkTo(model, String(id)));
    return [[name, isList ? links : links[0]] as const];
  });
  return Object.fromEntries(fields);
}

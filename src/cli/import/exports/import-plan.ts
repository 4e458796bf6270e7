import { readFile, writeFile } from 'node:fs/promises';
import { parseDocument, stringify } from 'yaml';
import { z } from 'zod';
import { fieldKinds, type FieldKind } from '../../../../contracts/content/fields/field-kinds.js';
import { ApiName, LocaleCode, Name } from '../../../../contracts/primitives.js';
import { AssetLink, type ExportSource, type SourceField, type SourceType } from './export-source.js';

const FieldMapping = z.strictObject({ apiName: ApiName, kind: z.enum(fieldKinds), required: z.boolean() });
const TypeMapping = z.strictObject({
  apiName: ApiName,
  fields: z.record(z.string(), FieldMapping.nullable()),
});

/** What becomes of the parts of an export, by their ids in it. Null leaves one out. */
const Mapping = z.strictObject({
  system: z.string(),
  locales: z.record(z.string(), LocaleCode.nullable()),
  authors: z.record(z.string(), Name.nullable()),
  types: z.record(z.string(), TypeMapping.nullable()),
});
type Mapping = z.infer<typeof Mapping>;

const HEADER = `# What becomes of the parts of the export. Edit the right sides: names, kinds and locales.
# null leaves a part out. Kinds that can be changed: text, longText, slug, richText (read as Markdown) and json.
`;

/** A field that is imported. */
interface PlannedField {
  readonly source: SourceField;
  readonly apiName: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
}

export interface PlannedType {
  readonly source: SourceType;
  readonly apiName: string;
  readonly fields: readonly PlannedField[];
}

export interface ImportPlan {
  readonly source: ExportSource;
  /** Codes of the project by those of the export. */
  readonly locales: ReadonlyMap<string, string>;
  readonly authors: ReadonlyMap<string, string>;
  /** By id. */
  readonly types: ReadonlyMap<string, PlannedType>;
  /** Names of the parts that the mapping leaves out, by kind. */
  readonly skipped: { readonly locale: number; readonly type: number; readonly field: number };
}

const isStored = ({ assets }: ExportSource) => {
  const files = new Set(assets.flatMap(({ id, file }) => (file === undefined ? [] : [id])));
  return (value: unknown): boolean => !(value instanceof AssetLink) || files.has(value.id);
};

/** Required fields, as `[type, field]`, without a value in a published entry. They would keep it a draft. */
function incompleteFields(source: ExportSource): Map<string, Set<string>> {
  const isThere = isStored(source);
  const hasValue = (value: unknown): boolean =>
    Array.isArray(value) ? value.some(isThere) : value !== undefined && value !== '' && isThere(value);
  const required = new Map(
    source.types.map(({ id, fields }) => [id, fields.filter((field) => field.required)]),
  );
  const found = new Map<string, Set<string>>();
  for (const { type, isPublished, versions } of source.entries)
    for (const [index, { fields }] of isPublished ? versions.entries() : [])
      for (const { id, localized } of required.get(type) ?? [])
        if ((localized || index === 0) && !hasValue(fields.get(id)))
          found.set(type, (found.get(type) ?? new Set()).add(id));
  return found;
}

function mappingOf(source: ExportSource): Mapping {
  const incomplete = incompleteFields(source);
  const mapField = (type: SourceType, { id, apiName, type: kind, required }: SourceField) => {
    const isRequired = required && incomplete.get(type.id)?.has(id) !== true;
    return [id, { apiName, kind, required: isRequired }] as const;
  };
  const localeOf = (code: string): string | null => {
    const canonical = Intl.getCanonicalLocales(code.replaceAll('_', '-'))[0];
    return LocaleCode.safeParse(canonical).data ?? null;
  };
  return {
    system: source.system,
    locales: Object.fromEntries(source.locales.map(({ code }) => [code, orNull(() => localeOf(code))])),
    authors: Object.fromEntries(
      [...source.authors].map(([id, name]) => [id, Name.safeParse(name).data ?? null]),
    ),
    types: Object.fromEntries(
      source.types.map((type) => [
        type.id,
        {
          apiName: type.apiName,
          fields: Object.fromEntries(type.fields.map((field) => mapField(type, field))),
        },
      ]),
    ),
  };
}

function orNull<T>(make: () => T): T | null {
  try {
    return make();
  } catch {
    return null;
  }
}

/** @throws Error with one line for people */
async function readMapping(file: string): Promise<Mapping | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`The mapping ${file} cannot be read.`, { cause: error });
  }
  const document = parseDocument(text, { uniqueKeys: true, merge: false });
  const [problem] = document.errors;
  if (problem !== undefined) throw new Error(`The mapping ${file}: ${problem.message.split('\n')[0] ?? ''}`);
  const result = Mapping.safeParse(orNull((): unknown => document.toJS({ maxAliasCount: 0 })));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new Error(`The mapping ${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

const texts: readonly FieldKind[] = ['text', 'longText', 'slug'];

/** Values of the first kind can be read as the second one. */
const isReadable = (from: FieldKind, to: FieldKind): boolean =>
  from === to ||
  (texts.includes(from) && [...texts, 'richText', 'json'].includes(to)) ||
  (to === 'json' && !['reference', 'media', 'richText', 'blocks'].includes(from)) ||
  (from === 'select' && texts.includes(to));

function plannedType(
  source: SourceType,
  mapping: NonNullable<Mapping['types'][string]>,
  file: string,
): PlannedType {
  const fields = source.fields.flatMap((field): PlannedField[] => {
    const own = mapping.fields[field.id];
    if (own === null || own === undefined) return [];
    if (!isReadable(field.type, own.kind))
      throw new Error(
        `The mapping ${file}: ${source.id}.${field.id} has ${field.type} values, which cannot be read as ${own.kind}.`,
      );
    return [{ source: field, apiName: own.apiName, kind: own.kind, isRequired: own.required }];
  });
  const twice = fields.find(
    (field, index) => fields.findIndex(({ apiName }) => apiName === field.apiName) < index,
  );
  if (twice !== undefined)
    throw new Error(`The mapping ${file}: ${source.id} has two fields ${twice.apiName}.`);
  return { source, apiName: mapping.apiName, fields };
}

/** @throws Error with one line for people if the mapping is that of another export */
function assertComplete(source: ExportSource, mapping: Mapping, file: string): void {
  const unknown = (what: string, known: readonly string[], named: object): void => {
    for (const name of Object.keys(named))
      if (!known.includes(name))
        throw new Error(`The mapping ${file} names the ${what} ${name}, which the export does not have.`);
    for (const name of known)
      if (!Object.hasOwn(named, name))
        throw new Error(
          `The mapping ${file} lacks the ${what} ${name}. Say null to leave it out, or delete the file.`,
        );
  };
  unknown('system', [source.system], { [mapping.system]: true });
  unknown(
    'locale',
    source.locales.map(({ code }) => code),
    mapping.locales,
  );
  unknown(
    'type',
    source.types.map(({ id }) => id),
    mapping.types,
  );
  for (const { id, fields } of source.types) {
    const type = mapping.types[id];
    if (type)
      unknown(
        `field of ${id}`,
        fields.map((field) => field.id),
        type.fields,
      );
  }
}

function planOf(source: ExportSource, mapping: Mapping, file: string): ImportPlan {
  assertComplete(source, mapping, file);
  const types = source.types.flatMap((type): [string, PlannedType][] => {
    const own = mapping.types[type.id];
    return own ? [[type.id, plannedType(type, own, file)]] : [];
  });
  const names = new Set(types.map(([, { apiName }]) => apiName));
  if (names.size < types.length) throw new Error(`The mapping ${file} gives two types the same apiName.`);
  const kept = <T>(record: Readonly<Record<string, T | null>>): Map<string, T> =>
    new Map(Object.entries(record).flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
  const locales = kept(mapping.locales);
  const offered = types.reduce((sum, [, type]) => sum + type.source.fields.length, 0);
  const skipped = {
    locale: source.locales.length - locales.size,
    type: source.types.length - types.length,
    field: offered - types.reduce((sum, [, { fields }]) => sum + fields.length, 0),
  };
  return { source, locales, authors: kept(mapping.authors), types: new Map(types), skipped };
}

/** Reports what the plan changes in the model, and authors without a name. */
function loseRules({ source, types, authors }: ImportPlan): void {
  for (const [id, name] of authors)
    if (id === name)
      source.losses.add('other', `user ${id}`, [
        'the name',
        'The export has the id of the author alone, which is shown as the name.',
        'Write the name into the mapping, under authors.',
      ]);
  for (const type of types.values())
    for (const { source: field, isRequired } of type.fields)
      if (field.required && !isRequired)
        source.losses.add('field', `${type.source.id}.${field.id}`, [
          'required',
          'A published entry has no value, or its file is missing.',
          'Add the values, then make the field required.',
        ]);
}

/**
 * The plan of a mapping, or the default one if the file does not exist.
 * @throws Error with one line for people
 */
export async function makePlan(source: ExportSource, file: string | undefined): Promise<ImportPlan> {
  const mapping = file === undefined ? undefined : await readMapping(file);
  const plan = planOf(source, mapping ?? mappingOf(source), file ?? 'of the export');
  if (plan.locales.size === 0) throw new Error('The mapping leaves out every locale.');
  loseRules(plan);
  return plan;
}

/** Writes the default mapping unless the file exists. @returns whether it was written */
export async function writeMapping(source: ExportSource, file: string): Promise<boolean> {
  try {
    await writeFile(file, `${HEADER}${stringify(mappingOf(source), { lineWidth: 0 })}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new Error(`The mapping ${file} cannot be written.`, { cause: error });
  }
}

import type { FieldKind } from '../../../../contracts/content/fields/field-kinds.js';
import type { ColumnMapping, ExportSource, SourceField, SourceType, TableColumns } from './export-source.js';
import { mappingOf, readMapping, type Mapping } from './import-mapping.js';

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
  readonly columns?: TableColumns | undefined;
  /** How columns of a table are read, by their names. */
  readonly cells: ReadonlyMap<string, ColumnMapping>;
  /** Names of the parts that the mapping leaves out, by kind. */
  readonly skipped: { readonly locale: number; readonly type: number; readonly field: number };
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
  { file, table }: { file: string; table: ExportSource['table'] },
): PlannedType {
  const fields = source.fields.flatMap((field): PlannedField[] => {
    const own = mapping.fields[field.id];
    if (own === null || own === undefined) return [];
    if (table !== undefined) {
      const column = table.fieldOf(field.id, own);
      return [{ source: column, apiName: own.apiName, kind: own.kind, isRequired: own.required }];
    }
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
    return own ? [[type.id, plannedType(type, own, { file, table: source.table })]] : [];
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
  // The default locale of the site, which a table need not name.
  if (source.table !== undefined) locales.set('', '');
  const cells = source.types.flatMap(({ id }) => [...kept(mapping.types[id]?.fields ?? {})]);
  return {
    source,
    locales,
    authors: kept(mapping.authors),
    types: new Map(types),
    columns: mapping.columns,
    cells: new Map(cells),
    skipped,
  };
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

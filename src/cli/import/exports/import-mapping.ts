import { readFile, writeFile } from 'node:fs/promises';
import { parseDocument, stringify } from 'yaml';
import { z } from 'zod';
import { fieldKinds } from '../../../../contracts/content/fields/field-kinds.js';
import { ApiName, LocaleCode, Name } from '../../../../contracts/primitives.js';
import {
  AssetLink,
  BlockValue,
  isPublishedVersion,
  type ExportSource,
  type SourceField,
  type SourceType,
} from './export-source.js';

const FieldMapping = z.strictObject({
  apiName: ApiName,
  kind: z.enum(fieldKinds),
  required: z.boolean(),
  separator: z.string().min(1).max(10).optional(),
  to: ApiName.optional(),
});
const column = z.string().nullable();
const Columns = z.strictObject({
  id: column,
  slug: column,
  published: z.union([z.boolean(), z.string()]),
  createdAt: column,
  updatedAt: column,
  publishedAt: column,
  author: column,
});
const TypeMapping = z.strictObject({
  apiName: ApiName,
  fields: z.record(z.string(), FieldMapping.nullable()),
});

/** What becomes of the parts of an export, by their ids in it. Null leaves one out. */
const Mapping = z.strictObject({
  system: z.string(),
  locales: z.record(z.string(), LocaleCode.nullable()),
  authors: z.record(z.string(), Name.nullable()),
  columns: Columns.optional(),
  types: z.record(z.string(), TypeMapping.nullable()),
});
export type Mapping = z.infer<typeof Mapping>;

const HEADER = `# What becomes of the parts of the export. Edit the right sides: names, kinds and locales.
# null leaves a part out. Kinds that can be changed: text, longText, slug, richText (read as Markdown) and json.
`;

const TABLE_HEADER = `# What becomes of the columns. Edit the right sides: names, kinds and locales. null leaves a part out.
# columns: which column has the external id, the slug and other facts of an entry; published: true, false or a column.
# Kinds: text, longText, slug, richText (read as Markdown), integer, number, boolean, date, dateTime, select, url, email,
# color, json, media (file or URL) and reference (an external id; to: apiName of the content type).
# separator: a cell has several values.
`;

const isStored = ({ assets }: ExportSource) => {
  const files = new Set(assets.flatMap(({ id, file }) => (file === undefined ? [] : [id])));
  return (value: unknown): boolean => !(value instanceof AssetLink) || files.has(value.id);
};

/** Blocks on every level. */
function* blocksIn(values: readonly unknown[]): Generator<BlockValue> {
  for (const value of values)
    if (Array.isArray(value)) yield* blocksIn(value);
    else if (value instanceof BlockValue) {
      yield value;
      yield* blocksIn(value.fields.map(([, own]) => own));
    }
}

/** Required fields, as `[type, field]`, without a value in a published entry. They would keep it a draft. */
function incompleteFields(source: ExportSource): Map<string, Set<string>> {
  const isThere = isStored(source);
  const hasValue = (value: unknown): boolean =>
    Array.isArray(value) ? value.some(isThere) : value !== undefined && value !== '' && isThere(value);
  const required = new Map(
    source.types.map(({ id, fields }) => [id, fields.filter((field) => field.required)]),
  );
  const found = new Map<string, Set<string>>();
  const check = (type: string, valueOf: (field: string) => unknown, isFirst: boolean): void => {
    for (const { id, localized } of required.get(type) ?? [])
      if ((localized || isFirst) && !hasValue(valueOf(id)))
        found.set(type, (found.get(type) ?? new Set()).add(id));
  };
  const mayLack = (type: string): boolean => (required.get(type) ?? []).length > 0;
  const blocksMayLack = source.types.some(({ id, isBlock }) => isBlock === true && mayLack(id));
  // Versions may be read from the export each time.
  for (const entry of source.entries.filter(({ type }) => blocksMayLack || mayLack(type)))
    for (const [index, version] of entry.versions.entries()) {
      if (!isPublishedVersion(entry, version)) continue;
      check(entry.type, (id) => version.fields.get(id), index === 0);
      for (const { type, fields } of blocksIn([...version.fields.values()])) {
        const values = new Map(fields);
        check(type, (id) => values.get(id), true);
      }
    }
  return found;
}

/** The default mapping. */
export function mappingOf(source: ExportSource): Mapping {
  const incomplete = incompleteFields(source);
  const mapField = (type: SourceType, { id, apiName, type: kind, required }: SourceField) => {
    const isRequired = required && incomplete.get(type.id)?.has(id) !== true;
    if (source.table !== undefined) return [id, source.table.mappingOf(id)] as const;
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
    ...(source.table && { columns: source.table.columns }),
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
export async function readMapping(file: string): Promise<Mapping | undefined> {
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

/** Writes the default mapping, as JSON or YAML, unless the file exists. @returns whether it was written */
export async function writeMapping(source: ExportSource, file: string): Promise<boolean> {
  try {
    const header = source.table === undefined ? HEADER : TABLE_HEADER;
    const mapping = mappingOf(source);
    const text = file.endsWith('.json')
      ? `${JSON.stringify(mapping, null, 2)}\n`
      : `${header}${stringify(mapping, { lineWidth: 0 })}`;
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new Error(`The mapping ${file} cannot be written.`, { cause: error });
  }
}

import { z } from 'zod';
import { limits } from '../../limits.js';
import { ApiName, Description, Name } from '../../primitives.js';
import { fieldKindOptions, fieldKinds, type FieldKind } from './field-kinds.js';

/** Rule content/fields. */
export const Field = z
  .object({
    id: z.string(),
    apiName: z.string(),
    name: z.string(),
    type: z.enum(fieldKinds).meta({ description: 'The field kind.' }),
    description: z.string().nullable(),
    required: z.boolean().meta({ description: 'Checked at publish.' }),
    localized: z.boolean().meta({ description: 'Whether each locale has its own value.' }),
    unique: z.boolean().meta({ description: 'Checked at publish, among entries of the type.' }),
    isList: z.boolean(),
    defaultValue: z
      .unknown()
      .meta({ description: 'Value of new entries that omit the field. Null means none.' }),
    position: z.int().meta({ description: 'Place among the fields, starting at 0.' }),
    group: z.string().nullable(),
    hidden: z.boolean(),
    deprecated: z.boolean(),
    settings: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Settings of the field kind: options, contentTypes, sourceField …' }),
    validations: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Constraints on values: minLength, pattern, min, max …' }),
  })
  .meta({ id: 'Field', description: 'A field of a content type.' });
export type Field = z.infer<typeof Field>;

const ownKeys = {
  name: Name,
  description: Description.nullish(),
  required: z.boolean().optional(),
  localized: z
    .boolean()
    .optional()
    .meta({ description: 'Defaults to true if the type is localized and the kind is translatable.' }),
  unique: z.boolean().optional(),
  isList: z.boolean().optional(),
  defaultValue: z.unknown().optional(),
  position: z.int().min(0).max(limits.fieldsPerContentType).optional(),
  group: Name.nullish(),
  hidden: z.boolean().optional(),
  deprecated: z.boolean().optional(),
};

/** Strict: accepts the options of its kind only. */
const definition = <K extends FieldKind>(kind: K) => {
  const { settings, validations } = fieldKindOptions[kind];
  const needsSettings = !settings.safeParse({}).success;
  return z
    .strictObject({
      apiName: ApiName,
      type: z.literal(kind).meta({ description: 'Kind of the field.' }),
      ...ownKeys,
      name: Name.optional(),
      settings: needsSettings ? settings : settings.optional(),
      validations: validations.optional(),
    })
    .meta({ title: `${kind} field` });
};

const [firstKind, ...otherKinds] = fieldKinds;

/** The input of a new field of any kind. */
export interface FieldInput {
  apiName: string;
  type: FieldKind;
  name?: string | undefined;
  description?: string | null | undefined;
  required?: boolean | undefined;
  localized?: boolean | undefined;
  unique?: boolean | undefined;
  isList?: boolean | undefined;
  defaultValue?: unknown;
  position?: number | undefined;
  group?: string | null | undefined;
  hidden?: boolean | undefined;
  deprecated?: boolean | undefined;
  settings?: Record<string, unknown> | undefined;
  validations?: Record<string, unknown> | undefined;
}

/** A field in a schema document, where the order of the fields gives their positions. */
export interface SchemaField extends Omit<FieldInput, 'position'> {
  renamedFrom?: string | undefined;
}

const inSchema = (kind: FieldKind) =>
  definition(kind)
    .omit({ position: true })
    .extend({
      renamedFrom: ApiName.optional().meta({
        description: 'Former apiName. If only this one exists, the field is renamed and keeps its values.',
      }),
    });

/** Typed as {@link FieldInput}. */
export const SchemaField = z
  .discriminatedUnion('type', [inSchema(firstKind), ...otherKinds.map((kind) => inSchema(kind))])
  .meta({
    id: 'SchemaField',
    description: 'A field in a schema document.',
    example: { apiName: 'title', name: 'Title', type: 'text', required: true },
  }) as unknown as z.ZodType<SchemaField, SchemaField>;

/**
 * A union by kind at run time, typed as all kinds together: a mapped union's inferred type cannot be written by
 * callers.
 */
export const FieldInput = z
  .discriminatedUnion('type', [definition(firstKind), ...otherKinds.map((kind) => definition(kind))])
  .meta({
    id: 'FieldInput',
    description: 'Definition of a new field.',
    example: { apiName: 'title', name: 'Title', type: 'text', required: true },
  }) as unknown as z.ZodType<FieldInput, FieldInput>;

/** `settings` and `validations` replace the stored ones. */
export const fieldChange = {
  ...ownKeys,
  name: Name.optional(),
  type: z.enum(fieldKinds).optional().meta({ description: 'Kind of the field.' }),
  settings: z.record(z.string(), z.unknown()).optional(),
  validations: z.record(z.string(), z.unknown()).optional(),
};

/** For operations with one flat input object; {@link fieldKindOptions} checks the options. */
export const flatFieldInput = {
  apiName: ApiName,
  ...ownKeys,
  name: Name.optional(),
  type: z.enum(fieldKinds).meta({ description: 'The field kind.' }),
  settings: z.record(z.string(), z.unknown()).optional(),
  validations: z.record(z.string(), z.unknown()).optional(),
};

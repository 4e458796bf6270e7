import { z } from 'zod';
import { limits } from '../../limits.js';
import { keysIn, ApiName, Description, JsonSchema, Name, observed, Timestamp } from '../../primitives.js';

const GraphqlTypeName = z
  .string()
  .regex(/^[A-Z][A-Za-z0-9]{0,62}$/, 'must be a capital letter and at most 62 letters and digits')
  .meta({
    description: 'Name of the GraphQL type. Null means the scalar JSON.',
    example: 'Money',
  });

const Editor = z
  .strictObject({
    kind: z.enum(['json', 'iframe']).meta({ description: 'How editors write the value.' }),
    url: z
      .url({ protocol: /^https?$/ })
      .max(limits.urlLength)
      .optional()
      .meta({
        description: 'URL of the editor page. Required for iframe.',
        example: 'https://example.com/editor',
      }),
    options: z.record(z.string(), z.unknown()).optional().meta({ description: 'Options for the editor.' }),
  })
  .refine(({ kind, url }) => kind !== 'iframe' || url !== undefined, {
    path: ['url'],
    error: 'an editor in a frame needs a url',
  })
  .meta({
    id: 'FieldEditor',
    description: 'How editors show a value.',
    if: { properties: { kind: { const: 'iframe' } }, required: ['kind'] },
    then: keysIn('url'),
  });

const IndexAs = z
  .enum(['none', 'text', 'number', 'date'])
  .meta({ description: 'How values are indexed for search.', example: 'none' });

/** Rule content/custom-field-types. */
export const CustomFieldType = z
  .object({
    id: z.string(),
    apiName: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    jsonSchema: JsonSchema,
    graphqlTypeName: z.string().nullable(),
    defaultValue: z.unknown().meta({ description: 'Default value of fields of the type. Null means none.' }),
    editor: Editor.nullable(),
    indexAs: IndexAs,
    version: z.int().meta({ description: 'Increases with every change.' }),
    usageCount: observed(z.int().meta({ description: 'Number of fields of the type.' })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'CustomFieldType', description: 'A project-defined field kind, described by a JSON Schema.' });
export type CustomFieldType = z.infer<typeof CustomFieldType>;

const ownKeys = {
  description: Description.nullish(),
  graphqlTypeName: GraphqlTypeName.nullish(),
  defaultValue: z.unknown().optional().meta({ description: 'Must match the schema. Null means none.' }),
  editor: Editor.nullish(),
  indexAs: IndexAs.optional(),
};

export const customFieldTypeInput = { apiName: ApiName, name: Name, jsonSchema: JsonSchema, ...ownKeys };

/** Excludes `apiName`, by which fields refer to the type. */
export const customFieldTypeChange = { name: Name.optional(), jsonSchema: JsonSchema.optional(), ...ownKeys };

/** One per field or stored value that does not match the new schema. */
export const CustomFieldTypeWarning = z
  .object({
    code: z.enum([
      'value_invalid',
      'default_invalid',
      'revalidation_incomplete',
      'graphql_type_not_derivable',
    ]),
    message: z.string(),
    entryId: z.string().optional(),
    contentTypeApiName: z.string().optional(),
    fieldApiName: z.string().optional(),
    locale: z.string().nullable().optional().meta({ description: 'Null for a value shared by all locales.' }),
    path: z
      .array(z.union([z.string(), z.int()]))
      .optional()
      .meta({ description: 'Path of the mismatch in the value.', example: ['amount'] }),
  })
  .meta({
    id: 'CustomFieldTypeWarning',
    description: 'A warning about fields or entries affected by a change.',
  });
export type CustomFieldTypeWarning = z.infer<typeof CustomFieldTypeWarning>;

import { z } from 'zod';
import { limits } from '../limits.js';
import { ApiName, Description, JsonSchema, Name, Timestamp } from '../primitives.js';

const GraphqlTypeName = z
  .string()
  .regex(/^[A-Z][A-Za-z0-9]{0,62}$/, 'must be a capital letter and at most 62 letters and digits')
  .meta({
    description: 'Name of the GraphQL type; without one values are of the scalar JSON.',
    example: 'Money',
  });

/** How editors show a value: as JSON, or through a page of the project's own in a frame. */
const Editor = z
  .strictObject({
    kind: z.enum(['json', 'iframe']),
    url: z
      .url({ protocol: /^https?$/ })
      .max(limits.urlLength)
      .optional()
      .meta({ description: 'Page of the editor; needed by iframe.', example: 'https://example.com/editor' }),
    options: z.record(z.string(), z.unknown()).optional().meta({ description: 'Options for the editor.' }),
  })
  .refine(({ kind, url }) => kind !== 'iframe' || url !== undefined, {
    path: ['url'],
    error: 'an editor in a frame needs a url',
  })
  .meta({ id: 'FieldEditor', description: 'How editors show a value.' });

const IndexAs = z
  .enum(['none', 'text', 'number', 'date'])
  .meta({ description: 'How search understands values.', example: 'none' });

/** A custom field type (decisions 2.8). */
export const CustomFieldType = z
  .object({
    id: z.string(),
    apiName: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    jsonSchema: JsonSchema,
    graphqlTypeName: z.string().nullable(),
    defaultValue: z
      .unknown()
      .meta({ description: 'Value that fields of the type begin with; null for none.' }),
    editor: Editor.nullable(),
    indexAs: IndexAs,
    version: z.int().meta({ description: 'Goes up with every change.' }),
    usageCount: z.int().meta({ description: 'Fields of the type.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'CustomFieldType', description: 'A kind of value that a project defines by a JSON Schema.' });
export type CustomFieldType = z.infer<typeof CustomFieldType>;

const ownKeys = {
  description: Description.nullish(),
  graphqlTypeName: GraphqlTypeName.nullish(),
  defaultValue: z.unknown().optional().meta({ description: 'Must fit the schema; null for none.' }),
  editor: Editor.nullish(),
  indexAs: IndexAs.optional(),
};

/** Keys of a new custom field type. */
export const customFieldTypeInput = { apiName: ApiName, name: Name, jsonSchema: JsonSchema, ...ownKeys };

/** Keys of a change. `apiName` is not among them: fields name their type by it. */
export const customFieldTypeChange = { name: Name.optional(), jsonSchema: JsonSchema.optional(), ...ownKeys };

/** A remark on a custom field type that was written; one per value that does not fit a new schema. */
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
    locale: z.string().nullable().optional().meta({ description: 'Null for a value of all locales.' }),
    path: z
      .array(z.union([z.string(), z.int()]))
      .optional()
      .meta({ description: 'Place of the mismatch in the value.' }),
  })
  .meta({
    id: 'CustomFieldTypeWarning',
    description: 'A remark on what a change means for fields and entries.',
  });
export type CustomFieldTypeWarning = z.infer<typeof CustomFieldTypeWarning>;

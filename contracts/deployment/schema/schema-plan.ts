import { z } from 'zod';
import { limits } from '../../limits.js';
import { ApiName } from '../../primitives.js';
import { contentTypeInput } from '../../content/content-types/content-type.js';
import { customFieldTypeInput } from '../../content/custom-field-types/custom-field-type.js';
import { SchemaField } from '../../content/fields/field.js';
import { schemaRole } from '../../access/roles/role.js';
import { SchemaWorkflow } from '../../content/workflows/workflow.js';
import { GrantableResource } from '../../registry/operation-names.js';

const SchemaContentType = z
  .strictObject({
    ...contentTypeInput,
    renamedFrom: ApiName.optional().meta({
      description: 'Former apiName. If only this one exists, the type is renamed and keeps its entries.',
    }),
    fields: z
      .array(SchemaField)
      .max(limits.fieldsPerContentType)
      .default([])
      .meta({ description: 'Fields, in order.' }),
  })
  .meta({ id: 'SchemaContentType', description: 'A content type in a schema document.' });
export type SchemaContentType = z.infer<typeof SchemaContentType>;

const SchemaCustomFieldType = z
  .strictObject(customFieldTypeInput)
  .meta({ id: 'SchemaCustomFieldType', description: 'A custom field type in a schema document.' });
export type SchemaCustomFieldType = z.infer<typeof SchemaCustomFieldType>;

const SchemaRole = schemaRole(GrantableResource);
export type SchemaRole = z.infer<typeof SchemaRole>;

/** Rule environments/schema. */
export const SchemaDocument = z
  .strictObject({
    contentTypes: z
      .array(SchemaContentType)
      .max(limits.schemaContentTypes)
      .optional()
      .meta({ description: 'Content types of the project.' }),
    customFieldTypes: z.array(SchemaCustomFieldType).max(limits.customFieldTypesPerProject).optional(),
    workflows: z.array(SchemaWorkflow).max(limits.workflowsPerProject).optional(),
    roles: z
      .array(SchemaRole)
      .max(limits.rolesPerProject)
      .optional()
      .meta({ description: 'Roles of the project.' }),
  })
  .meta({
    id: 'SchemaDocument',
    description:
      'Content types with their fields, custom field types, workflows and roles, all by name. A section is complete: what it does not list is deleted. An absent section is left as it is. An omitted key has its default.',
    example: {
      contentTypes: [
        { apiName: 'article', name: 'Article', fields: [{ apiName: 'title', type: 'text', required: true }] },
      ],
    },
  });
export type SchemaDocument = z.infer<typeof SchemaDocument>;

const ChangedKey = z.object({ key: z.string(), before: z.unknown(), after: z.unknown() });

/** One change of a schema, without what depends on stored entries. */
const schemaChange = {
  action: z.enum(['create', 'rename', 'update', 'replace', 'delete']).meta({
    description: '`replace` deletes a field with its values and creates it again with the new definition.',
  }),
  kind: z
    .enum(['contentType', 'field', 'customFieldType', 'workflow', 'role'])
    .meta({ description: 'Kind of what changes.' }),
  name: z.string().meta({ description: 'apiName or slug after the change, before it for a deletion.' }),
  contentType: z
    .string()
    .nullable()
    .meta({ description: 'apiName of the type of a field. Null for other kinds.' }),
  from: z.string().nullable().meta({ description: 'Former name of what is renamed. Null otherwise.' }),
  changes: z
    .array(ChangedKey)
    .meta({ description: 'Keys that an update changes, and `position` of a field.' }),
};

const SchemaStep = z
  .object({
    ...schemaChange,
    lost: z
      .object({
        values: z.int().meta({ description: 'Values in drafts.' }),
        entries: z.int().meta({ description: 'Entries with a value in a draft or a published document.' }),
      })
      .nullable()
      .meta({
        description:
          'What a destructive step removes, also the conversion by an update. Null for other steps.',
      }),
    blocker: z
      .object({ code: z.string(), details: z.unknown() })
      .nullable()
      .meta({ description: 'The failure of an apply as long as this is so.' }),
  })
  .meta({ id: 'SchemaStep', description: 'A step of a schema plan.' });
export type SchemaStep = z.infer<typeof SchemaStep>;

const SchemaWarning = z
  .object({
    code: z
      .enum(['unknown_content_type', 'not_a_block_type', 'is_a_block_type'])
      .meta({ description: 'What is wrong with the field.' }),
    contentType: z.string(),
    field: z.string(),
    target: z.string().meta({ description: 'The content type that the field names.' }),
  })
  .meta({
    id: 'SchemaWarning',
    description: 'A field that keeps working and would be refused if it were created now.',
  });
export type SchemaWarning = z.infer<typeof SchemaWarning>;

/** Rule environments/schema. */
export const SchemaPlan = z
  .object({
    steps: z.array(SchemaStep).meta({ description: 'In the order in which they are applied.' }),
    isDestructive: z.boolean().meta({
      description: 'Whether a step deletes, replaces or loses values, which needs `allowDestructive`.',
    }),
    warnings: z.array(SchemaWarning),
  })
  .meta({ id: 'SchemaPlan', description: 'What an apply of a schema document would change.' });
export type SchemaPlan = z.infer<typeof SchemaPlan>;

export const SchemaApply = z
  .object({
    applyId: z.string().nullable().meta({ description: 'For `schema/undo`. Null if nothing changed.' }),
    ...SchemaPlan.shape,
  })
  .meta({ id: 'SchemaApply', description: 'The changes of an apply.' });
export type SchemaApply = z.infer<typeof SchemaApply>;

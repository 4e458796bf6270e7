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
    contentTypes: z.array(SchemaContentType).max(limits.schemaContentTypes).optional(),
    customFieldTypes: z.array(SchemaCustomFieldType).max(limits.customFieldTypesPerProject).optional(),
    workflows: z.array(SchemaWorkflow).max(limits.workflowsPerProject).optional(),
    roles: z.array(SchemaRole).max(limits.rolesPerProject).optional(),
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

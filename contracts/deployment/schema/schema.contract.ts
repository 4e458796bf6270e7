import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { management } from '../../procedure.js';
import { inProject, managementRoute } from '../../routes.js';
import { SchemaDocument, SchemaApply, SchemaPlan } from './schema-plan.js';

const tags = ['Schema'];

const events = [
  'content_type.created',
  'content_type.updated',
  'content_type.deleted',
  'workflow.created',
  'workflow.updated',
  'workflow.deleted',
] as const;

/** Those of the operations on the parts of a schema. */
const stepErrors = [
  'content_type_not_found',
  'custom_field_type_not_found',
  'site_not_found',
  'locale_not_found',
  'environment_not_found',
  'role_not_found',
  'workflow_not_found',
  'api_name_conflict',
  'slug_conflict',
  'graphql_type_name_conflict',
  'reserved_api_name',
  'schema_too_complex',
  'incompatible_type_change',
  'field_in_use',
  'content_type_in_use',
  'custom_field_type_in_use',
  'workflow_in_use',
  'workflow_state_in_use',
  'role_in_use',
  'privilege_escalation',
  'limit_reached',
] as const;

const schemaInput = { schema: SchemaDocument };

export const schema = {
  export: management({
    openapi: managementRoute('GET', '/schema/export', {
      summary: 'Export the schema',
      description:
        'Returns content types, fields, custom field types, workflows and roles as one document in a stable order, by name and without ids. Sections that the caller cannot read completely are absent.',
      tags,
      textResponse: {
        mediaType: 'application/yaml',
        key: 'yaml',
        fileName: 'fileName',
        isOptional: true,
        parsedKey: 'schema',
      },
    }),
    resource: 'contentTypes',
    action: 'read',
    errors: ['limit_reached'],
  })
    .input(
      inProject({
        format: z
          .enum(['json', 'yaml'])
          .default('json')
          .meta({ description: '`yaml` returns a file.', example: 'json' }),
      }),
    )
    .output(
      dataOf(
        z
          .object({
            schema: SchemaDocument,
            yaml: z.string().optional().meta({ description: 'The document in YAML, if requested.' }),
            fileName: z.string().optional().meta({ description: 'Name of the file, if YAML is requested.' }),
          })
          .meta({ id: 'SchemaExport', description: 'The schema of an environment.' }),
      ),
    ),

  plan: management({
    openapi: managementRoute('POST', '/schema/plan', {
      summary: 'Plan a schema change',
      description:
        'Compares the document with the schema and lists the steps of an apply, the values that destructive steps would remove, and fields that would be refused today. Changes nothing.',
      tags,
    }),
    resource: 'contentTypes',
    action: 'read',
    changesNothing: true,
    errors: [
      'reserved_api_name',
      'schema_too_complex',
      'content_type_not_found',
      'custom_field_type_not_found',
    ],
  })
    .input(inProject(schemaInput))
    .output(dataOf(SchemaPlan)),

  applyDocument: management({
    openapi: managementRoute('POST', '/schema/apply', {
      summary: 'Apply a schema',
      description:
        'Makes the schema equal to the document, in one transaction and under the rules of the single operations. Fails with 409 `destructive_change` and the plan if a step deletes or replaces, unless `allowDestructive` is true. Each step needs the permission for that change.',
      tags,
    }),
    resource: 'contentTypes',
    action: 'any',
    events,
    confirmation: 'always',
    errors: [...stepErrors, 'destructive_change'],
  })
    .input(
      inProject({
        ...schemaInput,
        allowDestructive: z.boolean().default(false).meta({
          description: 'Consent to the deletions and replacements of the plan.',
          example: false,
        }),
      }),
    )
    .output(dataOf(SchemaApply)),

  undo: management({
    openapi: managementRoute('POST', '/schema/undo', {
      summary: 'Undo the last apply',
      description:
        'Restores the definitions, names and values from before the last apply. Fails with 409 `schema_changed` and the differences if the schema has changed since, and with `destructive_change` if entries have values in what the apply created. The values come from the versions before the apply; entries in the trash of deleted types are not restored.',
      tags,
    }),
    resource: 'contentTypes',
    action: 'any',
    events,
    confirmation: 'always',
    errors: [...stepErrors, 'schema_apply_not_found', 'schema_changed', 'destructive_change'],
  })
    .input(
      inProject({
        applyId: z.uuid().meta({
          description: 'The `applyId` of the last apply.',
          example: '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69',
        }),
      }),
    )
    .output(dataOf(SchemaPlan)),
};

import { z } from 'zod';
import { dataOf } from '../../envelopes.js';
import { inPath } from '../../primitives.js';
import { management } from '../../procedure.js';
import { inProject, managementRoute } from '../../routes.js';
import { FileInput } from '../../media/media/media-file.js';
import { ImportJob, importSystems, importLimits } from './import-job.js';

const tags = ['Entries'];
const jobId = inPath('Id of the job.', '019a3b5e-7c1a-7f00-8000-3f1d2c4b5a69');
const creating = { resource: 'entries', action: 'create' } as const;
const reading = { resource: 'entries', action: 'read' } as const;

const run = {
  dryRun: z.boolean().default(false).meta({
    description: 'Changes nothing: reports what would be made, and writes the mapping.',
    example: true,
  }),
  mapping: z.string().max(importLimits.importMappingBytes).optional().meta({
    description: 'The mapping that a dry run wrote, edited.',
    example: 'system: wordpress\n',
  }),
};

/** Imports of what other systems export (rule entries/import). */
export const imports = {
  start: management({
    openapi: managementRoute('POST', '/imports', {
      summary: 'Start an import',
      description:
        'Starts a job that imports the export of another system, Markdown files in a ZIP archive, or a table. Send `multipart/form-data` with the part `file` last, or JSON with the content in Base64.',
      tags,
      startsJob: true,
      upload: { part: 'file', maximumBytes: importLimits.importFileBytes },
    }),
    ...creating,
    events: ['import.finished'],
    errors: ['site_not_found', 'limit_reached', 'payload_too_large', 'storage_unavailable', 'storage_full'],
  })
    .input(
      inProject({
        system: z.enum(importSystems).meta({ description: 'Where the file is from.', example: 'wordpress' }),
        siteSlug: z.string().default('main').meta({ description: 'Site of the entries.', example: 'main' }),
        contentTypeApiName: z.string().optional().meta({
          description: 'Content type of the rows of a table. Made if it does not exist.',
          example: 'article',
        }),
        ...run,
        file: FileInput,
      }),
    )
    .output(dataOf(ImportJob)),

  list: management({
    openapi: managementRoute('GET', '/imports', {
      summary: 'List imports',
      description: `Returns imports of ${String(importLimits.importDays)} days, the newest first, without losses and mappings.`,
      tags,
    }),
    ...reading,
  })
    .input(inProject({}))
    .output(dataOf(z.array(ImportJob))),

  get: management({
    openapi: managementRoute('GET', '/imports/{jobId}', {
      summary: 'Get an import',
      description: 'Returns the progress and the report of an import.',
      tags,
    }),
    ...reading,
    errors: ['job_not_found'],
  })
    .input(inProject({ jobId }))
    .output(dataOf(ImportJob)),

  repeat: management({
    openapi: managementRoute('POST', '/imports/{jobId}/repeat', {
      summary: 'Repeat an import',
      description: 'Runs an ended job again with its file.',
      tags,
      startsJob: true,
    }),
    ...creating,
    events: ['import.finished'],
    errors: ['job_not_found', 'import_running', 'limit_reached'],
  })
    .input(inProject({ jobId, ...run }))
    .output(dataOf(ImportJob)),

  cancel: management({
    openapi: managementRoute('POST', '/imports/{jobId}/cancel', {
      summary: 'Cancel an import',
      description: 'Ends an import. What it has written stays.',
      tags,
    }),
    ...creating,
    events: ['import.finished'],
    errors: ['job_not_found'],
  })
    .input(inProject({ jobId }))
    .output(dataOf(ImportJob)),
};

import { z } from 'zod';
import { Actor } from '../../actor.js';
import { Timestamp } from '../../primitives.js';

export const importLimits = {
  /** Bytes of the file, of its mapping and of what is unpacked; files of an archive and characters of their paths; jobs that wait or run, days that they are kept, listed ones. */
  importFileBytes: 104_857_600,
  importMappingBytes: 524_288,
  importUnpackedBytes: 2_147_483_648,
  importArchiveFiles: 100_000,
  importArchiveNameLength: 500,
  importsOpen: 20,
  importDays: 7,
  importsListed: 50,
  /** Losses in the report of a job, and bytes of all of them. */
  importLosses: 100,
  importLossBytes: 67_108_864,
} as const;

/** Systems and formats whose exports can be imported. */
export const importSystems = [
  'contentful',
  'csv',
  'jsonl',
  'markdown',
  'sanity',
  'strapi',
  'wordpress',
] as const;
export type ImportSystem = (typeof importSystems)[number];

/** What an import makes, in the order of its report. */
export const importKinds = [
  'locale',
  'type',
  'field',
  'asset',
  'entry',
  'version',
  'redirect',
  'other',
] as const;
export type ImportKind = (typeof importKinds)[number];

export const importOutcomes = ['made', 'changed', 'same', 'skipped', 'lost'] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

export const ImportStatus = z.enum(['queued', 'running', 'done', 'failed', 'canceled']).meta({
  description: '`failed`: see `error`.',
  example: 'done',
});
export type ImportStatus = z.infer<typeof ImportStatus>;

const number = (description: string) => z.int().meta({ description });

const kind = z.enum(importKinds).meta({ description: 'Kind of what is made.', example: 'entry' });

const ImportCount = z.object({
  kind,
  made: number('New in the project.'),
  changed: number('In the project, with other values.'),
  same: number('In the project already.'),
  skipped: number('Left out by the mapping.'),
  lost: number('Losses.'),
});
export type ImportCount = z.infer<typeof ImportCount>;

/** Something of the export that the project does not have afterwards, or has in another form. */
export const ImportLoss = z.object({
  kind,
  where: z.string().meta({ description: 'Place in the file.' }),
  what: z.string().meta({ description: 'What is lost.' }),
  why: z.string().meta({ description: 'Reason.' }),
  remedy: z.string().meta({ description: 'What a person can do.' }),
});
export type ImportLoss = z.infer<typeof ImportLoss>;

export const ImportJob = z
  .object({
    jobId: z.string(),
    status: ImportStatus,
    system: z.enum(importSystems).meta({ description: 'Where the file is from.', example: 'wordpress' }),
    siteSlug: z.string().meta({ description: 'Slug of the site.' }),
    dryRun: z.boolean().meta({ description: 'Nothing is changed.' }),
    fileName: z.string().meta({ example: 'export.xml' }),
    size: number('Bytes of the file.'),
    done: number('Steps that are done.'),
    total: number('Steps of the present part.'),
    failed: number('Entries that could not be written.'),
    conflicts: number('Fields that the project lacks: an import is refused.'),
    counts: z.array(ImportCount).meta({ description: 'By kind.' }),
    losses: z.array(ImportLoss).meta({ description: `The first ${String(importLimits.importLosses)}.` }),
    lossCount: number('All losses.'),
    url: z.string().nullable().meta({
      description: 'Signed URL of all losses as JSON Lines in a ZIP archive, for an hour.',
      example: 'https://www.example.com/media/demo/exports/…',
    }),
    mapping: z.string().nullable().meta({
      description: 'YAML: what becomes of types, fields, locales and authors.',
      example: 'system: wordpress\n',
    }),
    error: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why the job failed.' }),
    createdAt: Timestamp,
    createdBy: Actor,
    completedAt: Timestamp.nullable(),
    expiresAt: Timestamp.meta({ description: 'When the job and its file are deleted.' }),
  })
  .meta({ id: 'ImportJob', description: 'An import of a file of another system.' });
export type ImportJob = z.infer<typeof ImportJob>;

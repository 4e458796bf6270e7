import { z } from 'zod';
import { Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';

export const AuditInterface = z.enum(['management', 'mcp', 'system', 'cli']);

const snapshot = z.record(z.string(), z.unknown()).nullable();

/** Rule events/records. */
const Cause = z
  .object({
    requestId: z.string(),
    action: z
      .string()
      .meta({ description: 'Action of the record of what the call names.', example: 'entry.bulk' }),
  })
  .nullable()
  .meta({
    description: 'The call, if it changed more than it names: the same in all its records and events.',
    example: null,
  });

/** Rule events/records. */
export const AuditEvent = z
  .object({
    id: z.string(),
    at: Timestamp,
    action: z.string().meta({ description: 'Resource and verb.', example: 'entry.update' }),
    actor: Actor,
    target: z
      .object({
        type: z.string().meta({ description: 'Kind of the item.' }),
        id: z.string().meta({ description: 'Id of the item.' }),
        name: z.string().meta({ description: 'Name of the item.' }),
      })
      .meta({ description: 'Item that was changed.' }),
    tenantId: z.string().nullable(),
    projectSlug: z.string().nullable(),
    environment: z.string().nullable(),
    siteId: z.string().nullable(),
    locale: z.string().nullable(),
    before: snapshot.meta({ description: 'Null on creation.' }),
    after: snapshot.meta({ description: 'Null on deletion.' }),
    changedFields: z.array(z.string()),
    context: z.object({
      ip: z.string().nullable(),
      userAgent: z.string().nullable(),
      requestId: z.string(),
      interface: AuditInterface,
    }),
    cause: Cause,
    metadata: z
      .record(z.string(), z.unknown())
      .meta({ description: 'For calls by agents: mcpApiKeyId, mcpApiKeyType and tool.' }),
  })
  .meta({
    id: 'AuditEvent',
    description: 'A recorded change: actor, origin, and state before and after.',
  });
export type AuditEvent = z.infer<typeof AuditEvent>;

export const AuditProblem = z.enum(['block_missing', 'block_changed', 'records_changed', 'record_unsealed']);
export type AuditProblem = z.infer<typeof AuditProblem>;

export const AuditCheck = z
  .object({
    chainId: z.string().meta({ description: 'Id of the project whose records the chain contains.' }),
    ok: z.boolean().meta({ description: 'Whether the whole chain is intact.' }),
    blocks: z.int().meta({ description: 'Number of blocks checked.' }),
    records: z.int().meta({ description: 'Number of sealed records checked.' }),
    unsealed: z.int().meta({ description: 'Number of recent records that are not sealed yet.' }),
    firstBrokenBlock: z.int().nullable(),
    problem: AuditProblem.nullable().meta({
      description:
        'block_missing: the chain has a gap; block_changed: a block is not what was sealed; records_changed: records of a block were changed, removed or added; record_unsealed: a record is unsealed where all were sealed.',
    }),
    headHash: z.string().nullable().meta({
      description: 'Hash of the last block checked. Store it elsewhere to detect truncation of the chain.',
    }),
    nextBlock: z.int().nullable().meta({
      description: 'Block to continue from, because one call checks a limited number. Null at the end.',
    }),
  })
  .meta({ id: 'AuditCheck', description: 'Result of verifying sealed records.' });
export type AuditCheck = z.infer<typeof AuditCheck>;

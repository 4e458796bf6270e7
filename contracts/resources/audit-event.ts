import { z } from 'zod';
import { Timestamp } from '../primitives.js';
import { Actor } from './actor.js';

/** Through what a change came. */
export const AuditInterface = z.enum(['management', 'mcp', 'system', 'cli']);

const snapshot = z.record(z.string(), z.unknown()).nullable();

/** One change of one thing, as it was recorded with it (decisions 2.21). */
export const AuditEvent = z
  .object({
    id: z.string(),
    at: Timestamp,
    action: z.string().meta({ description: 'The thing and the verb.', example: 'entry.update' }),
    actor: Actor,
    target: z.object({ type: z.string(), id: z.string(), name: z.string() }),
    tenantId: z.string().nullable(),
    projectSlug: z.string().nullable(),
    environment: z.string().nullable(),
    siteId: z.string().nullable(),
    locale: z.string().nullable(),
    before: snapshot.meta({ description: 'Null where the thing was created.' }),
    after: snapshot.meta({ description: 'Null where the thing was removed.' }),
    changedFields: z.array(z.string()),
    context: z.object({
      ip: z.string().nullable(),
      userAgent: z.string().nullable(),
      requestId: z.string(),
      interface: AuditInterface,
    }),
    metadata: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Of a call by an agent: mcpApiKeyId, mcpApiKeyType and tool.' }),
  })
  .meta({
    id: 'AuditEvent',
    description: 'A change: who made it, from where, and what was before and after.',
  });
export type AuditEvent = z.infer<typeof AuditEvent>;

/** What is wrong with a block of a chain. */
export const AuditProblem = z.enum(['block_missing', 'block_changed', 'records_changed', 'record_unsealed']);
export type AuditProblem = z.infer<typeof AuditProblem>;

/** What a check of a chain of sealed records found. */
export const AuditCheck = z
  .object({
    chainId: z.string().meta({ description: 'The id of the project whose records the chain seals.' }),
    ok: z.boolean(),
    blocks: z.int().meta({ description: 'Blocks that were checked.' }),
    records: z.int().meta({ description: 'Sealed records that were checked.' }),
    unsealed: z.int().meta({ description: 'Younger records, which the worker is still to seal.' }),
    firstBrokenBlock: z.int().nullable(),
    problem: AuditProblem.nullable().meta({
      description:
        'block_missing: the chain has a gap; block_changed: a block is not what was sealed; records_changed: records of a block were changed, removed or added; record_unsealed: a record is unsealed where all were sealed.',
    }),
    headHash: z.string().nullable().meta({
      description:
        'Hash of the last block checked: kept elsewhere, it also shows that the end was not cut off.',
    }),
    nextBlock: z
      .int()
      .nullable()
      .meta({ description: 'Where to go on: one call checks a limited number. Null at the end.' }),
  })
  .meta({ id: 'AuditCheck', description: 'Result of a check of sealed records.' });
export type AuditCheck = z.infer<typeof AuditCheck>;

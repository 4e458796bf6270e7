import { z } from 'zod';
import { limits } from '../../limits.js';
import { keysIn, Id, LocaleCode, Timestamp } from '../../primitives.js';
import { Actor } from '../../actor.js';
import { DifferentValue, promotedKinds } from '../../environments/environments/environment.js';

const kindsWithoutLocales = promotedKinds.filter((kind) => kind !== 'entry' && kind !== 'media');

/** A promotion of everything names no items. */
export const itemsOfMode = {
  if: { properties: { mode: { const: 'cherryPick' } }, required: ['mode'] },
  then: keysIn('items'),
  else: { not: keysIn('items') },
  examples: [{ target: 'main', mode: 'full' }],
};

export const promotionInput = {
  target: z
    .string()
    .optional()
    .meta({ description: 'Slug of the target. Default: the default environment.', example: 'main' }),
  mode: z
    .enum(['full', 'cherryPick'])
    .meta({ description: 'Everything that changed, or the given items.', example: 'full' }),
  items: z
    .array(
      z
        .strictObject({
          kind: z.enum(promotedKinds).meta({ description: 'Kind of the item.' }),
          id: Id,
          locales: z.array(LocaleCode).min(1).optional().meta({
            description:
              'Locales of an entry or asset to promote, with the values that all locales share. Default: all. A new entry gets no others; a deleted one is deleted with all.',
          }),
        })
        .meta({
          if: { properties: { kind: { enum: kindsWithoutLocales } }, required: ['kind'] },
          then: { not: keysIn('locales') },
        }),
    )
    .min(1)
    .max(limits.promotedItems)
    .optional()
    .meta({ description: 'Items to promote; only with `cherryPick`.' }),
  includeDependencies: z.boolean().default(true).meta({
    description:
      'Also promotes what the items need and the target lacks: their content types as they are, linked entries and assets, parents in the tree.',
  }),
  conflictStrategy: z
    .enum(['fail', 'source', 'target'])
    .default('fail')
    .meta({ description: 'Whose value remains where both sides changed one. `fail` changes nothing.' }),
  publish: z.boolean().default(false).meta({
    description:
      'Also publishes the promoted locales whose draft is published in the source, and publishes and unpublishes what the source did.',
  }),
  dryRun: z
    .boolean()
    .default(false)
    .meta({ description: 'Does everything and undoes it; conflicts are listed.' }),
  comment: z
    .string()
    .max(limits.commentLength)
    .optional()
    .meta({ description: 'Comment for the history.', example: 'Redesign' }),
};

const Summary = z.object({ created: z.int(), updated: z.int(), deleted: z.int(), unchanged: z.int() });

const Item = z.object({
  kind: z.enum(promotedKinds).meta({ description: 'Kind of the item.' }),
  id: z.string(),
  name: z.string(),
  change: z.enum(['created', 'updated', 'deleted']),
});

export const PromotionConflict = z
  .object({
    kind: z.enum(promotedKinds).meta({ description: 'Kind of the item.' }),
    id: z.string(),
    name: z.string(),
    values: z.array(DifferentValue),
  })
  .meta({
    id: 'PromotionConflict',
    description: 'An item of which both environments changed the same values.',
  });
export type PromotionConflict = z.infer<typeof PromotionConflict>;

/** Rule environments/promotion. */
export const Promotion = z
  .object({
    promotionId: z.string().nullable().meta({ description: 'Null for a dry run.' }),
    source: z.string(),
    target: z.string(),
    status: z.enum(['planned', 'succeeded']),
    summary: Summary,
    items: z.array(Item).meta({ description: 'What changed in the target.' }),
    conflicts: z.array(PromotionConflict).meta({ description: 'Resolved by the strategy, or in the way.' }),
    rollbackAvailable: z
      .boolean()
      .meta({ description: 'Whether it can be rolled back while its items remain as it left them.' }),
  })
  .meta({ id: 'Promotion', description: 'A promotion of one environment into another.' });
export type Promotion = z.infer<typeof Promotion>;

export const Rollback = z
  .object({
    promotionId: z.string(),
    source: z.string(),
    target: z.string(),
    status: z.literal('rolled_back'),
  })
  .meta({ id: 'Rollback', description: 'A promotion that was rolled back.' });
export type Rollback = z.infer<typeof Rollback>;

const jobOf = <const S extends string>(status: S) =>
  z.object({
    jobId: z.string().meta({ description: 'Id of the promotion.' }),
    promotionId: z.string(),
    source: z.string(),
    target: z.string(),
    status: z.literal(status),
  });

export const PromotionJob = jobOf('running').meta({
  id: 'PromotionJob',
  description: 'A promotion that continues in the background.',
});
export type PromotionJob = z.infer<typeof PromotionJob>;

export const RollbackJob = jobOf('rolling_back').meta({
  id: 'RollbackJob',
  description: 'A rollback that continues in the background.',
});
export type RollbackJob = z.infer<typeof RollbackJob>;

export const PromotionRecord = z
  .object({
    promotionId: z.string(),
    source: z.string(),
    target: z.string(),
    status: z.enum(['running', 'succeeded', 'failed', 'rolling_back', 'rolled_back']),
    progress: z
      .object({ done: z.int(), total: z.int() })
      .nullable()
      .meta({ description: 'Steps of its job; null without one.' }),
    summary: Summary.nullable().meta({ description: 'Null until it succeeds.' }),
    error: z
      .object({ error: z.string(), message: z.string(), details: z.unknown().optional() })
      .nullable()
      .meta({ description: 'Why it failed, or why its last rollback did. Nothing was changed then.' }),
    comment: z.string().nullable(),
    createdAt: Timestamp,
    createdBy: Actor,
    appliedAt: Timestamp.nullable().meta({ description: 'When the target was changed.' }),
    rolledBackAt: Timestamp.nullable(),
    rollbackAvailable: z.boolean(),
  })
  .meta({ id: 'PromotionRecord', description: 'A promotion into an environment and its outcome.' });
export type PromotionRecord = z.infer<typeof PromotionRecord>;

import { z } from 'zod';
import { PageMeta } from '../../envelopes.js';

/** What belongs to an environment, in the order in which it is promoted. */
export const promotedKinds = [
  'customFieldType',
  'workflow',
  'contentType',
  'mediaFolder',
  'media',
  'entry',
  'treeNode',
  'redirect',
] as const;

const Side = z
  .enum(['source', 'target', 'both'])
  .meta({ description: 'Where it changed since the environments were equal. `both` is a conflict.' });

export const DifferentValue = z
  .object({
    locale: z.string().nullable().meta({ description: 'Null for what is the same in every locale.' }),
    field: z.string().nullable().meta({
      description:
        'Name of the field or property, such as `title`, `slug`, `status` or `fields.title.required`. Null: the whole item or locale exists on one side only.',
      example: 'title',
    }),
    changedIn: Side,
    base: z.unknown().meta({ description: 'Value when both were equal; null if there was none.' }),
    source: z.unknown().meta({ description: 'Value in the source; null if there is none.' }),
    target: z.unknown().meta({ description: 'Value in the target; null if there is none.' }),
  })
  .meta({ id: 'DifferentValue', description: 'A value that differs between two environments.' });
export type DifferentValue = z.infer<typeof DifferentValue>;

/** Rule environments/comparison. */
export const EnvironmentDifference = z
  .object({
    kind: z.enum(promotedKinds),
    id: z.string(),
    name: z.string(),
    change: z
      .enum(['created', 'updated', 'deleted', 'none'])
      .meta({ description: 'What a promotion does to the target. `none`: only the target changed.' }),
    isConflict: z.boolean().meta({ description: 'Whether both sides changed the same value.' }),
    values: z.array(DifferentValue),
  })
  .meta({ id: 'EnvironmentDifference', description: 'An item that differs between two environments.' });
export type EnvironmentDifference = z.infer<typeof EnvironmentDifference>;

const Counts = z
  .object({
    created: z.int(),
    updated: z.int(),
    deleted: z.int(),
    none: z.int(),
    conflicts: z.int().meta({ description: 'Items among them with a conflict.' }),
  })
  .meta({ description: 'Items that differ, by change.' });
export type DifferenceCounts = z.infer<typeof Counts>;

export const EnvironmentDifferences = z.object({
  data: z.array(EnvironmentDifference),
  meta: PageMeta.extend({ counts: Counts }),
});

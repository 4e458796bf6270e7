import { z } from 'zod';

export const EntryValidation = z
  .object({
    id: z.string(),
    locale: z.string(),
    version: z.int().meta({ description: 'Version of the entry that was validated.' }),
    isPublishable: z.boolean(),
    issues: z
      .array(
        z.object({
          path: z.array(z.union([z.string(), z.number()])).readonly(),
          code: z.string(),
          message: z.string(),
        }),
      )
      .meta({ description: 'Issues that must be fixed before the draft can be published.' }),
  })
  .meta({ id: 'EntryValidation', description: 'Result of validating a draft.' });
export type EntryValidation = z.infer<typeof EntryValidation>;

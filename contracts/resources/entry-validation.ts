import { z } from 'zod';

/** What publishing a draft would refuse. */
export const EntryValidation = z
  .object({
    id: z.string(),
    locale: z.string(),
    version: z.int().meta({ description: 'Version of the entry that was looked at.' }),
    isPublishable: z.boolean(),
    issues: z
      .array(
        z.object({
          path: z.array(z.union([z.string(), z.number()])).readonly(),
          code: z.string(),
          message: z.string(),
        }),
      )
      .meta({ description: 'Everything to mend before the draft can be published.' }),
  })
  .meta({ id: 'EntryValidation', description: 'Whether a draft is complete.' });
export type EntryValidation = z.infer<typeof EntryValidation>;

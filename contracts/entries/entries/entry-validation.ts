import { z } from 'zod';

const issue = z.object({
  path: z.array(z.union([z.string(), z.number()])).readonly(),
  code: z.string(),
  message: z.string(),
});

export const EntryValidation = z
  .object({
    id: z.string(),
    locale: z.string(),
    version: z.int().meta({ description: 'Version of the entry that was validated.' }),
    isPublishable: z.boolean(),
    issues: z
      .array(issue)
      .meta({ description: 'Issues that must be fixed before the draft can be published.' }),
    warnings: z.array(issue).meta({
      description:
        'What readers would miss: `not_published` for each link to an entry that is not live, `unpublished_changes` for each block with a newer draft.',
    }),
  })
  .meta({ id: 'EntryValidation', description: 'Result of validating a draft.' });
export type EntryValidation = z.infer<typeof EntryValidation>;

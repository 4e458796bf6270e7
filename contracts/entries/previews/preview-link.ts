import { z } from 'zod';
import { Timestamp } from '../../primitives.js';

/** Lets anyone with it see the draft of one entry, or those of one site, until it expires. */
export const PreviewLink = z
  .object({
    url: z.string().meta({ description: 'URL of the preview, including the token.' }),
    token: z.string().meta({ description: 'Value of `previewToken` in delivery.' }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'PreviewLink', description: 'A signed link to a preview.' });
export type PreviewLink = z.infer<typeof PreviewLink>;

import { z } from 'zod';

/** Rule entries/versions. `id` is null for the service itself. */
export const Actor = z
  .object({ type: z.enum(['user', 'api_key', 'system']), id: z.string().nullable(), name: z.string() })
  .meta({ id: 'Actor', description: 'Who did it.' });
export type Actor = z.infer<typeof Actor>;

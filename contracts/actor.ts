import { z } from 'zod';

/** Rule entries/versions. `id` is null for the service itself. */
export const Actor = z
  .object({
    type: z.enum(['user', 'api_key', 'system']).meta({ description: 'Kind of the actor.' }),
    id: z.string().nullable().meta({ description: 'Id of the actor. Null is the system.' }),
    name: z.string().meta({ description: 'Name of the actor.' }),
  })
  .meta({ id: 'Actor', description: 'Who did it.' });
export type Actor = z.infer<typeof Actor>;

import { z } from 'zod';

/** Rule access/sessions. */
export const Session = z
  .object({
    accessToken: z.string().meta({ description: 'JWT for the Authorization header.' }),
    refreshToken: z.string().meta({ description: 'Renews the session once, within a week.' }),
    expiresIn: z.int().meta({ description: 'Seconds until the token expires.', example: 3600 }),
    tokenType: z.literal('Bearer'),
    user: z.object({ id: z.string(), email: z.string(), name: z.string(), isSuperAdmin: z.boolean() }),
  })
  .meta({ id: 'Session', description: 'Tokens and user of a session.' });
export type Session = z.infer<typeof Session>;

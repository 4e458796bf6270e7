import { z } from 'zod';
import { dataOf } from '../envelopes.js';
import { limits } from '../limits.js';
import { session } from '../operation.js';
import { Session } from '../resources/session.js';

/** Starts a session with e-mail address and password. */
export const login = session({
  openapi: {
    method: 'POST',
    path: '/api/v1/auth/login',
    summary: 'Log in',
    description:
      'Answers a session token for the management and platform interfaces. It expires after an hour.',
    tags: ['Sessions'],
    protect: false,
  },
  resource: 'sessions',
  action: 'create',
  errors: ['invalid_credentials'],
})
  .input(
    z.strictObject({
      email: z
        .email()
        .max(320)
        .meta({ description: 'E-mail address of the user.', example: 'admin@example.com' }),
      password: z
        .string()
        .min(1)
        .max(limits.passwordMaximumLength)
        .meta({ description: 'The password.', example: 'correct horse battery staple' }),
    }),
  )
  .output(dataOf(Session));

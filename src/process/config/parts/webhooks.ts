import { definePart, flag, secret } from './setting.js';

export const webhooks = definePart({
  settings: {
    WEBHOOK_ENCRYPTION_KEY: secret()
      .optional()
      .describe(
        'Secret that encrypts stored webhook secrets. Unset: derived from SESSION_JWT_SECRET; with a key set, kept in the data directory.',
      ),
    WEBHOOK_ENCRYPTION_KEY_PREVIOUS: secret()
      .optional()
      .describe('Former WEBHOOK_ENCRYPTION_KEY: secrets that it encrypted stay readable.'),
    WEBHOOK_ALLOW_LOOPBACK: flag()
      .optional()
      .describe(
        '1 allows webhooks to this machine and imports from it, also over http: for development and tests.',
      ),
  },
  slice: (read) => ({
    /** The first one encrypts. Empty: derived, or kept in the data directory. */
    keys: [read.WEBHOOK_ENCRYPTION_KEY, read.WEBHOOK_ENCRYPTION_KEY_PREVIOUS].filter(
      (key) => key !== undefined,
    ),
    allowLoopback: read.WEBHOOK_ALLOW_LOOPBACK ?? false,
  }),
});

import { z } from 'zod';
import { definePart, webUrl } from './setting.js';

export const translation = definePart({
  settings: {
    TRANSLATION_URL: webUrl()
      .optional()
      .describe('URL of a translation engine, which fills XLIFF files. Unset: no suggestions.'),
    TRANSLATION_KEY: z
      .string()
      .refine((value) => /^[\x21-\x7e]+$/.test(value), { error: 'must have no spaces or control characters' })
      .optional()
      .describe('Bearer token that the translation engine requires.'),
  },
  slice: (read) => ({ url: read.TRANSLATION_URL, key: read.TRANSLATION_KEY }),
});

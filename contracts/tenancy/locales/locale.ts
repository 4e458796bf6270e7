import { z } from 'zod';
import { LocaleCode, Name } from '../../primitives.js';

/** Rule localization/locales. */
export const Locale = z
  .object({
    code: z.string().meta({ description: 'BCP 47 code.' }),
    name: z.string(),
    isDefault: z.boolean(),
    fallbackCode: z.string().nullable(),
    isActive: z.boolean(),
  })
  .meta({ id: 'Locale', description: "A locale of the tenant's content." });
export type Locale = z.infer<typeof Locale>;

/** All that can be changed of a locale. */
export const localeChange = {
  name: Name.optional().meta({
    description: 'Defaults to the English name of the language.',
    example: 'German',
  }),
  fallbackCode: LocaleCode.nullish().meta({
    description: 'Locale that is served where an entry is not published in this one.',
    example: 'en-US',
  }),
  isActive: z.boolean().optional().meta({ description: 'Whether sites can use the locale.', example: true }),
};

export const localeInput = { code: LocaleCode, ...localeChange };

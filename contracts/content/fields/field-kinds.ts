import { z } from 'zod';
import { limits } from '../../limits.js';
import { fieldCondition } from './field-conditions.js';
import { ApiName, DateInput, InstantInput, JsonSchema } from '../../primitives.js';

const message = z.string().max(500).optional().meta({ description: 'Replaces the default message.' });
const length = z.int().min(0).max(limits.longTextLength).optional();
const pattern = z
  .string()
  .min(1)
  .max(limits.patternLength)
  .optional()
  .meta({ description: 'Regular expression, matched in linear time.' });
const flags = z
  .string()
  .regex(/^[ims]{0,3}$/, 'may hold i, m and s')
  .optional();
const stringValues = z.array(z.string().max(limits.textLength)).min(1).max(limits.selectOptions).optional();
const count = z.int().min(0).max(limits.itemsPerField).optional();
const names = z.array(z.string().min(1).max(63)).max(100).optional();
const typeNames = z.array(ApiName).min(1).max(100);

const none = z.strictObject({
  visibleWhen: fieldCondition(
    'Editors see the field only if all of these hold. Its value is kept, and not validated, while they do not.',
  ),
});
const requiredWhen = fieldCondition('A value is required at publish if all of these hold.');
const anything = z.strictObject({ minItems: count, maxItems: count, requiredWhen, message });
const textual = z.strictObject({ ...anything.shape, minLength: length, maxLength: length, pattern, flags });
const numeric = (n: z.ZodNumber) =>
  z.strictObject({
    ...anything.shape,
    min: n.optional(),
    max: n.optional(),
    step: n.positive().optional(),
    in: z.array(n).min(1).max(limits.selectOptions).optional(),
  });
const temporal = <S extends z.ZodType>(time: S) =>
  z.strictObject({ ...anything.shape, min: time.optional(), max: time.optional() });

/** `image/png`, or `image/*` for every type of a family. */
const mediaType = z
  .string()
  .max(100)
  .regex(/^[a-z]+\/(?:\*|[a-z0-9.+-]+)$/, 'must be a media type such as image/png or image/*');
const mediaTypes = z.array(mediaType).min(1).max(50).optional();
/** What a text may embed or link to. */
const targetTypes = z
  .array(z.union([ApiName, mediaType]))
  .max(100)
  .optional();
const pixels = z.int().min(1).max(100_000).optional();

const Option = z.strictObject({
  value: z.string().min(1).max(limits.textLength).meta({ description: 'Value that entries store.' }),
  label: z
    .string()
    .max(limits.nameLength)
    .optional()
    .meta({ description: 'Label for editors. Defaults to the value.' }),
});

/**
 * Every field kind with its `settings` and `validations` (rule content/fields). The content kernel implements each
 * key.
 */
export const fieldKindOptions = {
  text: {
    settings: none,
    validations: z.strictObject({
      ...textual.shape,
      maxLength: z.int().min(0).max(limits.textLength).optional(),
      forbiddenPattern: pattern,
      in: stringValues,
    }),
  },
  longText: { settings: none, validations: textual },
  richText: {
    settings: none,
    validations: z.strictObject({
      ...anything.shape,
      allowedNodes: names,
      allowedMarks: names,
      maxLength: length,
      allowedEmbeds: targetTypes.meta({
        description: 'Content types of entries and media types of assets that can be embedded.',
      }),
      allowedLinks: targetTypes.meta({
        description: 'Content types of entries and media types of assets that can be linked and mentioned.',
      }),
    }),
  },
  slug: {
    settings: z.strictObject({ ...none.shape, sourceField: ApiName.optional() }),
    validations: z.strictObject({ ...anything.shape, pattern, flags }),
  },
  integer: { settings: none, validations: numeric(z.int()) },
  number: { settings: none, validations: numeric(z.number()) },
  boolean: { settings: none, validations: anything },
  date: { settings: none, validations: temporal(DateInput) },
  dateTime: { settings: none, validations: temporal(InstantInput) },
  select: {
    settings: z.strictObject({ ...none.shape, options: z.array(Option).min(1).max(limits.selectOptions) }),
    validations: anything,
  },
  url: { settings: none, validations: z.strictObject({ ...anything.shape, pattern, flags }) },
  email: { settings: none, validations: z.strictObject({ ...anything.shape, pattern, flags }) },
  color: { settings: none, validations: anything },
  location: { settings: none, validations: anything },
  json: {
    settings: z.strictObject({ ...none.shape, jsonSchema: JsonSchema.optional() }),
    validations: anything,
  },
  media: {
    settings: none,
    validations: z.strictObject({
      ...anything.shape,
      mimeTypes: mediaTypes,
      maxBytes: z.int().min(1).optional(),
      minWidth: pixels,
      maxWidth: pixels,
      minHeight: pixels,
      maxHeight: pixels,
    }),
  },
  reference: {
    settings: z.strictObject({
      ...none.shape,
      contentTypes: typeNames.optional(),
      sameSite: z.boolean().optional(),
      onTargetUnpublish: z.enum(['allow', 'restrict']).optional(),
    }),
    validations: anything,
  },
  blocks: {
    settings: z.strictObject({
      ...none.shape,
      contentTypes: typeNames.optional(),
      shape: z.enum(['group']).optional(),
    }),
    validations: anything,
  },
  custom: { settings: z.strictObject({ ...none.shape, customFieldType: ApiName }), validations: anything },
} as const;

export type FieldKind = keyof typeof fieldKindOptions;
export const fieldKinds = Object.keys(fieldKindOptions) as [FieldKind, ...FieldKind[]];

export type FieldSettings<K extends FieldKind> = z.infer<(typeof fieldKindOptions)[K]['settings']>;
export type FieldValidations<K extends FieldKind> = z.infer<(typeof fieldKindOptions)[K]['validations']>;

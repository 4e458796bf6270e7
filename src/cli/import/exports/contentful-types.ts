import { z } from 'zod';
import { fieldKindOptions, type FieldKind } from '../../../../contracts/content/fields/field-kinds.js';
import { limits } from '../../../../contracts/limits.js';
import { EntrySlug } from '../../../../contracts/primitives.js';
import { ApiNames, type Losses, type SourceField, type SourceType } from './export-source.js';

const Validation = z.record(z.string(), z.unknown());

const FieldShape = {
  id: z.string().min(1).max(200),
  name: z.string().default(''),
  type: z.string(),
  localized: z.boolean().default(false),
  required: z.boolean().default(false),
  disabled: z.boolean().default(false),
  omitted: z.boolean().default(false),
  linkType: z.string().optional(),
  validations: z.array(Validation).default([]),
};

const ContentfulField = z.object({
  ...FieldShape,
  items: z
    .object({
      type: z.string(),
      linkType: z.string().optional(),
      validations: z.array(Validation).default([]),
    })
    .optional(),
});
export type ContentfulField = z.infer<typeof ContentfulField>;

export const ContentfulType = z.object({
  sys: z.object({ id: z.string().min(1).max(200) }),
  name: z.string().default(''),
  description: z.string().nullish(),
  displayField: z.string().nullish(),
  fields: z.array(ContentfulField),
});
export type ContentfulType = z.infer<typeof ContentfulType>;

const mediaTypes: Readonly<Record<string, string>> = {
  image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
  pdfdocument: 'application/pdf',
  plaintext: 'text/plain',
};

/** The values that entries of the export have in a field, as far as its kind depends on them. */
interface FieldTally {
  count: number;
  areDays: boolean;
  areSlugs: boolean;
  /** One that is not in the list of values; undefined if there is none. */
  readonly options: readonly string[] | undefined;
  other: unknown;
}

const isDay = (value: unknown): boolean => /^\d{4}-\d\d-\d\d$/.test(String(value));
const isSlug = (value: unknown): boolean => EntrySlug.safeParse(value).success;

/** The values of a select; undefined where there is no list of them. */
function optionsOf({ type, validations, items }: ContentfulField): readonly string[] | undefined {
  if ((type === 'Array' ? items?.type : type) !== 'Symbol') return undefined;
  const rule = [...validations, ...(items?.validations ?? [])].find((one) => Object.hasOwn(one, 'in'));
  const list = z
    .array(z.string().min(1).max(limits.textLength))
    .min(1)
    .max(limits.selectOptions)
    .safeParse(rule?.in);
  return list.success ? [...new Set(list.data)] : undefined;
}

/** Collects what entries have in the fields of content types. */
export class ContentfulTally {
  readonly #fields: ReadonlyMap<string, ReadonlyMap<string, FieldTally>>;

  constructor(types: readonly ContentfulType[]) {
    const none = { count: 0, areDays: true, areSlugs: true, other: undefined };
    this.#fields = new Map(
      types.map(({ sys, fields }) => [
        sys.id,
        new Map(fields.map((field) => [field.id, { ...none, options: optionsOf(field) }])),
      ]),
    );
  }

  /** @param fields values by field and locale */
  add(type: string, fields: Readonly<Record<string, Readonly<Record<string, unknown>>>>): void {
    for (const [id, tally] of this.#fields.get(type) ?? [])
      for (const value of Object.values(fields[id] ?? {}))
        if (value !== null && value !== undefined) {
          tally.count += 1;
          tally.areDays &&= isDay(value);
          tally.areSlugs &&= isSlug(value);
          const { options } = tally;
          if (options !== undefined)
            tally.other ??= [value].flat().find((one) => !options.includes(one as string));
        }
  }

  of(type: string, field: string): FieldTally | undefined {
    return this.#fields.get(type)?.get(field);
  }
}

const kinds: Readonly<Record<string, FieldKind>> = {
  Text: 'longText',
  RichText: 'richText',
  Integer: 'integer',
  Number: 'number',
  Boolean: 'boolean',
  Object: 'json',
  Location: 'location',
};

function kindOf(
  { id, type, linkType, items }: ContentfulField,
  tally: FieldTally | undefined,
  strings: readonly string[] | undefined,
): FieldKind | undefined {
  const item = type === 'Array' ? items?.type : type;
  const target = type === 'Array' ? items?.linkType : linkType;
  if (item === 'Link') return target === 'Asset' ? 'media' : target === 'Entry' ? 'reference' : undefined;
  if (item === 'Date') return tally !== undefined && tally.count > 0 && tally.areDays ? 'date' : 'dateTime';
  if (item !== 'Symbol') return item === undefined ? undefined : kinds[item];
  if (strings !== undefined) return 'select';
  return type === 'Symbol' && id === 'slug' && tally?.areSlugs !== false ? 'slug' : 'text';
}

/** `range: {min, max}` as the two validations of the kind. */
function bounds(value: unknown, [low, high]: readonly [string, string]): Record<string, unknown> {
  const { min, max } = z
    .object({ min: z.unknown().optional(), max: z.unknown().optional() })
    .catch({ min: null, max: null })
    .parse(value);
  const given = (one: unknown): boolean => one !== null && one !== undefined;
  return { ...(given(min) && { [low]: min }), ...(given(max) && { [high]: max }) };
}

/** What a validation of the export becomes; undefined if there is no such one. */
function translated(rule: string, value: unknown, isList: boolean): Record<string, unknown> | undefined {
  if (rule === 'size') return bounds(value, isList ? ['minItems', 'maxItems'] : ['minLength', 'maxLength']);
  if (rule === 'range' || rule === 'dateRange') return bounds(value, ['min', 'max']);
  if (rule === 'regexp') {
    const { pattern, flags } = z.object({ pattern: z.string(), flags: z.string().nullish() }).parse(value);
    return { pattern, ...(flags && { flags: flags.replaceAll(/[gu]/g, '') }) };
  }
  if (rule === 'prohibitRegexp')
    return { forbiddenPattern: z.object({ pattern: z.string() }).parse(value).pattern };
  if (rule === 'in') return { in: value };
  if (rule === 'assetFileSize') return bounds(value, ['', 'maxBytes']);
  if (rule === 'assetImageDimensions') {
    const { width, height } = z
      .object({ width: z.unknown().optional(), height: z.unknown().optional() })
      .parse(value);
    return { ...bounds(width, ['minWidth', 'maxWidth']), ...bounds(height, ['minHeight', 'maxHeight']) };
  }
  if (rule !== 'linkMimetypeGroup') return undefined;
  const groups = [value].flat().map((group) => mediaTypes[String(group)]);
  return groups.some((one) => one === undefined) ? undefined : { mimeTypes: groups };
}

/** Reads the content types of an export. */
export class ContentfulTypes {
  readonly #names = new ApiNames('type');

  constructor(
    private readonly losses: Losses,
    private readonly tally: ContentfulTally,
  ) {}

  nameFor(text: string): string {
    return this.#names.nameFor(text);
  }

  read(type: ContentfulType): SourceType {
    const names = new ApiNames('field');
    const { sys, name, description, displayField } = type;
    const fields = type.fields
      .slice(0, limits.fieldsPerContentType)
      .map((field) => this.#field(type, field, names));
    for (const { id } of type.fields.slice(limits.fieldsPerContentType))
      this.losses.add('field', `${sys.id}.${id}`, [
        'the field',
        `A content type has at most ${String(limits.fieldsPerContentType)} fields.`,
        'Split the content type before the export.',
      ]);
    const titled = fields.find(({ id }) => id === displayField);
    return {
      id: sys.id,
      apiName: this.#names.nameFor(sys.id),
      name: (name.trim() || sys.id).slice(0, limits.nameLength),
      description: (description ?? '').slice(0, limits.descriptionLength),
      displayField: titled !== undefined && ['text', 'longText'].includes(titled.type) ? titled.id : null,
      isPage: false,
      isLocalized: type.fields.some(({ localized }) => localized),
      fields,
    };
  }

  #field(type: ContentfulType, field: ContentfulField, names: ApiNames): SourceField {
    const where = `${type.sys.id}.${field.id}`;
    const tally = this.tally.of(type.sys.id, field.id);
    const strings = this.#options(tally, where);
    const known = kindOf(field, tally, strings);
    if (known === undefined)
      this.#lose(where, `the kind ${field.type.slice(0, 100)}`, 'It is unknown; values are kept as JSON.');
    const kind = known ?? 'json';
    if (field.omitted) this.#lose(where, 'omitted', 'Every field is delivered.');
    const rules = this.#rules(field, { where, kind });
    return {
      id: field.id,
      apiName: names.nameFor(field.id),
      name: (field.name.trim() || field.id).slice(0, limits.nameLength),
      type: kind,
      required: field.required,
      localized: field.localized,
      hidden: field.disabled,
      isList: field.type === 'Array' && known !== undefined,
      ...rules,
      settings: {
        ...rules.settings,
        ...(strings !== undefined && { options: strings.map((value) => ({ value })) }),
      },
    };
  }

  #lose(where: string, what: string, why: string): void {
    this.losses.add('field', where, [what, why, 'Change the field after the import.']);
  }

  /** The values of a select; undefined where there is no list of them that can be enforced. */
  #options(tally: FieldTally | undefined, where: string): readonly string[] | undefined {
    if (tally?.other === undefined) return tally?.options;
    this.#lose(
      where,
      'the list of values',
      `Entries have others, such as ${JSON.stringify(tally.other).slice(0, 100)}.`,
    );
    return undefined;
  }

  #rules(
    { type, validations, items }: ContentfulField,
    { where, kind }: { where: string; kind: FieldKind },
  ): Pick<SourceField, 'unique' | 'settings' | 'validations'> {
    const found: Record<string, unknown> = {};
    const all = [
      ...validations.map((one) => [one, type === 'Array'] as const),
      ...(items?.validations ?? []).map((one) => [one, false] as const),
    ];
    let settings: Record<string, unknown> | undefined;
    let unique = false;
    for (const [{ message: _message, ...rules }, isList] of all)
      for (const [rule, value] of Object.entries(rules)) {
        if (rule === 'unique') unique = value === true;
        else if (rule === 'linkContentType') {
          const names = [value].flat().map(String);
          if (names.length > 0 && kind === 'reference') settings = { contentTypes: names };
        } else if (rule !== 'in' || kind === 'integer' || kind === 'number')
          this.#apply(found, { rule, value, isList, where, kind });
      }
    return {
      unique,
      ...(settings && { settings }),
      ...(Object.keys(found).length > 0 && { validations: found }),
    };
  }

  /** Adds a validation if the kind has it. */
  #apply(
    found: Record<string, unknown>,
    {
      rule,
      value,
      isList,
      where,
      kind,
    }: { rule: string; value: unknown; isList: boolean; where: string; kind: FieldKind },
  ): void {
    let added: Record<string, unknown> | undefined;
    try {
      added = translated(rule, value, isList);
    } catch {
      added = undefined;
    }
    const isKnown = added !== undefined && fieldKindOptions[kind].validations.safeParse(added).success;
    if (isKnown) Object.assign(found, added);
    else this.#lose(where, `the validation ${rule}`, 'The field has no such validation.');
  }
}

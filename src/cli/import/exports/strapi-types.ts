import { z } from 'zod';
import { fieldKindOptions, type FieldKind } from '../../../../contracts/content/fields/field-kinds.js';
import { limits } from '../../../../contracts/limits.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import { ApiNames, type Losses, type SourceField, type SourceType } from './export-source.js';

const text = z.string().catch('');
const flag = z.boolean().catch(false);
const i18n = z
  .object({ i18n: z.object({ localized: flag }).catch({ localized: false }) })
  .catch({ i18n: { localized: false } });

const Attribute = z.looseObject({
  type: z.string().max(100).catch(''),
  relation: text,
  target: text,
  component: text,
  components: z.array(z.string()).max(500).catch([]),
  repeatable: flag,
  multiple: flag,
  required: flag,
  unique: flag,
  private: flag,
  pluginOptions: i18n,
});
type Attribute = z.infer<typeof Attribute>;

export const StrapiSchema = z.object({
  uid: z.string().min(1).max(200),
  kind: text,
  modelType: text,
  modelName: text,
  info: z
    .object({ displayName: text, singularName: text, description: text })
    .catch({ displayName: '', singularName: '', description: '' }),
  options: z.object({ draftAndPublish: flag }).catch({ draftAndPublish: false }),
  pluginOptions: i18n,
  attributes: z.record(z.string(), z.unknown()),
});
export type StrapiSchema = z.infer<typeof StrapiSchema>;

export interface StrapiField {
  readonly name: string;
  readonly attribute: Attribute;
  readonly source: SourceField;
}

/** A content type, or a component. */
export interface StrapiModel {
  readonly schema: StrapiSchema;
  readonly type: SourceType;
  readonly fields: readonly StrapiField[];
}

export const FILE = 'plugin::upload.file';

/** Attributes that Strapi adds to types. */
const ownAttributes: ReadonlySet<string> = new Set([
  ...['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy'],
  ...['locale', 'localizations', 'strapi_stage', 'strapi_assignee', 'strapi_reviewWorkflows_stage'],
]);

const kinds: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  text: 'longText',
  richtext: 'richText',
  blocks: 'richText',
  email: 'email',
  integer: 'integer',
  biginteger: 'integer',
  float: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'dateTime',
  timestamp: 'dateTime',
  time: 'text',
  json: 'json',
  enumeration: 'select',
  uid: 'slug',
  media: 'media',
  relation: 'reference',
  component: 'blocks',
  dynamiczone: 'blocks',
};

const mediaTypes: Readonly<Record<string, string>> = {
  images: 'image/*',
  videos: 'video/*',
  audios: 'audio/*',
};

export const isContentType = (uid: string): boolean => uid.startsWith('api::');

/** Reads the content types and components of an export. */
export class StrapiTypes {
  readonly #names = new ApiNames('type');

  constructor(
    private readonly schemas: ReadonlyMap<string, StrapiSchema>,
    /** A value that the kind of its attribute does not have, as JSON. */
    private readonly otherValue: (uid: string, name: string) => string | undefined,
    private readonly losses: Losses,
  ) {}

  /** @param titles names of the attributes that title entries */
  read(titles: ReadonlyMap<string, string>): Map<string, StrapiModel> {
    const imported = [...this.schemas.values()].filter(
      ({ uid, modelType }) => isContentType(uid) || modelType === 'component',
    );
    return new Map(imported.map((schema) => [schema.uid, this.#model(schema, titles.get(schema.uid))]));
  }

  #model(schema: StrapiSchema, title: string | undefined): StrapiModel {
    const { uid, info, modelType, modelName, kind, pluginOptions } = schema;
    const isBlock = modelType === 'component';
    const names = new ApiNames('field');
    const all = Object.entries(schema.attributes).filter(([name]) => !ownAttributes.has(name));
    for (const [name] of all.slice(limits.fieldsPerContentType))
      this.#lose(`${uid}.${name}`, 'the field', [
        `A content type has at most ${String(limits.fieldsPerContentType)} fields.`,
        'Split the content type before the export.',
      ]);
    const fields = all
      .slice(0, limits.fieldsPerContentType)
      .flatMap(([name, given]) => this.#field(schema, [name, given], names) ?? []);
    const titled = fields.find(
      ({ name, source }) => name === (title ?? 'title') && ['text', 'longText'].includes(source.type),
    );
    const first = fields.find(({ source }) => source.type === 'text' && source.isList !== true);
    const own = isBlock ? uid.replace('.', '_') : info.singularName || modelName || uid.replace(/^.*\./, '');
    return {
      schema,
      fields,
      type: {
        id: uid,
        apiName: this.#names.nameFor(own),
        name: (info.displayName.trim() || uid).slice(0, limits.nameLength),
        description: info.description.slice(0, limits.descriptionLength),
        displayField: (titled ?? first)?.name ?? null,
        isPage: false,
        isBlock,
        isSingleton: kind === 'singleType',
        isLocalized: !isBlock && pluginOptions.i18n.localized,
        fields: fields.map(({ source }) => source),
      },
    };
  }

  /** Undefined for one that is left out. */
  #field(
    schema: StrapiSchema,
    [name, given]: readonly [string, unknown],
    names: ApiNames,
  ): StrapiField | undefined {
    const where = `${schema.uid}.${name}`;
    const attribute = Attribute.parse(isObject(given) ? given : {});
    const reason = this.#whyLeftOut(attribute);
    if (reason !== undefined) {
      this.#lose(where, 'the field', reason);
      return undefined;
    }
    if (attribute.private)
      this.#lose(where, 'private', [
        'Published entries are delivered with every field.',
        'Leave the field out in the mapping if its values are secret.',
      ]);
    const kind = this.#kindOf(schema.uid, name, attribute);
    const { type } = attribute;
    const isLocalized =
      schema.pluginOptions.i18n.localized &&
      schema.modelType !== 'component' &&
      (attribute.pluginOptions.i18n.localized || type === 'uid' || type === 'relation');
    const isMany = type === 'media' ? attribute.multiple : isToMany(attribute);
    const isList = kind === 'blocks' || (isMany && (kind === 'media' || kind === 'reference'));
    const rules = this.#rules(attribute, kind, where);
    const isUnique = attribute.unique && schema.modelType !== 'component' && kind !== 'slug';
    const source: SourceField = {
      id: name,
      apiName: names.nameFor(name),
      name: name.slice(0, limits.nameLength),
      type: kind,
      required: attribute.required,
      localized: isLocalized,
      isList,
      ...(isUnique && { unique: true }),
      ...rules,
    };
    return { name, attribute, source };
  }

  #lose(where: string, what: string, [why, remedy]: readonly [why: string, remedy: string]): void {
    this.losses.add('field', where, [what, why, remedy]);
  }

  #whyLeftOut({ type, target, mappedBy, morphBy }: Attribute): readonly [string, string] | undefined {
    if (type === 'password') return ['Passwords are not imported.', 'Create users in Headwater.'];
    if (type !== 'relation') return undefined;
    const other = [mappedBy, morphBy].find((one) => typeof one === 'string');
    if (other !== undefined)
      return [
        `It is the other side of the field ${other.slice(0, 100)} of ${target || 'other types'}, which has the links.`,
        'Filter by that field.',
      ];
    return target === '' || isContentType(target)
      ? undefined
      : [`It links entries of ${target.slice(0, 100)}, which are not imported.`, 'Model what it links.'];
  }

  #kindOf(uid: string, name: string, { type, components, component }: Attribute): FieldKind {
    const where = `${uid}.${name}`;
    const known = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    if (known === undefined) {
      this.#lose(where, `the kind ${type}`.trim(), [
        'It is unknown. Values are kept as JSON.',
        'Change the field.',
      ]);
      return 'json';
    }
    const isMissing = [...components, component].some((one) => one !== '' && !this.schemas.has(one));
    if (known === 'blocks' && (isMissing || (type === 'component' && component === '')))
      this.#lose(where, 'a component', ['The export lacks its schema.', 'Export the schemas, too.']);
    const other = this.otherValue(uid, name);
    if (other === undefined) return known;
    this.#lose(where, `the kind ${type}`, [
      `Entries have other values, such as ${other}. They are read as plain text.`,
      'Correct the values, and change the field.',
    ]);
    return 'text';
  }

  #rules(
    attribute: Attribute,
    kind: FieldKind,
    where: string,
  ): Pick<SourceField, 'settings' | 'validations' | 'defaultValue'> {
    const { type, component, components, target, default: standard } = attribute;
    const settings: Record<string, unknown> = {};
    if (kind === 'reference' && target !== '') settings.contentTypes = [target];
    if (type === 'component' || type === 'dynamiczone')
      settings.contentTypes = [...new Set(type === 'component' ? [component] : components)].filter((one) =>
        this.schemas.has(one),
      );
    const isGroup = type === 'component' && !attribute.repeatable;
    if (isGroup) settings.shape = 'group';
    const options = Array.isArray(attribute.enum) ? [...new Set(attribute.enum.map(String))] : [];
    if (kind === 'select') settings.options = options.map((value) => ({ value }));
    const validations: Record<string, unknown> = isGroup ? { maxItems: 1 } : {};
    for (const [rule, value] of isGroup ? [] : rulesOf(attribute, kind))
      if (fieldKindOptions[kind].validations.safeParse({ [rule]: value }).success) validations[rule] = value;
      else this.#lose(where, `the rule ${rule}`, ['The field has no such rule.', 'Change the field.']);
    const isPlain = ['string', 'number', 'boolean'].includes(typeof standard);
    return {
      ...(Object.keys(settings).length > 0 && { settings }),
      ...(Object.keys(validations).length > 0 && { validations }),
      ...(isPlain && Object.hasOwn(scalars, kind) && { defaultValue: standard }),
    };
  }
}

const scalars = { text: 1, longText: 1, integer: 1, number: 1, boolean: 1, select: 1, email: 1 };

const isToMany = ({ relation }: Attribute): boolean =>
  relation.endsWith('ToMany') || relation === 'morphMany';

function rulesOf(attribute: Attribute, kind: FieldKind): (readonly [string, unknown])[] {
  const { min, max, minLength, maxLength, regex, allowedTypes } = attribute;
  const [low, high] = kind === 'blocks' ? ['minItems', 'maxItems'] : ['min', 'max'];
  const types = Array.isArray(allowedTypes) ? allowedTypes.map((one) => mediaTypes[String(one)]) : [];
  const found: (readonly [string, unknown])[] = [
    [low, min],
    [high, max],
    ['minLength', minLength],
    ['maxLength', maxLength],
    ['pattern', typeof regex === 'string' && regex !== '' ? regex : undefined],
    ['mimeTypes', kind === 'media' && types.length > 0 && !types.includes(undefined) ? types : undefined],
  ];
  return found.filter(([, value]) => value !== undefined && value !== null);
}

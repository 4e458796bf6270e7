import type { FieldInput } from '../../../../contracts/content/fields/field.js';
import type { InputIssue } from '../../../../contracts/errors.js';
import { isAppError, type NewContentType, type Operations } from '../../client/rest-operations.js';
import type { ImportPlan, PlannedType } from './import-plan.js';
import type { ImportReport } from './import-report.js';

export interface Target {
  readonly client: Operations;
  readonly projectSlug: string;
  readonly siteSlug: string;
}

/** The site as the import leaves it. */
export interface PreparedTarget extends Target {
  readonly siteId: string;
  /** Fields that a dry run has found missing in content types of the project. A run that writes is refused. */
  readonly conflicts: number;
}

/** The definition of a field, with the content types of this plan. */
function fieldOf(
  plan: ImportPlan,
  { source, apiName, kind, isRequired }: PlannedType['fields'][number],
): FieldInput {
  const outside = (name: string): string | [] => (plan.source.table === undefined ? [] : name);
  const { types } = plan;
  const { id: _id, type, settings = {}, validations, ...field } = source;
  const { contentTypes, ...others } = settings as { contentTypes?: readonly string[] };
  const names = contentTypes?.flatMap((name) => types.get(name)?.apiName ?? outside(name)) ?? [];
  const own = kind === type ? { ...others, ...(names.length > 0 && { contentTypes: names }) } : {};
  return {
    ...field,
    apiName,
    type: kind,
    required: isRequired,
    ...(Object.keys(own).length > 0 && { settings: own }),
    ...(kind === type && validations !== undefined && { validations: { ...validations } }),
  };
}

function definitionOf(plan: ImportPlan, { source, apiName, fields }: PlannedType): NewContentType {
  const titled = fields.find((field) => field.source.id === source.displayField);
  const hasFallback = plan.source.locales.some(({ fallback }) => fallback !== null);
  return {
    apiName,
    name: source.name,
    description: source.description,
    isPage: source.isPage,
    ...(source.isBlock && { isBlock: true }),
    ...(source.isSingleton && { isSingleton: true }),
    isLocalized: source.isLocalized,
    ...(source.isLocalized && hasFallback && { fieldFallback: true }),
    ...(titled !== undefined && { displayField: titled.apiName }),
    fields: fields.map((field) => fieldOf(plan, field)),
  };
}

/** Fields in whose validations the service finds a fault, such as a pattern that it cannot match in linear time. */
function withoutRefused(
  definition: NewContentType,
  issues: readonly InputIssue[],
): { definition: NewContentType; refused: string[] } {
  const refused: string[] = [];
  const fields = definition.fields.map((field, index) => {
    const keys = issues.flatMap(({ path: [list, at, part, key] }) =>
      list !== 'fields' || Number(at) !== index
        ? []
        : part === 'validations'
          ? [String(key)]
          : part === 'defaultValue'
            ? [part]
            : [],
    );
    if (keys.length === 0) return field;
    refused.push(...keys.map((key) => `${field.apiName}: ${key}`));
    const validations = Object.fromEntries(
      Object.entries(field.validations ?? {}).filter(([key]) => !keys.includes(key) && key !== 'flags'),
    );
    const { defaultValue, ...rest } = field;
    return { ...rest, ...(!keys.includes('defaultValue') && { defaultValue }), validations };
  });
  return { definition: { ...definition, fields }, refused };
}

const kindOf = ({ kind, source }: { kind: string; source: { isList?: boolean | undefined } }): string =>
  source.isList === true ? `list of ${kind}` : kind;

/** Makes locales and content types, and looks for what contradicts them before anything is written. */
export class TargetPreparation {
  constructor(
    private readonly target: Target,
    private readonly plan: ImportPlan,
    private readonly report: ImportReport,
  ) {}

  /**
   * @param isDry changes nothing
   * @throws Error with one line for people
   */
  async prepare(isDry: boolean): Promise<PreparedTarget> {
    const { client, projectSlug, siteSlug } = this.target;
    const { data: site } = await client
      .call('sites', 'get', { projectSlug, siteSlug })
      .catch((error: unknown) => {
        if (isAppError(error, 'site_not_found', 'project_not_found'))
          throw new Error(`The project ${projectSlug} has no site ${siteSlug}. Create it first.`, {
            cause: error,
          });
        throw error;
      });
    const { missing, conflicts } = await this.#compareTypes();
    if (!isDry && conflicts.length > 0)
      throw new Error(
        `The project ${projectSlug} has content types without these fields: ${conflicts.join(', ')}. Add them, or leave them out or give the types other names in the mapping, which a run with --dry-run writes.`,
      );
    await this.#addLocales(site, isDry);
    for (const type of isDry ? [] : missing) await this.#create(type);
    if (!isDry) await this.#link(missing);
    return { ...this.target, siteId: site.id, conflicts: conflicts.length };
  }

  /** Content types that do not exist, and fields that those of the project lack, which are losses. */
  async #compareTypes(): Promise<{ missing: PlannedType[]; conflicts: string[] }> {
    const { client, projectSlug } = this.target;
    const missing: PlannedType[] = [];
    const conflicts: string[] = [];
    for (const type of this.plan.types.values()) {
      const known = await client
        .call('contentTypes', 'get', { projectSlug, apiName: type.apiName })
        .catch((error: unknown) => {
          if (isAppError(error, 'content_type_not_found')) return undefined;
          throw error;
        });
      if (known === undefined) {
        missing.push(type);
        this.report.count('type', 'made');
        this.report.count('field', 'made', type.fields.length);
        continue;
      }
      const differing = type.fields.filter((field) => this.#isConflict(type, field, known.data.fields));
      for (const field of differing) conflicts.push(`${type.apiName}.${field.apiName} (${kindOf(field)})`);
      this.report.count('type', 'same');
      this.report.count('field', 'same', type.fields.length - differing.length);
    }
    return { missing, conflicts };
  }

  #isConflict(
    type: PlannedType,
    field: PlannedType['fields'][number],
    known: readonly Pick<FieldInput, 'apiName' | 'type' | 'isList'>[],
  ): boolean {
    const { apiName, source } = field;
    const found = known.find((one) => one.apiName === apiName);
    const own = found && kindOf({ kind: found.type, source: found });
    if (own === kindOf(field)) return false;
    const why =
      own === undefined
        ? `The content type ${type.apiName} of the project has no such field.`
        : `The content type ${type.apiName} of the project has this field with the kind ${own}.`;
    this.report.losses.add('field', `${type.source.id}.${source.id}`, [
      `the field ${apiName} (${kindOf(field)})`,
      why,
      'Add it, leave it out in the mapping (null), or give the content type another name there.',
    ]);
    return true;
  }

  async #addLocales(site: { slug: string; locales: readonly string[] }, isDry: boolean): Promise<void> {
    const { client, projectSlug } = this.target;
    const { data: known } = await client.call('locales', 'list', { projectSlug });
    const codes = new Map(known.map(({ code, fallbackCode }) => [code, fallbackCode]));
    const wanted = this.plan.source.locales.flatMap(({ code, name, fallback }) => {
      const own = this.plan.locales.get(code);
      return own === undefined
        ? []
        : [{ code: own, name, fallback: fallback === null ? undefined : this.plan.locales.get(fallback) }];
    });
    for (const { code, fallback = null } of wanted)
      if (codes.has(code) && codes.get(code) !== fallback)
        this.report.losses.add('locale', code, [
          `the fallback ${fallback ?? 'none'}`,
          'The locale exists, with another one.',
          'Change it in the settings.',
        ]);
    const added = wanted.filter(({ code }) => !site.locales.includes(code));
    this.report.count('locale', 'made', added.length);
    this.report.count('locale', 'same', wanted.length - added.length);
    if (isDry || added.length === 0) return;
    try {
      const absent = wanted.filter(({ code }) => !codes.has(code));
      for (const { code, name } of absent)
        await client.call('locales', 'create', { projectSlug, code, name });
      for (const { code, fallback } of absent)
        if (fallback !== undefined)
          await client.call('locales', 'update', { projectSlug, code, fallbackCode: fallback });
      const locales = [...site.locales, ...added.map(({ code }) => code)];
      await client.call('sites', 'update', { projectSlug, siteSlug: site.slug, locales });
    } catch (error) {
      if (!isAppError(error, 'permission_denied', 'api_key_permission_denied')) throw error;
      throw new Error(
        `The site ${site.slug} lacks the locales ${added.map(({ code }) => code).join(', ')}. Add them, which an owner can do, or name others in the mapping.`,
        { cause: error },
      );
    }
  }

  /** References to types that do not exist yet are added by {@link #link}. */
  async #create(type: PlannedType): Promise<void> {
    const { client, projectSlug } = this.target;
    const whole = definitionOf(this.plan, type);
    let definition: NewContentType = { ...whole, fields: whole.fields.map(withoutTargets) };
    for (let attempt = 0; ; attempt += 1)
      try {
        await client.call('contentTypes', 'create', {
          projectSlug,
          ...definition,
          fields: [...definition.fields],
        });
        return;
      } catch (error) {
        if (!isAppError(error, 'validation_failed', 'schema_too_complex') || attempt > 3) throw error;
        const { issues = [] } = (error.details ?? {}) as { issues?: readonly InputIssue[] };
        const { definition: rest, refused } = withoutRefused(definition, issues);
        if (refused.length === 0) throw error;
        definition = rest;
        for (const one of refused)
          this.report.losses.add('field', `${type.source.id}.${one}`, [
            'the rule',
            'The service refuses it.',
            'Write another one after the import.',
          ]);
      }
  }

  async #link(types: readonly PlannedType[]): Promise<void> {
    const { client, projectSlug } = this.target;
    for (const type of types)
      for (const { apiName, settings } of definitionOf(this.plan, type).fields)
        if (settings?.contentTypes !== undefined)
          await client.call('fields', 'update', {
            projectSlug,
            contentTypeApiName: type.apiName,
            fieldApiName: apiName,
            settings,
          });
  }
}

function withoutTargets(field: FieldInput): FieldInput {
  // A group names its content type, so that it becomes one later, too.
  const { contentTypes: _contentTypes, shape: _shape, ...settings } = field.settings ?? {};
  return { ...field, settings };
}

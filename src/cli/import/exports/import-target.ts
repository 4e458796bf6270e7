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
    const missing = await this.#missingTypes();
    await this.#addLocales(site, isDry);
    for (const type of isDry ? [] : missing) await this.#create(type);
    if (!isDry) await this.#link(missing);
    return { ...this.target, siteId: site.id };
  }

  /** @throws Error naming every content type that exists with other fields */
  async #missingTypes(): Promise<PlannedType[]> {
    const { client, projectSlug } = this.target;
    const missing: PlannedType[] = [];
    const problems: string[] = [];
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
      const differing = type.fields.filter(
        ({ apiName, kind, source: { isList = false } }) =>
          !known.data.fields.some(
            (field) => field.apiName === apiName && field.type === kind && field.isList === isList,
          ),
      );
      for (const { apiName, kind } of differing) problems.push(`${type.apiName}.${apiName} (${kind})`);
      this.report.count('type', 'same');
      this.report.count('field', 'same', type.fields.length);
    }
    if (problems.length === 0) return missing;
    throw new Error(
      `The project ${projectSlug} has content types without these fields: ${problems.join(', ')}. Add them, or give the types other names in the mapping.`,
    );
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

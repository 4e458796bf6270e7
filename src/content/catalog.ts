import type { AddressRules } from '../../contracts/access/ip-allowlist/ip-allowlist.contract.js';
import type { Locale } from '../../contracts/tenancy/locales/locale.js';
import { kindOf } from './field-kinds/index.js';
import type { CustomFieldTypeDefinition, FieldDefinition } from './model/field-definition.js';
import type { SearchSettingsData } from './search/boosts.js';
import { selectWorkflow, type WorkflowDefinition } from './workflow/workflow-definition.js';

export type { CustomFieldTypeDefinition, FieldDefinition } from './model/field-definition.js';

export interface ContentTypeDefinition {
  readonly id: string;
  readonly apiName: string;
  readonly name: string;
  readonly description: string | null;
  readonly displayField: string | null;
  readonly isPage: boolean;
  readonly isBlock: boolean;
  readonly isSingleton: boolean;
  /** False: entries have one document, which serves every locale (rule localization/types). */
  readonly isLocalized: boolean;
  /** Localized fields without a value show that of a fallback (rule localization/field-fallback). */
  readonly fieldFallback: boolean;
  readonly slugPattern: string | null;
  readonly workflowSlug: string | null;
  /** In order of position. */
  readonly fields: readonly FieldDefinition[];
}

export interface SiteDefinition {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly defaultLocale: string;
  readonly locales: readonly string[];
  /** Absolute URL that paths are appended to. */
  readonly baseUrl: string | null;
  readonly domain: string | null;
  /** `prefix`: paths of every locale but the default one begin with its code. */
  readonly localePathStrategy: 'prefix' | 'none';
  /** Hosts that redirects may lead to; null means every host. */
  readonly allowedTargets: readonly string[] | null;
  /** Locales that its content must have; empty means the default one. */
  readonly requiredLocales: readonly string[];
  /** Entry at the path `/`. */
  readonly homeEntryId: string | null;
  /** Delivery keys and anonymous callers do not see inactive sites. */
  readonly isActive: boolean;
  /** Those of a preview session that is limited to some; others are refused. */
  readonly previewLocales?: readonly string[] | undefined;
}

export interface CatalogData {
  /** Increases with every change below. */
  readonly revision: string;
  readonly tenant: {
    readonly id: string;
    readonly slug: string;
    readonly isActive: boolean;
    readonly dataRegion: string | null;
  };
  readonly project: { readonly id: string; readonly slug: string; readonly name: string };
  readonly environment: { readonly id: string; readonly slug: string; readonly isProtected: boolean };
  readonly addressRules: AddressRules;
  readonly locales: readonly Locale[];
  readonly sites: readonly SiteDefinition[];
  /** With custom types resolved, see {@link withCustomType}. */
  readonly contentTypes: readonly ContentTypeDefinition[];
  readonly customFieldTypes: readonly CustomFieldTypeDefinition[];
  /** Oldest first. */
  readonly workflows: readonly WorkflowDefinition[];
  readonly searchSettings: SearchSettingsData;
}

/** Resolves the custom type of a field. A single value without a default inherits the type's. */
export function withCustomType<F extends FieldDefinition>(
  field: F,
  customTypes: ReadonlyMap<string, CustomFieldTypeDefinition>,
): F {
  const name = kindOf(field).customTypeName(field.settings);
  if (name === undefined) return field;
  const customType = customTypes.get(name);
  const inherited = field.isList ? null : (customType?.defaultValue ?? null);
  return { ...field, customType, defaultValue: field.defaultValue ?? inherited };
}

/** Sites and locales of preview sessions, of which few are open at once. */
const KEPT_PREVIEWS = 20;

/** Lookups over {@link CatalogData}. Immutable. */
export class Catalog {
  readonly #locales: ReadonlyMap<string, Locale>;
  readonly #sitesById: ReadonlyMap<string, SiteDefinition>;
  readonly #sitesBySlug: ReadonlyMap<string, SiteDefinition>;
  readonly #typesByName: ReadonlyMap<string, ContentTypeDefinition>;
  readonly #typesById: ReadonlyMap<string, ContentTypeDefinition>;
  readonly #customTypes: ReadonlyMap<string, CustomFieldTypeDefinition>;
  /** Ids of the types without locales. */
  readonly typesForAll: readonly string[];
  /** Ids of the types whose fields fall back. */
  readonly typesWithFallback: readonly string[];
  readonly #chains = new Map<string, readonly string[]>();
  readonly #workflows = new Map<string, WorkflowDefinition | undefined>();
  readonly #previews = new Map<string, Catalog>();
  #active: Catalog | undefined;

  constructor(
    readonly data: CatalogData,
    /** Whether the project has more sites. */
    readonly isPartial = false,
  ) {
    this.#locales = new Map(data.locales.map((locale) => [locale.code, locale]));
    this.#sitesById = new Map(data.sites.map((site) => [site.id, site]));
    this.#sitesBySlug = new Map(data.sites.map((site) => [site.slug, site]));
    this.#typesByName = new Map(data.contentTypes.map((type) => [type.apiName, type]));
    this.#typesById = new Map(data.contentTypes.map((type) => [type.id, type]));
    const idsOf = (chosen: (type: ContentTypeDefinition) => boolean): string[] =>
      data.contentTypes.filter(chosen).map(({ id }) => id);
    this.typesForAll = idsOf(({ isLocalized }) => !isLocalized);
    this.typesWithFallback = idsOf(({ isLocalized, fieldFallback }) => isLocalized && fieldFallback);
    this.#customTypes = new Map(data.customFieldTypes.map((type) => [type.apiName, type]));
  }

  /** Without inactive sites; itself if all are active. */
  get active(): Catalog {
    return (this.#active ??= this.#withoutInactive());
  }

  /** Without inactive sites but this one, which is served in these locales only. */
  forPreview(siteId: string, locales: readonly string[] | null): Catalog {
    const isShown = this.active.site(siteId) !== undefined;
    if (isShown && locales === null) return this.active;
    const key = `${siteId} ${locales?.join(' ') ?? ''}`;
    const known = this.#previews.get(key);
    if (known !== undefined) return known;
    const sites = this.data.sites
      .filter(({ id, isActive }) => isActive || id === siteId)
      .map((site) => (site.id === siteId ? { ...site, previewLocales: locales ?? undefined } : site));
    const catalog = new Catalog({ ...this.data, sites }, sites.length < this.data.sites.length);
    if (this.#previews.size >= KEPT_PREVIEWS) this.#previews.clear();
    this.#previews.set(key, catalog);
    return catalog;
  }

  locale(code: string): Locale | undefined {
    return this.#locales.get(code);
  }

  site(id: string): SiteDefinition | undefined {
    return this.#sitesById.get(id);
  }

  siteBySlug(slug: string): SiteDefinition | undefined {
    return this.#sitesBySlug.get(slug);
  }

  contentType(apiName: string): ContentTypeDefinition | undefined {
    return this.#typesByName.get(apiName);
  }

  contentTypeById(id: string): ContentTypeDefinition | undefined {
    return this.#typesById.get(id);
  }

  /** Of whichever type: values of own blocks have fields of other types than their entry. */
  fieldById(id: string): FieldDefinition | undefined {
    for (const { fields } of this.data.contentTypes) {
      const field = fields.find((one) => one.id === id);
      if (field !== undefined) return field;
    }
    return undefined;
  }

  /** The workflow of an entry, if any applies. */
  workflowOf(entry: {
    readonly contentTypeId: string;
    readonly siteId: string;
  }): WorkflowDefinition | undefined {
    const { contentTypeId, siteId } = entry;
    const key = `${contentTypeId} ${siteId}`;
    if (this.#workflows.has(key)) return this.#workflows.get(key);
    const named = this.contentTypeById(contentTypeId)?.workflowSlug ?? null;
    const workflow = selectWorkflow(this.data.workflows, { contentTypeId, siteId }, named);
    this.#workflows.set(key, workflow);
    return workflow;
  }

  #withoutInactive(): Catalog {
    const sites = this.data.sites.filter(({ isActive }) => isActive);
    return sites.length === this.data.sites.length ? this : new Catalog({ ...this.data, sites }, true);
  }

  /** By `apiName`. */
  get contentTypes(): ReadonlyMap<string, ContentTypeDefinition> {
    return this.#typesByName;
  }

  /** By `apiName`. */
  get customFieldTypes(): ReadonlyMap<string, CustomFieldTypeDefinition> {
    return this.#customTypes;
  }

  /** These types; null: all. */
  typesAmong(ids: readonly string[] | null): readonly ContentTypeDefinition[] {
    const { contentTypes } = this.data;
    return ids === null ? contentTypes : contentTypes.filter(({ id }) => ids.includes(id));
  }

  /** Of these types, those without locales; null: of all types. */
  typesForAllAmong(ids: readonly string[] | null): readonly string[] {
    return ids === null ? this.typesForAll : this.typesForAll.filter((id) => ids.includes(id));
  }

  /** The locale and, in order, its fallbacks (rule localization/fallback). A cycle ends the chain. */
  localeChain(code: string): readonly string[] {
    const known = this.#chains.get(code);
    if (known) return known;
    const chain: string[] = [];
    for (let next = this.#locales.get(code); next && !chain.includes(next.code);) {
      chain.push(next.code);
      next = next.fallbackCode === null ? undefined : this.#locales.get(next.fallbackCode);
    }
    if (chain.length > 0) this.#chains.set(code, chain);
    return chain;
  }
}

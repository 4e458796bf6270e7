import { AppError } from '../../../../contracts/errors.js';
import type { AddressRules } from '../../../../contracts/access/ip-allowlist/ip-allowlist.contract.js';
import type { Locale } from '../../../../contracts/tenancy/locales/locale.js';
import {
  Catalog,
  withCustomType,
  type CatalogData,
  type ContentTypeDefinition,
  type CustomFieldTypeDefinition,
  type FieldDefinition,
  type SiteDefinition,
} from '../../../content/catalog.js';
import { noSearchSettings, type SearchSettingsData } from '../../../content/search/boosts.js';
import type { WorkflowDefinition } from '../../../content/workflow/workflow-definition.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import type { AddressRow } from '../../../persistence/work/unit-of-work.js';
import type { ReadPool } from '../../../persistence/connections/read-pool.js';

export interface EnvironmentHead extends AddressRow {
  readonly tenantSlug: string;
  readonly tenantActive: boolean;
  readonly dataRegion: string | null;
  readonly projectName: string;
  readonly isProtected: boolean;
  readonly revision: string;
}

/** Columns of {@link EnvironmentHead}. */
const headColumns = `environment_id AS "environmentId", environment_slug AS "environmentSlug",
  tenant_id AS "tenantId", tenant_slug AS "tenantSlug", tenant_active AS "tenantActive", data_region AS "dataRegion",
  project_id AS "projectId", project_slug AS "projectSlug", project_name AS "projectName", is_protected AS "isProtected", revision::text AS revision`;

interface StoredRules extends Pick<AddressRules, 'isEnabled' | 'appliesTo'> {
  readonly networks: readonly { readonly cidr: string; readonly expiresAt: string | null }[];
}

export const memoryKey = (environmentId: string): string => `catalog:${environmentId}`;

const readHead = {
  name: 'read_environment_head',
  text: `SELECT ${headColumns} FROM environment_heads WHERE environment_id = $1`,
};

export class CatalogRepository extends Repository {
  /**
   * Reads the head, and the rest only if the cached catalog is outdated. Content work starts with the cached catalog
   * and is retried if it turns out to be outdated.
   */
  async current(): Promise<Catalog> {
    const { attempt, lock, connection, memory } = this.bound;
    const known = memory.get(memoryKey(this.environmentId));
    const head = this.#head();
    if (known instanceof Catalog && lock === 'content' && attempt === 1) {
      const check = async () => {
        if ((await head).revision !== known.data.revision) throw this.retryFailure();
      };
      connection.check(check());
      return known;
    }
    return this.#at(await head, known);
  }

  async #head(): Promise<EnvironmentHead> {
    const [head] = await this.query<EnvironmentHead>(readHead, [this.environmentId]);
    // Deleted since the call was admitted.
    if (head === undefined) throw new AppError('environment_not_found');
    return head;
  }

  async #at(head: EnvironmentHead, known: object | undefined): Promise<Catalog> {
    if (known instanceof Catalog && known.data.revision === head.revision) return known;
    const catalog = new Catalog(await this.#load(head));
    this.bound.memory.set(memoryKey(head.environmentId), catalog);
    return catalog;
  }

  async #load(head: EnvironmentHead): Promise<CatalogData> {
    const customFieldTypes = await this.#customFieldTypes();
    return {
      revision: head.revision,
      tenant: {
        id: head.tenantId,
        slug: head.tenantSlug,
        isActive: head.tenantActive,
        dataRegion: head.dataRegion,
      },
      project: { id: head.projectId, slug: head.projectSlug, name: head.projectName },
      environment: {
        id: head.environmentId,
        slug: head.environmentSlug,
        isProtected: head.isProtected,
      },
      addressRules: await this.#addressRules(),
      locales: await this.#locales(),
      sites: await this.#sites(),
      contentTypes: await this.#contentTypes(customFieldTypes),
      customFieldTypes,
      workflows: await this.#workflows(),
      searchSettings: await this.#searchSettings(),
    };
  }

  async #addressRules(): Promise<AddressRules> {
    const [row] = await this.query<StoredRules>(
      `SELECT a.is_enabled AS "isEnabled", a.applies_to AS "appliesTo", coalesce((
         SELECT jsonb_agg(jsonb_build_object('cidr', r.cidr, 'expiresAt', r.expires_at)) FROM ip_rules r
         WHERE r.tenant_id = a.tenant_id AND r.project_id = a.project_id AND r.is_active), '[]') AS networks
       FROM ip_allowlists a WHERE a.tenant_id = $1 AND a.project_id = $2`,
      [this.tenantId, this.projectId],
    );
    const { isEnabled = false, appliesTo = [], networks = [] } = row ?? {};
    const parsed = networks.map(({ cidr, expiresAt }) => ({
      cidr,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    }));
    return { isEnabled, appliesTo, networks: parsed };
  }

  #locales(): Promise<Locale[]> {
    return this.query<Locale>(
      `SELECT l.code, l.name, l.code = t.default_locale AS "isDefault", l.fallback_code AS "fallbackCode", l.is_active AS "isActive"
       FROM locales l JOIN tenants t ON t.id = l.tenant_id WHERE l.tenant_id = $1 ORDER BY l.position, l.code`,
      [this.tenantId],
    );
  }

  #sites(): Promise<SiteDefinition[]> {
    return this.query<SiteDefinition>(
      `SELECT id, slug, name, default_locale AS "defaultLocale", locales, base_url AS "baseUrl", domain,
         locale_path_strategy AS "localePathStrategy", allowed_targets AS "allowedTargets", required_locales AS "requiredLocales", home_entry_id AS "homeEntryId", is_active AS "isActive" FROM sites
       WHERE tenant_id = $1 AND project_id = $2 ORDER BY created_at, id`,
      [this.tenantId, this.projectId],
    );
  }

  #customFieldTypes(): Promise<CustomFieldTypeDefinition[]> {
    return this.query<CustomFieldTypeDefinition>(
      `SELECT api_name AS "apiName", name, description, json_schema AS "jsonSchema",
         graphql_type_name AS "graphqlTypeName", default_value AS "defaultValue"
       FROM custom_field_types WHERE environment_id = $1 ORDER BY api_name COLLATE "C"`,
      [this.environmentId],
    );
  }

  #workflows(): Promise<WorkflowDefinition[]> {
    return this.query<WorkflowDefinition>(
      `SELECT id, slug, is_default AS "isDefault", content_type_ids AS "contentTypeIds", site_ids AS "siteIds", enforcement,
         per_locale AS "perLocale", base_state AS "baseState", states, transitions
       FROM workflows WHERE environment_id = $1 ORDER BY created_at, id`,
      [this.environmentId],
    );
  }

  async #searchSettings(): Promise<SearchSettingsData> {
    const [row] = await this.query<SearchSettingsData>(
      `SELECT synonyms, type_boosts AS "typeBoosts", field_boosts AS "fieldBoosts" FROM search_settings WHERE environment_id = $1`,
      [this.environmentId],
    );
    return row ?? noSearchSettings;
  }

  async #contentTypes(
    customFieldTypes: readonly CustomFieldTypeDefinition[],
  ): Promise<ContentTypeDefinition[]> {
    const customTypes = new Map(customFieldTypes.map((type) => [type.apiName, type]));
    const types = await this.query<Omit<ContentTypeDefinition, 'fields'>>(
      `SELECT id, api_name AS "apiName", name, description, display_field AS "displayField", is_page AS "isPage",
         is_block AS "isBlock", is_singleton AS "isSingleton", is_localized AS "isLocalized", field_fallback AS "fieldFallback", slug_pattern AS "slugPattern",
         workflow_slug AS "workflowSlug"
       FROM content_types WHERE environment_id = $1 ORDER BY api_name COLLATE "C"`,
      [this.environmentId],
    );
    const fields = await this.query<FieldDefinition & { contentTypeId: string }>(
      `SELECT id, content_type_id AS "contentTypeId", api_name AS "apiName", name, type, description, required, localized,
         "unique", is_list AS "isList", default_value AS "defaultValue", position, "group", hidden, deprecated, settings, validations
       FROM fields WHERE environment_id = $1 ORDER BY content_type_id, position, id`,
      [this.environmentId],
    );
    const byType = Map.groupBy(fields, (field) => field.contentTypeId);
    return types.map((type) => ({
      ...type,
      fields: (byType.get(type.id) ?? []).map((field) => withCustomType(field, customTypes)),
    }));
  }
}

const findDefault = {
  name: 'find_environment_head',
  text: `SELECT ${headColumns} FROM environment_heads WHERE project_slug = $1 AND is_default`,
};
const findById = {
  name: 'find_environment_head_by_id',
  text: `SELECT ${headColumns} FROM environment_heads WHERE project_slug = $1 AND environment_id = $2`,
};

const findBySlug = {
  name: 'find_environment_head_by_slug',
  text: `SELECT ${headColumns} FROM environment_heads WHERE project_slug = $1 AND environment_slug = $2`,
};

/** The id or slug of an environment; null: the default one of the project. */
export type EnvironmentName = string | null | { readonly slug: string };

/** Read before the tenant is known. */
export class EnvironmentHeads {
  constructor(private readonly pool: ReadPool) {}

  async find(projectSlug: string, environment: EnvironmentName): Promise<EnvironmentHead | undefined> {
    const [head] = await this.#read(projectSlug, environment);
    return head;
  }

  #read(projectSlug: string, environment: EnvironmentName): Promise<EnvironmentHead[]> {
    if (environment === null) return this.pool.run(findDefault, [projectSlug]);
    return typeof environment === 'string'
      ? this.pool.run(findById, [projectSlug, environment])
      : this.pool.run(findBySlug, [projectSlug, environment.slug]);
  }
}

export class EnvironmentListRepository extends Repository {
  async all(): Promise<EnvironmentHead[]> {
    return this.query<EnvironmentHead>(
      `SELECT ${headColumns} FROM environment_heads ORDER BY tenant_slug, project_slug, environment_slug`,
    );
  }
}

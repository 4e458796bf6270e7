import { AppError } from '../../../../contracts/errors.js';
import type { LocaleRow } from '../../../persistence/models/access.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { addressOf, type Address, type AddressRow } from '../../../persistence/work/unit-of-work.js';

export type { LocaleRow };

export interface TenantLocales {
  readonly tenantId: string;
  readonly defaultLocale: string;
  /** In order of position. */
  readonly locales: readonly LocaleRow[];
}

/** What keeps a locale. */
export type Use = 'default' | 'fallback' | 'sites' | 'entries' | 'media';

/** Locales of a tenant, which all of its projects share. Access to other tenants needs a platform scope. */
export class LocaleRepository extends Repository {
  /** @param slug of the tenant; that of the call if it is absent */
  async find(slug: string | undefined): Promise<TenantLocales> {
    return this.#read(await this.#idOf(slug), '');
  }

  /** Blocks content writes in every project of the tenant, locks it, and makes its rows visible. */
  async enter(slug: string | undefined): Promise<TenantLocales> {
    const id = await this.#idOf(slug);
    await this.query("SELECT set_config('headwater.tenant_id', $1, true)", [id]);
    await this.blockWriters(id);
    return this.#read(id, 'FOR UPDATE');
  }

  /** Blocks content writes in every project of the tenant until the end of the transaction. */
  async blockWriters(tenantId: string): Promise<void> {
    await this.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('project:' || id, 0))
       FROM (SELECT id FROM projects WHERE tenant_id = $1 ORDER BY id) AS project`,
      [tenantId],
    );
  }

  async insert(row: LocaleRow): Promise<void> {
    await this.bound.models.locales.create(row, { transaction: this.bound.transaction });
    await this.#touch(row.tenantId);
  }

  async save({ tenantId, code, ...row }: LocaleRow): Promise<void> {
    const { models, transaction } = this.bound;
    await models.locales.update(row, { where: { tenantId, code }, transaction });
    await this.#touch(tenantId);
  }

  async remove({ tenantId, code }: LocaleRow): Promise<void> {
    const { models, transaction } = this.bound;
    await models.locales.destroy({ where: { tenantId, code }, transaction });
    await this.#touch(tenantId);
  }

  async replace(tenantId: string, rows: readonly LocaleRow[]): Promise<void> {
    const { models, transaction } = this.bound;
    await models.locales.destroy({ where: { tenantId }, transaction });
    await models.locales.bulkCreate([...rows], { transaction });
  }

  /** Why each of the locales that are in use is kept. */
  async uses(
    { tenantId, defaultLocale, locales }: TenantLocales,
    codes: readonly string[],
  ): Promise<ReadonlyMap<string, readonly Use[]>> {
    const rows = await this.query<{ code: string; uses: Use[] }>(
      `SELECT code, array_remove(ARRAY[
         CASE WHEN EXISTS (SELECT FROM sites s WHERE s.tenant_id = $1 AND code = ANY (s.locales)) THEN 'sites' END,
         CASE WHEN EXISTS (SELECT FROM entry_locales l WHERE l.tenant_id = $1 AND l.locale = code) THEN 'entries' END,
         CASE WHEN EXISTS (SELECT FROM media_asset_locales o WHERE o.tenant_id = $1 AND o.locale = code) THEN 'media' END],
         NULL) AS uses
       FROM unnest($2::text[]) AS code`,
      [tenantId, codes],
    );
    const found = rows.map(({ code, uses }): [string, Use[]] => [
      code,
      [
        ...(code === defaultLocale ? (['default'] as const) : []),
        ...(locales.some(({ fallbackCode }) => fallbackCode === code) ? (['fallback'] as const) : []),
        ...uses,
      ],
    ]);
    return new Map(found.filter(([, uses]) => uses.length > 0));
  }

  /** The default environment of each project, whose webhooks receive what concerns the tenant. */
  async addresses(tenantId: string): Promise<Address[]> {
    const rows = await this.query<AddressRow>(
      `SELECT p.tenant_id AS "tenantId", p.id AS "projectId", p.slug AS "projectSlug", e.id AS "environmentId", e.slug AS "environmentSlug"
       FROM projects p JOIN environments e ON e.tenant_id = p.tenant_id AND e.project_id = p.id AND e.is_default
       WHERE p.tenant_id = $1 ORDER BY p.id`,
      [tenantId],
    );
    return rows.map(addressOf);
  }

  /** @param row as it is after the change, or as it was deleted */
  note(verb: 'create' | 'update' | 'delete', row: LocaleRow, before: LocaleRow | null = null): void {
    const { tenantId, code, name } = row;
    this.record({
      action: `locale.${verb}`,
      target: { type: 'locale', id: code, name },
      before: before && { ...before },
      after: verb === 'delete' ? null : { ...row },
      locale: code,
      tenantId,
    });
  }

  async #idOf(slug: string | undefined): Promise<string> {
    if (slug === undefined) return this.tenantId;
    const [tenant] = await this.query<{ id: string }>('SELECT id FROM tenants WHERE slug = $1', [slug]);
    if (tenant === undefined) throw new AppError('tenant_not_found');
    return tenant.id;
  }

  async #read(tenantId: string, lock: 'FOR UPDATE' | ''): Promise<TenantLocales> {
    const { models, transaction } = this.bound;
    const [tenant] = await this.query<{ defaultLocale: string }>(
      `SELECT default_locale AS "defaultLocale" FROM tenants WHERE id = $1 ${lock}`,
      [tenantId],
    );
    if (tenant === undefined) throw new AppError('tenant_not_found');
    const rows = await models.locales.findAll({
      where: { tenantId },
      order: ['position', 'code'],
      transaction,
    });
    return { tenantId, ...tenant, locales: rows.map((row) => row.get()) };
  }

  async #touch(tenantId: string): Promise<void> {
    await this.query('UPDATE tenants SET updated_at = $2 WHERE id = $1', [tenantId, this.bound.now]);
  }
}

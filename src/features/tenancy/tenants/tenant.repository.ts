import type { AuditAction } from '../../../../contracts/change-names.js';
import type { Page } from '../../../../contracts/envelopes.js';
import { AppError } from '../../../../contracts/errors.js';
import type { LocaleRow, ProjectRow, TenantRow } from '../../../persistence/models/access.js';
import { LocaleRepository } from '../locales/index.js';
import { Repository, type PageQuery } from '../../../persistence/repositories/repository.js';

export type { LocaleRow, TenantRow };

export interface TenantDetails {
  readonly tenant: TenantRow;
  /** In order of position. */
  readonly locales: readonly LocaleRow[];
  readonly projects: readonly Pick<ProjectRow, 'id' | 'slug' | 'name'>[];
  /** The invited owner of a new tenant. */
  readonly owner?: { readonly id: string; readonly email: string } | undefined;
}

/** For audit records. */
const snapshotOf = ({ tenant, locales, projects, owner }: TenantDetails) => ({
  ...tenant,
  locales,
  projects: projects.map(({ id, slug, name }) => ({ id, slug, name })),
  ...(owner && { owner: { id: owner.id, email: owner.email } }),
});

/** Access to other tenants needs a platform scope. */
export class TenantRepository extends Repository {
  async list(query: PageQuery): Promise<Page<TenantDetails>> {
    const { items, total } = await this.page(this.bound.models.tenants, {}, query);
    return { items: await this.#complete(items), total };
  }

  async find(slug: string): Promise<TenantDetails> {
    const { models, transaction } = this.bound;
    const found = await models.tenants.findOne({ where: { slug }, transaction });
    return this.#whole(found?.get());
  }

  /** Locks the tenant and makes its rows visible to this unit of work. */
  async enter(slug: string): Promise<TenantDetails> {
    const { models, transaction } = this.bound;
    const found = await models.tenants.findOne({
      where: { slug },
      transaction,
      lock: transaction.LOCK.UPDATE,
    });
    const whole = await this.#whole(found?.get());
    await this.enterNew(whole.tenant.id);
    return whole;
  }

  /** Makes the rows of a new tenant visible. */
  async enterNew(tenantId: string): Promise<void> {
    await this.query("SELECT set_config('headwater.tenant_id', $1, true)", [tenantId]);
  }

  async insert(tenant: TenantRow, locales: readonly LocaleRow[]): Promise<void> {
    const { models, transaction } = this.bound;
    const slugTaken = { tenants_slug_key: () => new AppError('slug_conflict', { slug: tenant.slug }) };
    await this.mapViolations(models.tenants.create(tenant, { transaction }), slugTaken);
    await models.locales.bulkCreate([...locales], { transaction });
  }

  async save(before: TenantDetails, after: TenantDetails): Promise<void> {
    const { models, transaction } = this.bound;
    const tenantId = before.tenant.id;
    await models.tenants.update(after.tenant, { where: { id: tenantId }, transaction });
    if (after.locales !== before.locales)
      await new LocaleRepository(this.bound).replace(tenantId, after.locales);
    this.note('tenant.update', before, after);
  }

  note(action: AuditAction, before: TenantDetails | null, after: TenantDetails): void {
    const { id, name } = after.tenant;
    this.record({
      action,
      target: { type: 'tenant', id, name },
      before: before && snapshotOf(before),
      after: snapshotOf(after),
      tenantId: id,
    });
  }

  async #whole(tenant: TenantRow | undefined): Promise<TenantDetails> {
    const [whole] = tenant === undefined ? [] : await this.#complete([tenant]);
    if (whole === undefined) throw new AppError('tenant_not_found');
    return whole;
  }

  async #complete(tenants: readonly TenantRow[]): Promise<TenantDetails[]> {
    const { models, transaction } = this.bound;
    const where = { tenantId: tenants.map(({ id }) => id) };
    const locales = await models.locales.findAll({ where, order: ['position', 'code'], transaction });
    const projects = await models.projects.findAll({ where, order: ['createdAt', 'id'], transaction });
    return tenants.map((tenant) => ({
      tenant,
      locales: locales.map((row) => row.get()).filter(({ tenantId }) => tenantId === tenant.id),
      projects: projects.map((row) => row.get()).filter(({ tenantId }) => tenantId === tenant.id),
    }));
  }
}

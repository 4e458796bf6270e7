import type { Page } from '../../../contracts/envelopes.js';
import { AppError } from '../../../contracts/errors.js';
import type { SiteRow } from '../../persistence/models/content.js';
import { readableValues } from '../../access/grants.js';
import { Repository, type PageQuery } from '../../persistence/repositories/repository.js';

export type { SiteRow };

const slugTaken = { sites_slug_key: () => new AppError('slug_conflict') };

/** The only place that knows the table of sites. */
export class SiteRepository extends Repository {
  async find(slug: string): Promise<SiteRow> {
    const { models, transaction } = this.bound;
    const site = await models.sites.findOne({ where: { ...this.#readable, slug }, transaction });
    if (site === null) throw new AppError('site_not_found');
    return site.get();
  }

  /** The site, which nobody else changes until the end of this work. */
  async lock(slug: string): Promise<SiteRow> {
    const { models, transaction } = this.bound;
    const site = await models.sites.findOne({
      where: { ...this.#readable, slug },
      transaction,
      lock: transaction.LOCK.UPDATE,
    });
    if (site === null) throw new AppError('site_not_found');
    return site.get();
  }

  list(query: PageQuery): Promise<Page<SiteRow>> {
    return this.page(this.bound.models.sites, this.#readable, query);
  }

  async insert(site: SiteRow): Promise<void> {
    const { models, transaction } = this.bound;
    await this.guarded(models.sites.create(site, { transaction }), slugTaken);
    this.#note('site.create', null, site);
  }

  async save(before: SiteRow, after: SiteRow): Promise<void> {
    const { models, transaction } = this.bound;
    await this.guarded(
      models.sites.update(after, { where: { ...this.#scope, id: before.id }, transaction }),
      slugTaken,
    );
    if (before.defaultLocale !== after.defaultLocale) await this.#showLocales(after.id);
    this.#note('site.update', before, after);
  }

  /** Removes a site; its soft-deleted entries go with it. */
  async remove(site: SiteRow): Promise<void> {
    const { models, transaction } = this.bound;
    await this.query('DELETE FROM entries WHERE tenant_id = $1 AND site_id = $2 AND deleted_at IS NOT NULL', [
      this.tenantId,
      site.id,
    ]);
    await models.sites.destroy({ where: { ...this.#scope, id: site.id }, transaction });
    this.#note('site.delete', site, null);
  }

  async hasEntries(siteId: string): Promise<boolean> {
    const rows = await this.query(
      'SELECT 1 FROM entries WHERE tenant_id = $1 AND site_id = $2 AND deleted_at IS NULL LIMIT 1',
      [this.tenantId, siteId],
    );
    return rows.length > 0;
  }

  /** Locales that entries of the site are written in. */
  async usedLocales(siteId: string): Promise<string[]> {
    const rows = await this.query<{ locale: string }>(
      `SELECT DISTINCT l.locale FROM entry_locales l JOIN entries e ON e.environment_id = l.environment_id AND e.id = l.entry_id
       WHERE e.tenant_id = $1 AND e.site_id = $2 AND e.deleted_at IS NULL`,
      [this.tenantId, siteId],
    );
    return rows.map(({ locale }) => locale);
  }

  async hasEntry(siteId: string, entryId: string): Promise<boolean> {
    const rows = await this.query(
      'SELECT 1 FROM entries WHERE environment_id = $1 AND site_id = $2 AND id = $3 AND deleted_at IS NULL',
      [this.environmentId, siteId, entryId],
    );
    return rows.length > 0;
  }

  /** Marks of each entry of the site the locale that stands for it: the default one, else the first. */
  async #showLocales(siteId: string): Promise<void> {
    await this.query("SELECT set_config('statement_timeout', '120s', true)");
    await this.query(
      `UPDATE entry_locales l SET is_shown = l.locale = best.locale
       FROM (SELECT DISTINCT ON (c.environment_id, c.entry_id) c.environment_id, c.entry_id, c.locale
           FROM entries e JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id
             JOIN entry_locales c ON c.environment_id = e.environment_id AND c.entry_id = e.id
           WHERE e.tenant_id = $1 AND e.site_id = $2
           ORDER BY c.environment_id, c.entry_id, c.locale = s.default_locale DESC, c.created_at, c.locale) AS best
       WHERE l.environment_id = best.environment_id AND l.entry_id = best.entry_id
         AND l.is_shown <> (l.locale = best.locale)`,
      [this.tenantId, siteId],
    );
  }

  /** The sites that the actor may read. */
  get #readable() {
    const ids = readableValues(this.bound.scope, 'sites', 'siteIds');
    return { ...this.#scope, ...(ids !== null && { id: [...ids] }) };
  }

  get #scope() {
    return { tenantId: this.tenantId, projectId: this.projectId };
  }

  #note(action: string, before: SiteRow | null, after: SiteRow | null): void {
    const site = (after ?? before)!;
    this.record({
      action,
      target: { type: 'site', id: site.id, name: site.name },
      before: before && { ...before },
      after: after && { ...after },
      siteId: site.id,
    });
  }
}

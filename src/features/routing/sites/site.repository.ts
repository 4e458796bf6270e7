import { AppError } from '../../../../contracts/errors.js';
import { isEqualJson } from '../../../content/exact-json/canonical-json.js';
import type { SiteRow } from '../../../persistence/models/content.js';
import { readableValues } from '../../../access/grants.js';
import type { Models } from '../../../persistence/models/index.js';
import { TableRepository, type TableDefinition } from '../../../persistence/repositories/table.repository.js';

export type { SiteRow };

export class SiteRepository extends TableRepository<SiteRow> {
  protected readonly table = {
    model: ({ sites }: Models) => sites,
    resource: 'site',
    notFound: () => new AppError('site_not_found'),
    key: 'slug',
    violations: { sites_slug_key: () => new AppError('slug_conflict') },
  } as const satisfies TableDefinition<SiteRow>;

  override async save(before: SiteRow, after: SiteRow): Promise<void> {
    // Triggers write a translation of every entry for a new locale.
    if (!isEqualJson(before.locales, after.locales)) await this.allowTime(120);
    await super.save(before, after);
    if (before.defaultLocale !== after.defaultLocale) await this.#markShownLocales(after.id);
  }

  /** Removes a site with its soft-deleted entries. */
  override async remove(site: SiteRow): Promise<void> {
    await this.query('DELETE FROM entries WHERE tenant_id = $1 AND site_id = $2 AND deleted_at IS NOT NULL', [
      this.tenantId,
      site.id,
    ]);
    await super.remove(site);
  }

  async hasEntries(siteId: string): Promise<boolean> {
    const rows = await this.query(
      'SELECT 1 FROM entries WHERE tenant_id = $1 AND site_id = $2 AND deleted_at IS NULL LIMIT 1',
      [this.tenantId, siteId],
    );
    return rows.length > 0;
  }

  /** Slugs of the workflows that are limited to the site among others. */
  async workflowsNaming(siteId: string): Promise<string[]> {
    const rows = await this.query<{ slug: string }>(
      'SELECT slug FROM workflows WHERE tenant_id = $1 AND $2 = ANY (site_ids) ORDER BY slug COLLATE "C"',
      [this.tenantId, siteId],
    );
    return rows.map(({ slug }) => slug);
  }

  /** Locales that entries of the site have. */
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

  /** Marks the locale that lists show for each entry of the site: the default one, else the first. */
  async #markShownLocales(siteId: string): Promise<void> {
    await this.allowTime(120);
    await this.query(
      `UPDATE entry_locales l SET is_shown = l.locale = best.locale
       FROM (SELECT DISTINCT ON (c.environment_id, c.entry_id) c.environment_id, c.entry_id, c.locale
           FROM entries e JOIN sites s ON s.tenant_id = e.tenant_id AND s.id = e.site_id
             JOIN entry_locales c ON c.environment_id = e.environment_id AND c.entry_id = e.id
             JOIN content_types t ON t.environment_id = e.environment_id AND t.id = e.content_type_id
           WHERE e.tenant_id = $1 AND e.site_id = $2 AND t.is_localized
           ORDER BY c.environment_id, c.entry_id, c.locale = s.default_locale DESC, c.created_at, c.locale) AS best
       WHERE l.environment_id = best.environment_id AND l.entry_id = best.entry_id
         AND l.is_shown <> (l.locale = best.locale)`,
      [this.tenantId, siteId],
    );
  }

  protected override get readable(): object {
    const ids = readableValues(this.bound.scope, 'sites', 'siteIds');
    return { ...this.scope, ...(ids !== null && { id: [...ids] }) };
  }

  protected override target({ id, name }: SiteRow) {
    return { name, siteId: id };
  }
}

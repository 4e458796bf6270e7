import { AppError } from '../../../../contracts/errors.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { EntryTreeRepository } from '../../routing/tree/index.js';
import type { WholeContentType } from './content-type.repository.js';

/** Entries that keep a type from losing its locales. */
export interface TranslatedEntries {
  readonly publishedEntryCount: number;
  readonly sampleEntryIds: readonly string[];
}

type LocaleSettings = Pick<WholeContentType['type'], 'isLocalized' | 'fieldFallback'>;

const SAMPLES = 10;
/** As long as a conversion may take. */
const STATEMENT_SECONDS = 120;

/**
 * Follows `isLocalized` of a type (rule localization/types). Without locales its entries have the document that is
 * shown; drafts in other locales stay stored, and return with the locales.
 */
export class TypeLocalesRepository extends Repository {
  /** Entries that are published in another locale than the one that is shown; undefined if there are none. */
  async translated(contentTypeId: string): Promise<TranslatedEntries | undefined> {
    const rows = await this.query<{ id: string; total: number }>(
      `SELECT entry_id AS id, count(*) OVER ()::int AS total FROM entry_locales
       WHERE environment_id = $1 AND content_type_id = $2 AND published_at IS NOT NULL AND NOT is_shown
       GROUP BY entry_id ORDER BY entry_id LIMIT ${String(SAMPLES)}`,
      [this.environmentId, contentTypeId],
    );
    const [first] = rows;
    return first && { publishedEntryCount: first.total, sampleEntryIds: rows.map(({ id }) => id) };
  }

  /** Before a type is saved whose documents then show values of other locales, or no longer do. */
  async prepare(before: LocaleSettings, after: LocaleSettings): Promise<void> {
    if (before.fieldFallback !== after.fieldFallback || before.isLocalized !== after.isLocalized)
      await this.allowTime(STATEMENT_SECONDS);
  }

  /**
   * After the type was saved.
   * @throws AppError 409 `content_type_in_use`, `slug_conflict`
   */
  async follow({ type: before }: WholeContentType, { type, fields }: WholeContentType): Promise<void> {
    const isDivided = before.isLocalized !== type.isLocalized;
    const isListedAnew =
      before.fieldFallback !== type.fieldFallback && fields.some(({ apiName }) => apiName === 'noindex');
    if (!isDivided && !isListedAnew) return;
    const trees = new EntryTreeRepository(this.bound);
    await trees.lockType(type.id);
    if (isDivided) await (type.isLocalized ? this.#divide(type.id) : this.#unite(type.id, type.apiName));
    await trees.refreshType(type.id);
  }

  async #unite(contentTypeId: string, contentTypeApiName: string): Promise<void> {
    const translated = await this.translated(contentTypeId);
    if (translated !== undefined) {
      const message =
        'Entries are published in other locales than the one that is shown. Unpublish these first.';
      throw new AppError('content_type_in_use', { contentTypeApiName, ...translated }, message);
    }
    await this.#run(
      contentTypeId,
      'DELETE FROM translations WHERE environment_id = $1 AND content_type_id = $2',
      `DELETE FROM translation_sources k USING entries e WHERE e.environment_id = $1 AND e.content_type_id = $2
         AND k.environment_id = e.environment_id AND k.entry_id = e.id`,
      `UPDATE entry_locales SET is_deleted = true
       WHERE environment_id = $1 AND content_type_id = $2 AND NOT is_shown AND NOT is_deleted`,
      'UPDATE published_entries SET all_locales = true WHERE environment_id = $1 AND content_type_id = $2',
    );
  }

  async #divide(contentTypeId: string): Promise<void> {
    const divided = this.#run(
      contentTypeId,
      `UPDATE entry_locales l SET is_deleted = false FROM entries e WHERE e.environment_id = $1 AND e.content_type_id = $2
         AND e.deleted_at IS NULL AND l.environment_id = e.environment_id AND l.entry_id = e.id AND l.is_deleted`,
      'UPDATE published_entries SET all_locales = NULL WHERE environment_id = $1 AND content_type_id = $2',
    );
    await this.mapViolations(divided, { entry_locales_slug_key: () => new AppError('slug_conflict') });
    await this.query(
      `SELECT sync_site_translations(s, false) FROM sites s
       WHERE s.tenant_id = $1 AND s.project_id = $2 AND cardinality(s.locales) > 1`,
      [this.tenantId, this.projectId],
    );
  }

  async #run(contentTypeId: string, ...statements: string[]): Promise<void> {
    for (const sql of statements) await this.query(sql, [this.environmentId, contentTypeId]);
  }
}

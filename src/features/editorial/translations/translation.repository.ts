import { AppError } from '../../../../contracts/errors.js';
import type {
  TranslationPriority,
  TranslationStatus,
} from '../../../../contracts/editorial/translations/translation.js';
import type { FieldValues } from '../../../content/validate-fields.js';
import { isUuid } from '../../../infrastructure/ids.js';
import { Repository } from '../../../persistence/repositories/repository.js';
import { reachedSql } from './translation-filter.js';
import {
  translatedEntryColumns,
  type StoredTranslation,
  type TranslatedEntry,
} from './stored-translation.js';

/** Omitted keys stay. */
export interface TranslationChange {
  readonly status?: Exclude<TranslationStatus, 'missing'>;
  readonly staleReason?: string | null;
  readonly assigneeId?: string | null;
  readonly priority?: TranslationPriority;
  readonly dueAt?: Date | null;
  readonly note?: string | null;
}

const columns = {
  status: 'stage',
  staleReason: 'stale_reason',
  assigneeId: 'assignee_id',
  priority: 'priority',
  dueAt: 'due_at',
  note: 'note',
} as const satisfies Record<keyof TranslationChange, string>;

/** Makes every field of a translation be made from the source's current draft. */
const accepted = `provenance = source_marks(coalesce(source.fields, '{}'), ARRAY(
    SELECT unnest(t.names) UNION SELECT unnest(field_names(coalesce(source.fields, '{}')))), e.version), outdated = '{}'`;

export class TranslationRepository extends Repository {
  /**
   * Reads what both the entry and the translations permission reach.
   * @throws AppError 404 `entry_not_found`
   */
  async find(entryId: string): Promise<TranslatedEntry> {
    const bind: unknown[] = [this.environmentId, entryId];
    const reached = reachedSql(this.bound.scope, (given) => `$${String(bind.push(given))}`);
    const where = `e.environment_id = $1 AND e.id = $2 AND e.deleted_at IS NULL${reached}`;
    const [entry] = isUuid(entryId)
      ? await this.query<TranslatedEntry>(
          `SELECT ${translatedEntryColumns} FROM entries e WHERE ${where}`,
          bind,
        )
      : [];
    if (entry === undefined) throw new AppError('entry_not_found');
    return entry;
  }

  /** Version and hashes of the source last published. */
  async publishedSource(
    entryId: string,
  ): Promise<{ version: number; hashes: Readonly<Record<string, string>> } | undefined> {
    const [source] = await this.query<{ version: number; hashes: Record<string, string> }>(
      'SELECT version, hashes FROM translation_sources WHERE environment_id = $1 AND entry_id = $2 AND version IS NOT NULL',
      [this.environmentId, entryId],
    );
    return source;
  }

  /** Of fields, and of localized values of blocks, as in provenance. */
  async hashesOf(fields: FieldValues): Promise<Readonly<Record<string, string>>> {
    const [row] = await this.query<{ hashes: Record<string, string> }>(
      'SELECT field_hashes($1::jsonb) AS hashes',
      [JSON.stringify(fields)],
    );
    return row?.hashes ?? {};
  }

  /** Replaces the source that fields were made from. */
  async setSource(
    { entryId, locale }: { entryId: string; locale: string },
    marks: StoredTranslation['provenance'],
  ): Promise<void> {
    await this.query(
      `UPDATE translations t SET stage = 'needs_review', provenance = t.provenance || $4::jsonb, updated_at = $5,
         outdated = outdated_fields(t.provenance || $4::jsonb, s.hashes, s.version)
       FROM (SELECT 1) AS one LEFT JOIN translation_sources s ON s.environment_id = $1 AND s.entry_id = $2
       WHERE t.environment_id = $1 AND t.entry_id = $2 AND t.locale = $3`,
      [this.environmentId, entryId, locale, JSON.stringify(marks), this.bound.now],
    );
  }

  /** The entry must be locked. */
  async save(
    { entryId, locale, sourceLocale }: { entryId: string; locale: string; sourceLocale: string },
    change: TranslationChange,
  ): Promise<void> {
    const bind: unknown[] = [this.environmentId, entryId, locale, sourceLocale, this.bound.now];
    const given = Object.entries(change) as [keyof TranslationChange, unknown][];
    const set = given.map(([key, value]) => `${columns[key]} = $${String(bind.push(value))}`);
    if (change.status !== undefined) set.push(`stale_at = ${change.status === 'stale' ? '$5' : 'NULL'}`);
    if (change.status === 'complete') set.push(accepted);
    await this.query(
      `UPDATE translations t SET ${[...set, 'updated_at = $5'].join(', ')}
       FROM entries e LEFT JOIN entry_locales source ON source.environment_id = e.environment_id AND source.entry_id = e.id
         AND source.locale = $4
       WHERE e.environment_id = $1 AND e.id = $2 AND t.environment_id = $1 AND t.entry_id = $2 AND t.locale = $3`,
      bind,
    );
  }

  note(change: {
    readonly action:
      'translation.update' | 'translation.mark_stale' | 'translation.import' | 'translation.suggest';
    readonly entry: TranslatedEntry;
    readonly before: StoredTranslation;
    readonly after: StoredTranslation;
  }): void {
    const { action, entry, before, after } = change;
    const { entryId, title, siteId } = entry;
    this.record({
      action,
      target: { type: 'translation', id: entryId, name: title },
      siteId,
      locale: after.locale,
      before: { ...before },
      after: { ...after },
    });
  }
}

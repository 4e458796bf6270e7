import { Repository } from '../../../../persistence/repositories/repository.js';
import type { FileOutcome, StoredJobFile } from './stored-job.js';

const columns = `position, name, entry_id AS "entryId", locale, status, code, message, units`;

type NewFile = Pick<StoredJobFile, 'name' | 'entryId' | 'locale'>;

/** The files of a job and how they ended. */
export class JobFileRepository extends Repository {
  /** Waiting, in their order. */
  async insert(jobId: string, files: readonly NewFile[]): Promise<void> {
    await this.query(
      `INSERT INTO translation_job_files (tenant_id, environment_id, job_id, position, name, entry_id, locale, status)
       SELECT $1, $2, $3, f.position - 1, f.name, f.entry_id, f.locale, 'waiting'
       FROM unnest($4::text[], $5::uuid[], $6::text[]) WITH ORDINALITY AS f (name, entry_id, locale, position)`,
      [
        ...[this.tenantId, this.environmentId, jobId, files.map(({ name }) => name)],
        ...[files.map(({ entryId }) => entryId), files.map(({ locale }) => locale)],
      ],
    );
  }

  list(jobId: string): Promise<StoredJobFile[]> {
    return this.query<StoredJobFile>(
      `SELECT ${columns} FROM translation_job_files WHERE environment_id = $1 AND job_id = $2 ORDER BY position`,
      [this.environmentId, jobId],
    );
  }

  /** Locks a file that waits; false if another process has handled it. */
  async take(jobId: string, position: number): Promise<boolean> {
    const taken = await this.query(
      `SELECT position FROM translation_job_files
       WHERE environment_id = $1 AND job_id = $2 AND position = $3 AND status = 'waiting' FOR UPDATE`,
      [this.environmentId, jobId, position],
    );
    return taken.length > 0;
  }

  /** Whether another file of the job was applied to the translation. */
  async hasApplied(jobId: string, entryId: string, locale: string): Promise<boolean> {
    const found = await this.query(
      `SELECT 1 FROM translation_job_files
       WHERE environment_id = $1 AND job_id = $2 AND entry_id = $3 AND locale = $4 AND status = 'done' LIMIT 1`,
      [this.environmentId, jobId, entryId, locale],
    );
    return found.length > 0;
  }

  async settle(jobId: string, outcomes: ReadonlyMap<number, FileOutcome>): Promise<void> {
    const rows = [...outcomes].map(([position, outcome]) => ({ position, ...outcome }));
    await this.query(
      `UPDATE translation_job_files f SET status = o.status, code = o.code, message = o.message, units = o.units,
         entry_id = coalesce(o."entryId", f.entry_id), locale = coalesce(o.locale, f.locale)
       FROM jsonb_to_recordset($3::jsonb)
         AS o (position integer, status text, code text, message text, units jsonb, "entryId" uuid, locale text)
       WHERE f.environment_id = $1 AND f.job_id = $2 AND f.position = o.position`,
      [this.environmentId, jobId, JSON.stringify(rows)],
    );
  }
}

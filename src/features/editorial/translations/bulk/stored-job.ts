import { AppError } from '../../../../../contracts/errors.js';
import type { Actor } from '../../../../../contracts/actor.js';
import type { TranslationJobStatus } from '../../../../../contracts/editorial/translations/translation-job.js';
import type { AddressRow } from '../../../../persistence/work/unit-of-work.js';

export interface ExportOptions {
  readonly source: 'published' | 'draft';
  readonly sourceLocale: string | null;
  readonly targetLocale: string;
}

export interface ImportOptions {
  readonly applyStale: boolean;
}

/** What a job does, which never changes. */
export type JobPlan =
  | { readonly kind: 'export'; readonly options: ExportOptions }
  | { readonly kind: 'import'; readonly options: ImportOptions };

export type StoredJob = JobPlan & {
  readonly id: string;
  readonly status: TranslationJobStatus;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  /** Bytes of the archive; null before an export is done. */
  readonly size: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly createdBy: Actor;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly expiresAt: Date;
};

/** A job that a process may claim. */
export type DueJob = JobPlan &
  AddressRow & {
    readonly id: string;
    readonly attempts: number;
    readonly createdBy: Actor;
    readonly createdAt: Date;
  };

/** Units by outcome. */
export interface UnitCounts {
  readonly applied: number;
  readonly untranslated: number;
  readonly stale_source: number;
  readonly invalid: number;
}

/** How a file of a job ended. */
export interface FileOutcome {
  readonly status: 'done' | 'failed';
  readonly entryId?: string;
  readonly locale?: string;
  readonly code?: string;
  readonly message?: string;
  readonly units?: UnitCounts;
}

export interface StoredJobFile {
  readonly position: number;
  readonly name: string;
  readonly entryId: string | null;
  readonly locale: string | null;
  readonly status: 'waiting' | 'done' | 'failed';
  readonly code: string | null;
  readonly message: string | null;
  readonly units: UnitCounts | null;
}

const MESSAGE_LENGTH = 500;

/** Messages may quote the file. */
const storable = (message: string): string =>
  message.slice(0, MESSAGE_LENGTH).replaceAll('\u0000', '\ufffd').toWellFormed();

/**
 * The outcome of a file that content or rights refuse.
 * @throws the error, if the service failed: the job is tried again
 */
export function refusalOutcome(error: unknown): FileOutcome {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  const { code, message, details } = error;
  const { issues = [] } = (details ?? {}) as {
    readonly issues?: readonly { code: string; message: string }[];
  };
  const [issue] = issues;
  return { status: 'failed', code: issue?.code ?? code, message: storable(issue?.message ?? message) };
}

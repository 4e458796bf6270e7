import type { ReactNode } from 'react';
import { failureText, t } from '../../texts/index.js';
import { Loaded, type QueryLike } from '../../ui/states.js';

interface JobFile {
  readonly name: string;
  readonly status: string;
  readonly code: string | null;
  readonly message: string | null;
}

interface Job {
  readonly status: 'queued' | 'running' | 'done' | 'failed';
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly files: readonly JobFile[];
}

/** Nothing polls faster. */
const POLL_MILLISECONDS = 10_000;

const hasEnded = ({ status }: Job): boolean => status === 'done' || status === 'failed';

/** For the option `refetchInterval`: until the job has ended. */
export const untilEnded = ({
  state,
}: {
  readonly state: { readonly data?: { readonly data: Job } | undefined };
}) => (state.data !== undefined && hasEnded(state.data.data) ? (false as const) : POLL_MILLISECONDS);

interface Props<T extends Job> {
  readonly query: QueryLike<{ readonly data: T }>;
  /** What a job that is done leads to. */
  readonly children?: (job: T) => ReactNode;
}

/** How far a job is, and the files that failed. */
export function JobProgress<T extends Job>({ query, children }: Props<T>) {
  return (
    <Loaded query={query}>
      {({ data: job }) => (
        <div className="stack">
          <p className="row" role="status">
            <progress
              aria-label={t('job.progress')}
              max={Math.max(1, job.total)}
              value={hasEnded(job) ? Math.max(1, job.total) : job.done + job.failed}
            />
            <span className="grow">
              {t(`job.${job.status}`)} · {t('job.files', { done: job.done, total: job.total })}
            </span>
            {!hasEnded(job) && (
              <button className="button" onClick={() => void query.refetch()} type="button">
                {t('job.refresh')}
              </button>
            )}
          </p>
          {job.error !== null && (
            <p className="notice bad">{failureText(job.error.code, job.error.message)}</p>
          )}
          {job.failed > 0 && (
            <ul className="versions">
              {job.files
                .filter(({ status }) => status === 'failed')
                .map(({ name, code, message }) => (
                  <li className="version" key={name}>
                    <strong className="clip">{name}</strong>
                    <span className="small">{failureText(code ?? '', message ?? '')}</span>
                  </li>
                ))}
            </ul>
          )}
          {job.status === 'done' && children?.(job)}
        </div>
      )}
    </Loaded>
  );
}

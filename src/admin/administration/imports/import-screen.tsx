import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  importOutcomes,
  type ImportJob,
  type ImportLoss,
} from '../../../../contracts/editorial/imports/import-job.js';
import { api, client, queryClient } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { failureText, formatNumber, t } from '../../texts/index.js';
import { ActionButton } from '../../ui/action-button.js';
import { DataTable } from '../../ui/data-table.js';
import { Loaded } from '../../ui/states.js';
import { hasEnded, pollTime, StatusBadge } from './import-status.js';
import { say } from './import-texts.js';

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: api.imports.pathKey() });

function Progress({ job }: { readonly job: ImportJob }) {
  const { done, total } = job;
  return (
    <p className="screen-part row" role="status">
      <progress aria-label={t('job.progress')} {...(total > 0 && { max: total, value: done })} />
      <span>
        {total === 0
          ? say('reading')
          : say('progress', { done: formatNumber(done), total: formatNumber(total) })}
      </span>
    </p>
  );
}

/** What has happened, in sentences. */
function Outcome({ job }: { readonly job: ImportJob }) {
  const { slug: project, environment } = useProject();
  const { status, dryRun, conflicts, failed, error } = job;
  return (
    <div className="screen-part stack">
      {error !== null && <p className="notice bad">{failureText(error.code, error.message)}</p>}
      {conflicts > 0 && <p className="notice bad">{say('conflicts', { count: formatNumber(conflicts) })}</p>}
      {failed > 0 && <p className="notice bad">{say('failures', { count: formatNumber(failed) })}</p>}
      {status === 'done' && dryRun && <p>{say('unchanged')}</p>}
      {status === 'done' && !dryRun && (
        <p>
          {say('imported')}{' '}
          <Link params={{ project, environment }} to="/$project/$environment">
            {say('entries')}
          </Link>
        </p>
      )}
      {(status === 'failed' || status === 'canceled') && !dryRun && <p className="soft">{say('stopped')}</p>}
    </div>
  );
}

function Counts({ counts }: Pick<ImportJob, 'counts'>) {
  return (
    <section className="screen-part stack">
      <h2>{say('result')}</h2>
      <DataTable
        columns={[
          { key: 'kind', label: say('kind'), cell: ({ kind }) => say(`kind.${kind}`) },
          ...importOutcomes.map((outcome) => ({
            key: outcome,
            label: say(outcome),
            isNumber: true,
            cell: (count: ImportJob['counts'][number]) => formatNumber(count[outcome]),
          })),
        ]}
        keyOf={({ kind }) => kind}
        label={say('result')}
        rows={counts}
      />
    </section>
  );
}

function Losses({ losses, lossCount, url }: Pick<ImportJob, 'losses' | 'lossCount' | 'url'>) {
  return (
    <section className="screen-part stack">
      <div className="row">
        <h2 className="grow">{say('losses')}</h2>
        {url !== null && (
          <a className="button" download href={url}>
            {say('download')}
          </a>
        )}
      </div>
      {lossCount > losses.length && (
        <p className="soft">
          {say('lossesHint', { shown: formatNumber(losses.length), count: formatNumber(lossCount) })}
        </p>
      )}
      <DataTable
        columns={[
          {
            key: 'what',
            label: say('kind'),
            cell: ({ what, why }: ImportLoss) => (
              <>
                <span>{what}</span>
                <br />
                <span className="soft small">{why}</span>
              </>
            ),
          },
          { key: 'where', label: say('where'), cell: ({ where }) => where },
          { key: 'remedy', label: say('remedy'), isWide: true, cell: ({ remedy }) => remedy },
        ]}
        keyOf={(_loss, index) => String(index)}
        label={say('losses')}
        rows={losses}
      />
    </section>
  );
}

interface NextRunProps {
  readonly job: ImportJob;
  readonly isMapped: boolean;
  readonly run: (isDry: boolean) => Promise<void>;
}

/** What can be done next: an import needs a check of the mapping as it is. */
function NextRun({ job: { dryRun, status, conflicts }, isMapped, run }: NextRunProps) {
  const isChecked = status === 'done' && dryRun && conflicts === 0 && isMapped;
  return (
    <div className="screen-part">
      <div className="row">
        {isChecked && <ActionButton isPrimary label={say('run')} run={() => run(false)} />}
        {status === 'done' && !dryRun && isMapped && (
          <ActionButton label={say('repeat')} run={() => run(false)} />
        )}
        <ActionButton label={say('again')} run={() => run(true)} />
      </div>
    </div>
  );
}

/** What an import has done, its mapping, and its next run. */
function Ended({ job }: { readonly job: ImportJob }) {
  const { slug: projectSlug, may } = useProject();
  const { jobId, status, dryRun, conflicts } = job;
  const [mapping, setMapping] = useState(job.mapping ?? '');
  const isImported = status === 'done' && !dryRun;
  // An import may have made content types and locales.
  useEffect(() => {
    if (isImported) void queryClient.invalidateQueries();
  }, [isImported]);
  const run = async (isDry: boolean): Promise<void> => {
    const given = mapping !== '' && { mapping };
    await client.imports.repeat.mutate({ projectSlug, jobId, dryRun: isDry, ...given });
    await refresh();
  };
  return (
    <>
      <Outcome job={job} />
      {may('imports.repeat') && <NextRun isMapped={mapping === (job.mapping ?? '')} job={job} run={run} />}
      {job.counts.length > 0 && <Counts counts={job.counts} />}
      {job.lossCount > 0 && <Losses losses={job.losses} lossCount={job.lossCount} url={job.url} />}
      {job.mapping !== null && may('imports.repeat') && (
        <details className="fold screen-part" open={conflicts > 0 || undefined}>
          <summary>{say('mapping')}</summary>
          <label className="field">
            <span className="hint">{say('mappingHint')}</span>
            <textarea
              aria-label={say('mapping')}
              className="area code"
              onChange={({ target }) => setMapping(target.value)}
              rows={16}
              spellCheck={false}
              value={mapping}
            />
          </label>
        </details>
      )}
    </>
  );
}

/** One import: how far it is, what it has done, and its next run. */
export function ImportScreen() {
  const { slug: project, environment, may } = useProject();
  const projectSlug = project;
  const { job: jobId } = useParams({ from: '/$project/$environment/imports/$job' });
  const query = useQuery({
    ...api.imports.get.queryOptions({ projectSlug, jobId }),
    refetchInterval: ({ state }) => pollTime(state.data?.data),
    staleTime: 0,
  });
  const cancel = async (): Promise<void> => {
    await client.imports.cancel.mutate({ projectSlug, jobId });
    await refresh();
  };
  return (
    <section className="screen">
      <Loaded query={query}>
        {({ data: job }) => (
          <>
            <header className="screen-head row wrap">
              <h1 className="grow clip">{job.fileName}</h1>
              <StatusBadge job={job} />
              {!hasEnded(job) && may('imports.cancel') && <ActionButton label={say('cancel')} run={cancel} />}
            </header>
            <p className="screen-hint row">
              <Link params={{ project, environment }} to="/$project/$environment/imports">
                {say('back')}
              </Link>
              <span className="soft">{say(`system.${job.system}`)}</span>
            </p>
            {hasEnded(job) ? <Ended job={job} key={job.completedAt} /> : <Progress job={job} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ImportJob } from '../../../../contracts/editorial/imports/import-job.js';
import { api } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { formatTime, t } from '../../texts/index.js';
import { DataTable } from '../../ui/data-table.js';
import { Empty, Loaded } from '../../ui/states.js';
import { hasEnded, pollTime, StatusBadge } from './import-status.js';
import { say } from './import-texts.js';
import { StartImport } from './start-import.js';

function ImportTable({ jobs }: { readonly jobs: readonly ImportJob[] }) {
  const { slug: project, environment } = useProject();
  return (
    <DataTable
      columns={[
        {
          key: 'file',
          label: say('file'),
          cell: ({ jobId, fileName }) => (
            <Link params={{ project, environment, job: jobId }} to="/$project/$environment/imports/$job">
              {fileName}
            </Link>
          ),
        },
        { key: 'status', label: t('key.status'), cell: (job) => <StatusBadge job={job} /> },
        { key: 'system', label: say('system'), isWide: true, cell: ({ system }) => say(`system.${system}`) },
        { key: 'lost', label: say('lost'), isNumber: true, isWide: true, cell: ({ lossCount }) => lossCount },
        { key: 'time', label: t('key.createdAt'), cell: ({ createdAt }) => formatTime(createdAt) },
        { key: 'by', label: t('key.createdBy'), isWide: true, cell: ({ createdBy }) => createdBy.name },
      ]}
      keyOf={({ jobId }) => jobId}
      label={t('imports.title')}
      rows={jobs}
    />
  );
}

/** Imports of the last days, and the way to another one. */
export function ImportsScreen() {
  const { slug: projectSlug, may } = useProject();
  const [isStarting, setIsStarting] = useState(false);
  const list = useQuery({
    ...api.imports.list.queryOptions({ projectSlug }),
    refetchInterval: ({ state }) => pollTime(state.data?.data.find((job) => !hasEnded(job))),
  });
  return (
    <section className="screen">
      <div className="screen-head row">
        <h1 className="grow clip">{t('imports.title')}</h1>
        {may('imports.start') && (
          <button className="button primary" onClick={() => setIsStarting(true)} type="button">
            {say('start')}
          </button>
        )}
      </div>
      <p className="soft screen-hint">{say('hint')}</p>
      <Loaded query={list}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty hint={say('noneHint')} title={say('none')} />
          ) : (
            <ImportTable jobs={data} />
          )
        }
      </Loaded>
      {isStarting && <StartImport onClose={() => setIsStarting(false)} />}
    </section>
  );
}

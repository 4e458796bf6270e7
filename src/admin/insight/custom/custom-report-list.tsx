import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { formatTime, t } from '../../texts/index.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { PageSwitch } from '../../ui/page-switch.js';
import { Empty, Loaded } from '../../ui/states.js';
import { DefinitionDialog, type Report } from './definition-dialog.js';

const PAGE = 25;

function ReportLink({ id, name }: { readonly id: string; readonly name: string }) {
  const { slug, environment } = useProject();
  return (
    <Link
      className="row-link"
      params={{ project: slug, environment, id }}
      search={{}}
      to="/$project/$environment/custom-reports/$id"
    >
      {name}
    </Link>
  );
}

const columns = (): Column<Report>[] => [
  { key: 'name', label: t('custom.name'), cell: ({ id, name }) => <ReportLink id={id} name={name} /> },
  { key: 'source', label: t('custom.source'), cell: ({ source }) => t(`custom.source.${source}`) },
  { key: 'chart', label: t('custom.chart'), isWide: true, cell: ({ chart }) => t(`custom.chart.${chart}`) },
  {
    key: 'visibility',
    label: t('custom.visibility'),
    cell: ({ visibility }) => t(`custom.visibility.${visibility}`),
  },
  { key: 'by', label: t('report.by'), isWide: true, cell: ({ createdBy }) => createdBy.name },
  {
    key: 'updated',
    label: t('column.updated'),
    isWide: true,
    cell: ({ updatedAt }) => <span className="soft">{formatTime(updatedAt)}</span>,
  },
];

/** The reports of the user and the shared ones. */
export function CustomReportList() {
  const project = useProject();
  const { page = 1 } = useSearch({ from: '/$project/$environment/custom-reports' });
  const navigate = useNavigate({ from: '/$project/$environment/custom-reports' });
  const [isNew, setIsNew] = useState(false);
  const input = { projectSlug: project.slug, page, limit: PAGE };
  const query = useQuery({
    queryKey: ['customReports', 'list', input],
    queryFn: () => client.customReports.list.query(input),
    placeholderData: keepPreviousData,
  });
  const create = (
    <button className="button primary" onClick={() => setIsNew(true)} type="button">
      {t('custom.new')}
    </button>
  );
  return (
    <>
      <header className="screen-head row">
        <h1 className="grow clip">{t('custom.title')}</h1>
        {project.may('customReports.create') && create}
      </header>
      <Loaded query={query}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty hint={t('custom.emptyHint')} title={t('custom.empty')} />
          ) : (
            <>
              <DataTable columns={columns()} keyOf={({ id }) => id} label={t('custom.title')} rows={data} />
              <PageSwitch
                onPage={(next) => void navigate({ search: { page: next } })}
                page={meta.page}
                pages={meta.pages}
                total={meta.total}
              />
            </>
          )
        }
      </Loaded>
      {isNew && (
        <DefinitionDialog
          onClose={() => setIsNew(false)}
          onSaved={({ id }) =>
            void navigate({
              to: '/$project/$environment/custom-reports/$id',
              params: { project: project.slug, environment: project.environment, id },
              search: {},
            })
          }
        />
      )}
    </>
  );
}

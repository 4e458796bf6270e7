import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { client, queryClient, type Outputs } from '../../api/client.js';
import { useProject, type Field } from '../../api/project-data.js';
import { useSession } from '../../api/session-store.js';
import { t, formatNumber, formatTime } from '../../texts/index.js';
import { download } from '../../ui/download.js';
import { Loaded, Empty } from '../../ui/states.js';
import { notifyFailure, notify } from '../../ui/toasts.js';
import { PeriodFilter } from '../period-filter.js';
import { rangeOf, type Period } from '../period.js';
import { useShownTheme, ChartImage } from '../chart-image.js';
import { draftOf, fieldsOf, keyText, metricText } from './definition.js';
import { DefinitionDialog, type Report } from './definition-dialog.js';
import { Dialog, DialogFooter } from '../../ui/dialog.js';
import { DataTable, type Column } from '../../ui/data-table.js';

type ReportResult = Outputs['customReports']['run'];
type ReportRow = ReportResult['data']['rows'][number];

/** Numbers, times, or nothing. */
function valueText(value: number | string | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'number' ? formatNumber(value) : formatTime(value);
}

function columnsOf(
  { groupBy, metrics }: ReportResult['data'],
  fields: readonly Field[],
): Column<ReportRow>[] {
  return [
    ...groupBy.map((key) => ({
      key,
      label: keyText(key, fields),
      cell: ({ groups }: ReportRow) => groups[key]?.label ?? '–',
    })),
    ...metrics.map((name) => ({
      key: `metric ${name}`,
      label: metricText(name, fields),
      isNumber: true,
      cell: ({ values }: ReportRow) => valueText(values[name]),
    })),
  ];
}

function CustomResult({ answer, report }: { readonly answer: ReportResult; readonly report: Report }) {
  const fields = fieldsOf(useProject(), draftOf(report));
  const { data, meta } = answer;
  const { totals, rows, svg, chart } = data;
  return (
    <>
      <dl className="figures">
        {Object.entries(totals).map(([metric, value]) => (
          <div key={metric}>
            <dt>{metricText(metric, fields)}</dt>
            <dd>{valueText(value)}</dd>
          </div>
        ))}
      </dl>
      {meta.truncated && (
        <p className="notice truncated" role="status">
          {t('custom.truncated', { shown: formatNumber(rows.length), groups: formatNumber(meta.groups) })}
        </p>
      )}
      {svg !== undefined && chart !== 'table' && <ChartImage label={report.name} svg={svg} />}
      {rows.length === 0 ? (
        <Empty title={t('report.empty')} />
      ) : (
        <DataTable
          columns={columnsOf(data, fields)}
          keyOf={({ groups }) => JSON.stringify(Object.values(groups).map(({ value }) => value))}
          label={report.name}
          rows={rows}
        />
      )}
    </>
  );
}

function DeleteReport({ report: { id, name } }: { readonly report: Report }) {
  const { slug: project, environment } = useProject();
  const navigate = useNavigate();
  const [isAsked, setIsAsked] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await client.customReports.delete.mutate({ projectSlug: project, id });
      notify(t('custom.deleted'));
      await navigate({ to: '/$project/$environment/custom-reports', params: { project, environment } });
      await queryClient.invalidateQueries({ queryKey: ['customReports', 'list'] });
    } catch (error) {
      notifyFailure(error);
      setIsBusy(false);
    }
  };
  return (
    <>
      <button className="button" onClick={() => setIsAsked(true)} type="button">
        {t('custom.delete')}
      </button>
      {isAsked && (
        <Dialog onClose={() => setIsAsked(false)} title={t('custom.deleteTitle', { name })}>
          <p>{t('custom.deleteHint')}</p>
          <DialogFooter
            disabled={isBusy}
            isDangerous
            onCancel={() => setIsAsked(false)}
            onRun={remove}
            run={t('custom.delete')}
          />
        </Dialog>
      )}
    </>
  );
}

function useRun(id: string, period: Period) {
  const { slug: projectSlug } = useProject();
  const theme = useShownTheme();
  const isAsDefined = period.days === undefined && period.from === undefined;
  const input = { projectSlug, id, ...(isAsDefined ? {} : rangeOf(period)) };
  const query = useQuery({
    queryKey: ['customReports', 'run', input, theme],
    queryFn: () => client.customReports.run.query({ ...input, format: 'svg', theme }),
    placeholderData: keepPreviousData,
  });
  const save = async (): Promise<void> => {
    try {
      const { data } = await client.customReports.run.query({ ...input, format: 'csv' });
      download(data.fileName ?? 'report.csv', 'text/csv', data.csv ?? '');
    } catch (error) {
      notifyFailure(error);
    }
  };
  return { query, save };
}

/** Only its creator changes a definition. */
function Changes({ report }: { readonly report: Report }) {
  const { may } = useProject();
  const session = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const isOwn = session.status !== 'none' && session.session.user.id === report.createdBy.id;
  if (!isOwn) return null;
  return (
    <>
      {may('customReports.update') && (
        <button className="button" onClick={() => setIsOpen(true)} type="button">
          {t('custom.edit')}
        </button>
      )}
      {may('customReports.delete') && <DeleteReport report={report} />}
      {isOpen && (
        <DefinitionDialog onClose={() => setIsOpen(false)} onSaved={() => setIsOpen(false)} report={report} />
      )}
    </>
  );
}

/** Runs a custom report, in its own period or in another one. */
export function CustomReportScreen() {
  const { slug: projectSlug } = useProject();
  const { id } = useParams({ from: '/$project/$environment/custom-reports/$id' });
  const period = useSearch({ from: '/$project/$environment/custom-reports/$id' });
  const navigate = useNavigate({ from: '/$project/$environment/custom-reports/$id' });
  const definition = useQuery({
    queryKey: ['customReports', 'get', projectSlug, id],
    queryFn: () => client.customReports.get.query({ projectSlug, id }),
  });
  const { query, save } = useRun(id, period);
  return (
    <Loaded query={definition}>
      {({ data: report }) => (
        <>
          <header className="screen-head row wraps">
            <div className="grow">
              <p className="small soft clip">
                {t(`custom.source.${report.source}`)} · {report.createdBy.name}
              </p>
              <h1 className="clip">{report.name}</h1>
              {report.description !== null && <p className="soft">{report.description}</p>}
            </div>
            <Changes report={report} />
            <button className="button" onClick={() => void save()} type="button">
              {t('report.csv')}
            </button>
          </header>
          <div className="filters row">
            <PeriodFilter
              onChange={(next) => void navigate({ search: next, replace: true })}
              period={period}
              unset={t('custom.asDefined')}
            />
          </div>
          <Loaded query={query}>{(answer) => <CustomResult answer={answer} report={report} />}</Loaded>
        </>
      )}
    </Loaded>
  );
}

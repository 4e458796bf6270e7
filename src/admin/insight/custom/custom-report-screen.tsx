import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { useSession } from '../../api/session-store.js';
import { t } from '../../texts/index.js';
import { download } from '../../ui/download.js';
import { Loaded } from '../../ui/states.js';
import { notifyFailure } from '../../ui/toasts.js';
import { PeriodFilter } from '../period-filter.js';
import { rangeOf, type Period } from '../period.js';
import { useShownTheme } from '../use-shown-theme.js';
import { CustomResult } from './custom-result.js';
import { DefinitionDialog, type Report } from './definition-dialog.js';
import { DeleteReport } from './delete-report.js';

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
          <Loaded query={query}>{(answer) => <CustomResult answer={answer} name={report.name} />}</Loaded>
        </>
      )}
    </Loaded>
  );
}

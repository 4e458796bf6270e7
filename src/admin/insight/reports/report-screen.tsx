import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useProject } from '../../api/project-data.js';
import { t } from '../../texts/index.js';
import { download } from '../../ui/download.js';
import { PageSwitch } from '../../ui/page-switch.js';
import { Empty, Loaded } from '../../ui/states.js';
import { notify } from '../../ui/toasts.js';
import { ChartImage } from '../chart-image.js';
import { Figures } from '../figures.js';
import { rangeOf } from '../period.js';
import { useShownTheme } from '../use-shown-theme.js';
import { csvOf } from './report-csv.js';
import { ReportFilters } from './report-filters.js';
import { reportKinds, reportNames, type ReportInput, type ReportName } from './report-kinds.js';
import type { ReportSearch } from './report-search.js';
import { SeriesTable } from './series-table.js';
import { ActionButton } from '../../ui/action-button.js';

const PAGE = 25;

function useInput({ site, locale, type, page, ...period }: ReportSearch): ReportInput {
  const theme = useShownTheme();
  const { slug: projectSlug } = useProject();
  const state: ReportInput['state'] = {
    projectSlug,
    page: page ?? 1,
    limit: PAGE,
    format: 'svg',
    theme,
    ...(site !== undefined && { siteId: [site] }),
    ...(locale !== undefined && { locale: [locale] }),
    ...(type !== undefined && { contentTypeApiName: [type] }),
  };
  return { state, range: rangeOf(period) };
}

function ReportTabs() {
  const { slug, environment } = useProject();
  return (
    <nav aria-label={t('report.title')} className="tabs">
      {reportNames.map((report) => (
        <Link
          activeOptions={{ includeSearch: false }}
          className="tab"
          key={report}
          params={{ project: slug, environment, report }}
          search={(search) => ({ ...search, page: undefined })}
          to="/$project/$environment/reports/$report"
        >
          {t(`report.${report}`)}
        </Link>
      ))}
    </nav>
  );
}

function CsvButton({ name, input }: { readonly name: ReportName; readonly input: ReportInput }) {
  const save = async (): Promise<void> => {
    const { csv, fileName, isCut } = await csvOf(reportKinds[name], input);
    download(fileName, 'text/csv', csv);
    if (isCut) notify(t('report.cut'));
  };
  return <ActionButton label={t('report.csv')} run={save} />;
}

interface BodyProps {
  readonly name: ReportName;
  readonly input: ReportInput;
  readonly onPage: (page: number) => void;
}

/** The answer has the chart and the rows of one page. */
function ReportBody({ name, input, onPage }: BodyProps) {
  const kind = reportKinds[name];
  const query = useQuery({
    queryKey: ['report', name, input],
    queryFn: () => kind.read(input),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={query}>
      {({ data, meta }) => (
        <>
          <Figures summary={data.summary} />
          {data.svg !== undefined && <ChartImage label={t(`report.${name}`)} svg={data.svg} />}
          {data.series !== undefined && <SeriesTable series={data.series} />}
          {meta.total === 0 ? <Empty title={t('report.empty')} /> : kind.rows(data)}
          <PageSwitch onPage={onPage} page={meta.page} pages={meta.pages} total={meta.total} />
        </>
      )}
    </Loaded>
  );
}

const isReport = (name: string): name is ReportName => name in reportKinds;

export function ReportScreen() {
  const { report } = useParams({ from: '/$project/$environment/reports/$report' });
  const search = useSearch({ from: '/$project/$environment/reports/$report' });
  const navigate = useNavigate({ from: '/$project/$environment/reports/$report' });
  const input = useInput(search);
  if (!isReport(report)) return <Empty title={t('app.notFound')} />;
  const change = (next: ReportSearch): void => void navigate({ search: next, replace: true });
  return (
    <>
      <header className="screen-head row">
        <h1 className="grow clip">{t('report.title')}</h1>
        <CsvButton input={input} name={report} />
      </header>
      <ReportTabs />
      <ReportFilters hasPeriod={reportKinds[report].hasPeriod} onChange={change} search={search} />
      <ReportBody
        input={input}
        key={report}
        name={report}
        onPage={(page) => void navigate({ search: { ...search, page } })}
      />
    </>
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useProject, localesOf } from '../../api/project-data.js';
import { t, formatNumber, type TextKey, localeName } from '../../texts/index.js';
import { download } from '../../ui/download.js';
import { PageSwitch } from '../../ui/page-switch.js';
import { Empty, Loaded } from '../../ui/states.js';
import { notify } from '../../ui/toasts.js';
import { ChartImage, useShownTheme } from '../chart-image.js';
import { Figures } from '../figures.js';
import { rangeOf } from '../period.js';
import { isNew } from '../dashboard/next-steps.js';
import {
  reportKinds,
  reportNames,
  type ReportFilter,
  type ReportInput,
  type ReportName,
} from './report-kinds.js';
import type { ReportSearch } from '../../routes/searches.js';
import { ActionButton } from '../../ui/action-button.js';
import { DataTable } from '../../ui/data-table.js';
import { Choice } from '../../ui/choice.js';
import { PeriodFilter } from '../period-filter.js';

interface Props {
  readonly search: ReportSearch;
  readonly filters: readonly ReportFilter[];
  readonly onChange: (search: ReportSearch) => void;
}

function ReportFilters({ search, filters, onChange }: Props) {
  const project = useProject();
  const { site, locale, type } = search;
  const scope = { site, locale, type };
  const has = (filter: ReportFilter): boolean => filters.includes(filter);
  return (
    <div className="filters row">
      {has('period') && (
        <PeriodFilter
          isGrouped={has('grouping')}
          onChange={(period) => onChange({ ...period, ...scope })}
          period={search}
        />
      )}
      {has('type') && (
        <Choice
          label={t('list.type')}
          onChange={(value) => onChange({ ...search, type: value, page: undefined })}
          value={type}
        >
          {project.types.map(({ apiName, name }) => (
            <option key={apiName} value={apiName}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      {has('locale') && (
        <Choice
          label={t('list.locale')}
          onChange={(value) => onChange({ ...search, locale: value, page: undefined })}
          value={locale}
        >
          {localesOf(project).map((one) => (
            <option key={one} value={one}>
              {localeName(one)}
            </option>
          ))}
        </Choice>
      )}
      {has('site') && project.sites.length > 1 && (
        <Choice
          label={t('list.site')}
          onChange={(value) => onChange({ ...search, site: value, page: undefined })}
          value={site}
        >
          {project.sites.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
    </div>
  );
}

type Bucket = Readonly<Record<string, string | number>>;

/** The figures of the chart, latest first. */
function SeriesTable({ series }: { readonly series: readonly Bucket[] }) {
  const keys = Object.keys(series[0] ?? {}).filter((key) => key !== 'date');
  return (
    <details className="fold">
      <summary>{t('report.series')}</summary>
      <DataTable
        columns={[
          { key: 'date', label: t('report.date'), cell: ({ date }: Bucket) => date },
          ...keys.map((key) => ({
            key,
            label: t(`figure.${key}` as TextKey),
            isNumber: true,
            cell: (bucket: Bucket) => formatNumber(Number(bucket[key])),
          })),
        ]}
        keyOf={({ date }) => String(date)}
        label={t('report.series')}
        rows={series.toReversed()}
      />
    </details>
  );
}

const LARGEST_PAGE = 100;
/** 10,000 rows; a longer report is narrowed by its filters. */
const PAGES = 100;

/** Lines after the first one, which is the head of every page. */
const withoutHead = (csv: string): string => csv.slice(csv.indexOf('\n') + 1);

/** The rows of every page as one file, and whether some are left out. */
async function csvOf(kind: (typeof reportKinds)[ReportName], { state, range }: ReportInput) {
  const parts: string[] = [];
  let pages = 1;
  let fileName = '';
  for (let page = 1; page <= Math.min(pages, PAGES); page += 1) {
    const { data, meta } = await kind.read({
      range,
      state: { ...state, page, limit: LARGEST_PAGE, format: 'csv' },
    });
    const csv = data.csv ?? '';
    parts.push(page === 1 ? csv : withoutHead(csv));
    fileName = data.fileName ?? '';
    pages = meta.pages;
  }
  return { csv: parts.join(''), fileName, isCut: pages > PAGES };
}

const PAGE = 25;

function useInput(
  { site, locale, type, page, ...period }: ReportSearch,
  filters: readonly ReportFilter[],
): ReportInput {
  const has = (filter: ReportFilter): boolean => filters.includes(filter);
  const theme = useShownTheme();
  const { slug: projectSlug } = useProject();
  const state: ReportInput['state'] = {
    projectSlug,
    page: page ?? 1,
    limit: PAGE,
    format: 'svg',
    theme,
    ...(site !== undefined && has('site') && { siteId: [site] }),
    ...(locale !== undefined && has('locale') && { locale: [locale] }),
    ...(type !== undefined && has('type') && { contentTypeApiName: [type] }),
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

/** What a project without entries shows in place of zeros, with the next step. */
function NothingYet() {
  const { slug, environment, types, may } = useProject();
  const [first] = types.filter(
    ({ isBlock, apiName }) => !isBlock && may('entries.create', { contentType: apiName }),
  );
  const params = { project: slug, environment };
  return (
    <Empty hint={t('health.nothingHint')} title={t('health.nothing')}>
      {first !== undefined ? (
        <Link
          className="button primary"
          params={{ ...params, type: first.apiName }}
          search={{ site: undefined, locale: undefined }}
          to="/$project/$environment/new/$type"
        >
          {t('palette.newEntry', { type: first.name })}
        </Link>
      ) : (
        <Link className="button primary" params={params} to="/$project/$environment/dashboard">
          {t('steps.title')}
        </Link>
      )}
    </Empty>
  );
}

const isReport = (name: string): name is ReportName => name in reportKinds;

export function ReportScreen() {
  const { report } = useParams({ from: '/$project/$environment/reports/$report' });
  const search = useSearch({ from: '/$project/$environment/reports/$report' });
  const navigate = useNavigate({ from: '/$project/$environment/reports/$report' });
  const filters = isReport(report) ? reportKinds[report].filters : [];
  const input = useInput(search, filters);
  const { types } = useProject();
  if (!isReport(report)) return <Empty title={t('app.notFound')} />;
  const isEmpty = report === 'content-health' && isNew(types);
  const change = (next: ReportSearch): void => void navigate({ search: next, replace: true });
  return (
    <>
      <header className="screen-head row">
        <h1 className="grow clip">{t('report.title')}</h1>
        {!isEmpty && <CsvButton input={input} name={report} />}
      </header>
      <ReportTabs />
      {isEmpty ? (
        <NothingYet />
      ) : (
        <>
          <ReportFilters filters={filters} onChange={change} search={search} />
          <ReportBody
            input={input}
            key={report}
            name={report}
            onPage={(page) => void navigate({ search: { ...search, page } })}
          />
        </>
      )}
    </>
  );
}

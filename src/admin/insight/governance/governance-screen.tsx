import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import {
  DetectorName,
  IssueSeverity,
  IssueStatus,
} from '../../../../contracts/insight/governance/governance.js';
import { t, formatNumber, formatTime } from '../../texts/index.js';
import { Choice } from '../../ui/choice.js';
import { PageSwitch } from '../../ui/page-switch.js';
import { Empty, Loaded } from '../../ui/states.js';
import type { GovernanceSearch } from '../../routes/searches.js';
import { IssueDialog } from './issue-dialog.js';
import { useIssues, type Issue } from './use-issues.js';
import { useQuery } from '@tanstack/react-query';
import { client, queryClient } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { notify } from '../../ui/toasts.js';
import { ActionButton } from '../../ui/action-button.js';
import { DataTable, type Column } from '../../ui/data-table.js';

interface Props {
  readonly rows: readonly Issue[];
  readonly onOpen: (issue: Issue) => void;
}

const columnsOf = (onOpen: Props['onOpen']): Column<Issue>[] => [
  {
    key: 'severity',
    label: t('governance.severity'),
    cell: ({ severity }) => <span className={`badge ${severity}`}>{t(`severity.${severity}`)}</span>,
  },
  {
    key: 'detector',
    label: t('governance.detector'),
    cell: (issue) => (
      <button className="text-button" onClick={() => onOpen(issue)} type="button">
        {t(`detector.${issue.detector}`)}
      </button>
    ),
  },
  { key: 'subject', label: t('governance.subject'), cell: ({ subject }) => subject.name },
  {
    key: 'status',
    label: t('list.status'),
    cell: ({ status }) => <span className={`badge ${status}`}>{t(`governance.status.${status}`)}</span>,
  },
  {
    key: 'count',
    label: t('governance.count'),
    isNumber: true,
    isWide: true,
    cell: ({ count }) => formatNumber(count),
  },
  {
    key: 'last',
    label: t('governance.lastSeen'),
    isWide: true,
    cell: ({ lastSeenAt }) => <span className="soft">{formatTime(lastSeenAt)}</span>,
  },
];

const IssueTable = ({ rows, onOpen }: Props) => (
  <DataTable columns={columnsOf(onOpen)} keyOf={({ id }) => id} label={t('governance.title')} rows={rows} />
);

/** The last analysis, and a new one on demand, for those who may also acknowledge issues. */
function AnalysisHead() {
  const { slug: projectSlug, may } = useProject();
  const { data } = useQuery({
    queryKey: ['governance', 'analysis', projectSlug],
    queryFn: () => client.governance.lastAnalysis.query({ projectSlug }),
  });
  const analyze = async (): Promise<void> => {
    const { data: result } = await client.governance.analyze.mutate({ projectSlug });
    await queryClient.invalidateQueries({ queryKey: ['governance'] });
    notify(t('governance.analyzed', { open: formatNumber(result.summary.open) }));
  };
  const last = data?.data;
  return (
    <header className="screen-head row">
      <div className="grow">
        <h1 className="clip">{t('governance.title')}</h1>
        {data !== undefined && (
          <p className="small soft">
            {last
              ? t('governance.last', {
                  time: formatTime(last.completedAt ?? last.startedAt),
                  open: formatNumber(last.summary.open),
                })
              : t('governance.never')}
          </p>
        )}
      </div>
      {may('governance.resolve') && (
        <ActionButton busyLabel={t('governance.analyzing')} label={t('governance.analyze')} run={analyze} />
      )}
    </header>
  );
}

interface FilterProps {
  readonly search: GovernanceSearch;
  readonly onChange: (search: GovernanceSearch) => void;
}

function Filters({ search: { status, severity, detector }, onChange }: FilterProps) {
  const search = { status, severity, detector };
  return (
    <div className="filters row">
      <Choice
        label={t('list.status')}
        onChange={(value) => onChange({ ...search, status: value })}
        value={status}
      >
        {IssueStatus.options.map((one) => (
          <option key={one} value={one}>
            {t(`governance.status.${one}`)}
          </option>
        ))}
      </Choice>
      <Choice
        label={t('governance.severity')}
        onChange={(value) => onChange({ ...search, severity: value })}
        value={severity}
      >
        {IssueSeverity.options.map((one) => (
          <option key={one} value={one}>
            {t(`severity.${one}`)}
          </option>
        ))}
      </Choice>
      <Choice
        label={t('governance.detector')}
        onChange={(value) => onChange({ ...search, detector: value })}
        value={detector}
      >
        {DetectorName.options.map((one) => (
          <option key={one} value={one}>
            {t(`detector.${one}`)}
          </option>
        ))}
      </Choice>
    </div>
  );
}

/** What the detectors found, with its evidence and life cycle. */
export function GovernanceScreen() {
  const search = useSearch({ from: '/$project/$environment/governance' });
  const navigate = useNavigate({ from: '/$project/$environment/governance' });
  const [opened, setOpened] = useState<Issue>();
  const issues = useIssues(search);
  const change = (next: GovernanceSearch): void => void navigate({ search: next, replace: true });
  return (
    <>
      <AnalysisHead />
      <Filters onChange={change} search={search} />
      <Loaded query={issues}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty hint={t('governance.emptyHint')} title={t('governance.empty')} />
          ) : (
            <>
              <IssueTable onOpen={setOpened} rows={data} />
              <PageSwitch
                onPage={(page) => void navigate({ search: { ...search, page } })}
                page={meta.page}
                pages={meta.pages}
                total={meta.total}
              />
            </>
          )
        }
      </Loaded>
      {opened !== undefined && <IssueDialog issue={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

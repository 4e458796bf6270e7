import { formatNumber, formatTime, t } from '../../texts/index.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import type { Issue } from './use-issues.js';

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

export const IssueTable = ({ rows, onOpen }: Props) => (
  <DataTable columns={columnsOf(onOpen)} keyOf={({ id }) => id} label={t('governance.title')} rows={rows} />
);

import { formatTime, t } from '../../texts/index.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import type { AuditEvent } from './audit-queries.js';

interface Props {
  readonly rows: readonly AuditEvent[];
  readonly onOpen: (event: AuditEvent) => void;
}

const columnsOf = (onOpen: Props['onOpen']): Column<AuditEvent>[] => [
  {
    key: 'target',
    label: t('audit.target'),
    cell: (event) => (
      <button className="text-button" onClick={() => onOpen(event)} type="button">
        {event.target.name || event.target.id}
      </button>
    ),
  },
  { key: 'action', label: t('audit.action'), cell: ({ action }) => <span className="code">{action}</span> },
  { key: 'actor', label: t('audit.actor'), cell: ({ actor }) => actor.name },
  {
    key: 'fields',
    label: t('audit.changed'),
    isWide: true,
    cell: ({ changedFields }) => <span className="soft">{changedFields.join(', ')}</span>,
  },
  {
    key: 'environment',
    label: t('environment.switch'),
    isWide: true,
    cell: ({ environment, locale }) => [environment, locale].filter((part) => part !== null).join(' · '),
  },
  {
    key: 'interface',
    label: t('audit.interface'),
    isWide: true,
    cell: ({ context }) => t(`audit.interface.${context.interface}`),
  },
  { key: 'at', label: t('audit.at'), cell: ({ at }) => <span className="soft">{formatTime(at)}</span> },
];

export const AuditTable = ({ rows, onOpen }: Props) => (
  <DataTable columns={columnsOf(onOpen)} keyOf={({ id }) => id} label={t('audit.title')} rows={rows} />
);

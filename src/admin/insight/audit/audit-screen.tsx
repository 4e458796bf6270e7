import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useProject } from '../../api/project-data.js';
import { plainPath } from '../../editor/paths.js';
import { t, formatNumber, formatTime } from '../../texts/index.js';
import { labelOf } from '../../resources/labels.js';
import { Empty, Loaded } from '../../ui/states.js';
import { AuditFilters } from './audit-filters.js';
import { auditPages, type AuditEvent, verifyChain, type AuditCheck } from './audit-queries.js';
import { sentenceOf, targetText, actionText, subjectText } from './audit-words.js';
import type { AuditSearch } from './audit-search.js';
import { ActionButton } from '../../ui/action-button.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { contentText } from '../../editor/block-text.js';
import { ChangeView } from '../../ui/change-view.js';
import { textOf } from '../../ui/value-text.js';
import { changesOf } from '../../ui/changes.js';
import { Dialog } from '../../ui/dialog.js';

interface EventProps {
  readonly event: AuditEvent;
  readonly onClose: () => void;
  readonly onFilter: (search: AuditSearch) => void;
}

/** What is known of the call. */
function Facts({ event }: Pick<EventProps, 'event'>) {
  const { actor, action, target, environment, locale, context, cause, metadata } = event;
  const facts = [
    [t('audit.actor'), `${actor.name} (${t(`audit.actorType.${actor.type}`)})`],
    [t('audit.target'), `${subjectText(target.type)} · ${targetText(target)}`],
    [t('audit.id'), target.id],
    [t('environment.switch'), environment],
    [t('list.locale'), locale],
    [t('audit.interface'), t(`audit.interface.${context.interface}`)],
    [t('audit.ip'), context.ip],
    [t('audit.request'), context.requestId],
    [t('audit.cause'), cause === null || cause.action === action ? null : actionText(cause.action)],
    ...Object.entries(metadata).map(([key, value]) => [key, textOf(value)] as const),
  ] as const;
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function Changes({ event: { before, after } }: Pick<EventProps, 'event'>) {
  const project = useProject();
  const changes = changesOf(before, after);
  if (changes.length === 0) return <p className="soft">{t('audit.noChange')}</p>;
  return changes.map((change) => (
    <ChangeView
      change={{ ...change, path: change.path.map(plainPath) }}
      key={change.path.join('\n')}
      text={(value, other) => contentText(project, value, other)}
    />
  ));
}

function AuditEventDialog({ event, onClose, onFilter }: EventProps) {
  const { slug, environment } = useProject();
  const { action, actor, at, target } = event;
  const isHere = target.type === 'entry' && event.environment === environment;
  return (
    <Dialog isWide onClose={onClose} title={`${actionText(action)} · ${formatTime(at)}`}>
      <div className="row">
        <p className="grow">{sentenceOf(event, <strong>{targetText(target)}</strong>)}</p>
        {isHere && (
          <Link
            className="button"
            params={{ project: slug, environment, entry: target.id }}
            search={{ locale: event.locale ?? undefined }}
            to="/$project/$environment/entries/$entry"
          >
            {t('audit.openEntry')}
          </Link>
        )}
      </div>
      <Changes event={event} />
      <Facts event={event} />
      <div className="actions">
        <button className="button" onClick={() => onFilter({ targetId: target.id })} type="button">
          {t('audit.onlyTarget')}
        </button>
        {actor.id !== null && (
          <button
            className="button"
            onClick={() => onFilter({ actorId: actor.id ?? undefined })}
            type="button"
          >
            {t('audit.onlyActor')}
          </button>
        )}
        <button className="button" onClick={() => onFilter({ action })} type="button">
          {t('audit.onlyAction')}
        </button>
      </div>
    </Dialog>
  );
}

interface Props {
  readonly rows: readonly AuditEvent[];
  readonly onOpen: (event: AuditEvent) => void;
}

/** Every change has these. */
const always = new Set(['version', 'updatedAt', 'updatedBy', 'createdAt', 'createdBy']);
const isTelling = (path: string): boolean => !always.has(path);
/** What is named by an id, without that word. */
const changeText = (path: string): string => labelOf('audit', plainPath(path)).replace(/(?<=.) ids?$/, '');

const NAMED = 4;

/** After which everything is new, or nothing differs. */
const making = /\.(?:create|invite|open|preview|sign|test)$/;

/** The first names of what was changed. */
function changesText({ action, changedFields }: AuditEvent): string {
  if (making.test(action)) return '';
  const names = [...new Set(changedFields.filter(isTelling).map(changeText))];
  const listed = names.slice(0, NAMED).join(', ');
  const count = formatNumber(names.length - NAMED);
  return names.length > NAMED ? t('audit.andMore', { names: listed, count }) : listed;
}

const columnsOf = (onOpen: Props['onOpen']): Column<AuditEvent>[] => [
  {
    key: 'event',
    label: t('audit.event'),
    cell: (event) =>
      sentenceOf(
        event,
        <button className="text-button" onClick={() => onOpen(event)} type="button">
          {targetText(event.target)}
        </button>,
      ),
  },
  {
    key: 'at',
    label: t('audit.at'),
    cell: ({ at }) => <span className="soft unbroken">{formatTime(at)}</span>,
  },
  {
    key: 'fields',
    label: t('audit.changed'),
    isWide: true,
    cell: (event) => <span className="soft">{changesText(event)}</span>,
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
];

const AuditTable = ({ rows, onOpen }: Props) => (
  <DataTable columns={columnsOf(onOpen)} keyOf={({ id }) => id} label={t('audit.title')} rows={rows} />
);

function resultOf({ ok, records, unsealed, firstBrokenBlock, problem }: AuditCheck): string {
  const counts = { records: formatNumber(records), unsealed: formatNumber(unsealed) };
  if (ok) return t('audit.intact', counts);
  const reason = problem === null ? '' : t(`audit.problem.${problem}`);
  return t('audit.broken', { block: firstBrokenBlock ?? '?', reason });
}

/** Checks that no record was changed, removed or inserted. */
function VerifyChain() {
  const { slug } = useProject();
  const [check, setCheck] = useState<AuditCheck>();
  const verify = async (): Promise<void> => setCheck(await verifyChain(slug));
  return (
    <>
      <span aria-live="polite" className={check?.ok === false ? 'problem' : 'small soft'}>
        {check && resultOf(check)}
      </span>
      <ActionButton label={t('audit.verify')} run={verify} />
    </>
  );
}

interface ResultsProps {
  readonly search: AuditSearch;
  readonly onChange: (search: AuditSearch) => void;
}

function Results({ search, onChange }: ResultsProps) {
  const { slug } = useProject();
  const [opened, setOpened] = useState<AuditEvent>();
  const events = useInfiniteQuery(auditPages(slug, search));
  return (
    <Loaded query={events}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data);
        if (rows.length === 0)
          return (
            <Empty hint={t('audit.emptyHint')} title={t('audit.empty')}>
              <button className="button" onClick={() => onChange({})} type="button">
                {t('list.reset')}
              </button>
            </Empty>
          );
        return (
          <>
            <AuditTable onOpen={setOpened} rows={rows} />
            {events.hasNextPage && (
              <p className="blank">
                <button
                  className="button"
                  disabled={events.isFetchingNextPage}
                  onClick={() => void events.fetchNextPage()}
                  type="button"
                >
                  {t('audit.more')}
                </button>
              </p>
            )}
            {opened !== undefined && (
              <AuditEventDialog
                event={opened}
                onClose={() => setOpened(undefined)}
                onFilter={(filter) => {
                  setOpened(undefined);
                  onChange(filter);
                }}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** Every change of the project, latest first. */
export function AuditScreen() {
  const search = useSearch({ from: '/$project/$environment/audit' });
  const navigate = useNavigate({ from: '/$project/$environment/audit' });
  const change = (next: AuditSearch): void => void navigate({ search: next, replace: true });
  return (
    <>
      <header className="screen-head row">
        <h1 className="grow clip">{t('audit.title')}</h1>
        <VerifyChain />
      </header>
      <AuditFilters onChange={change} search={search} />
      <Results onChange={change} search={search} />
    </>
  );
}

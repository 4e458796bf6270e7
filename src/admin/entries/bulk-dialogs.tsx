import { useState, type ReactNode } from 'react';
import { typeOf, useProject, type Entry } from '../api/project-data.js';
import {
  schedulable,
  ScheduledKindField,
  useZonedTime,
  ZonedTimeFields,
  type ScheduledKind,
} from '../editor/zoned-time.js';
import { TreePlaceField } from '../fields/tree-place.js';
import { AddSelectedDialog } from '../planning/releases/add-to-release.js';
import { PersonOptions } from '../planning/person-options.js';
import { failureText, localeName, t } from '../texts/index.js';
import { Dialog, DialogFooter } from '../ui/dialog.js';
import { BulkTransition } from './bulk-transition.js';
import { titleOf } from './entry-title.js';
import type { BulkItem, BulkParams, ListAction } from './run-bulk.js';

interface Props {
  readonly entries: readonly Entry[];
  readonly locale: string | undefined;
  readonly onRun: (action: ListAction, params?: BulkParams) => void;
  readonly onClose: () => void;
}

interface FrameProps {
  readonly title: string;
  readonly run: string;
  readonly isDangerous?: boolean;
  readonly isReady?: boolean;
  readonly onRun: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function BulkDialog({
  title,
  run,
  isDangerous = false,
  isReady = true,
  onRun,
  onClose,
  children,
}: FrameProps) {
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          onRun();
        }}
      >
        {children}
        <DialogFooter
          disabled={!isReady}
          isDangerous={isDangerous}
          isFocused={!isDangerous}
          onCancel={onClose}
          run={run}
        />
      </form>
    </Dialog>
  );
}

const TITLES = 5;

/** The first titles of entries, and how many more there are. */
function Titles({ label, entries }: { readonly label: string; readonly entries: readonly Entry[] }) {
  const project = useProject();
  if (entries.length === 0) return null;
  const more = entries.length - TITLES;
  return (
    <div>
      <p className="label">{label}</p>
      <ul>
        {entries.slice(0, TITLES).map((entry) => (
          <li key={entry.id}>{titleOf(entry, typeOf(project, entry.contentTypeApiName))}</li>
        ))}
      </ul>
      {more > 0 && <p className="soft small">{t('bulk.andMore', { count: more })}</p>}
    </div>
  );
}

type Confirmed = 'publish' | 'unpublish' | 'delete';

/** The status with which nothing changes for readers. */
const unaffected = { publish: 'published', unpublish: 'draft', delete: undefined } as const;

const affectedBy = (action: Confirmed, entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ status }) => status !== unaffected[action]);

/** Says what goes live, offline, or away, and in which locale, before it does. */
function ConfirmBulk({ action, entries, locale, onRun, onClose }: Props & { readonly action: Confirmed }) {
  const [along, setAlong] = useState(false);
  const count = entries.length;
  const names = { count, locale: locale === undefined ? '' : localeName(locale) };
  const affected = affectedBy(action, entries);
  return (
    <BulkDialog
      isDangerous={action !== 'publish'}
      onClose={onClose}
      onRun={() => onRun(action, action === 'publish' && along ? { withDependencies: true } : {})}
      run={t(`bulk.${action}`)}
      title={t(`bulk.${action}Title`, names)}
    >
      <Titles entries={affected} label={t(`bulk.${action}Affected`, { count: affected.length })} />
      {affected.length < count && (
        <p className="soft">{t(`bulk.${action}Unaffected`, { count: count - affected.length })}</p>
      )}
      {action === 'publish' && (
        <label className="row tight">
          <input checked={along} onChange={({ target }) => setAlong(target.checked)} type="checkbox" />
          {t('bulk.publishAlong')}
        </label>
      )}
      {action === 'delete' && <p>{t('bulk.deleteHint')}</p>}
    </BulkDialog>
  );
}

function ScheduleBulk({ entries, locale, onRun, onClose }: Props) {
  const permitted = schedulable(useProject(), locale);
  const [kind = permitted[0] ?? 'publish', setKind] = useState<ScheduledKind>();
  const value = useZonedTime(undefined);
  return (
    <BulkDialog
      isReady={value.input !== undefined}
      onClose={onClose}
      onRun={() => onRun(kind, { ...value.input })}
      run={t('schedule.add')}
      title={t('bulk.scheduleTitle', {
        count: entries.length,
        locale: locale === undefined ? '' : localeName(locale),
      })}
    >
      <ScheduledKindField kind={kind} onChange={setKind} permitted={permitted} />
      <ZonedTimeFields value={value} />
    </BulkDialog>
  );
}

function AssignBulk({ entries, onRun, onClose }: Props) {
  const [assigneeId, setAssigneeId] = useState('');
  return (
    <BulkDialog
      onClose={onClose}
      onRun={() => onRun('assign', { assigneeId: assigneeId === '' ? null : assigneeId })}
      run={t('bulk.assign')}
      title={t('bulk.assignTitle', { count: entries.length })}
    >
      <label className="field">
        <span className="label">{t('bulk.assignTo')}</span>
        <select className="select" onChange={({ target }) => setAssigneeId(target.value)} value={assigneeId}>
          <option value="">{t('bulk.assignNone')}</option>
          <PersonOptions />
        </select>
      </label>
    </BulkDialog>
  );
}

/** Below another node of the tree of the site of the first entry. */
function MoveBulk({ entries, locale, onRun, onClose }: Props) {
  const { sites } = useProject();
  const [parentId, setParentId] = useState<string>();
  const site = sites.find(({ id }) => id === entries[0]?.siteId);
  return (
    <BulkDialog
      onClose={onClose}
      onRun={() => onRun('move', { treeParentId: parentId ?? null })}
      run={t('bulk.move')}
      title={t('bulk.moveTitle', { count: entries.length })}
    >
      {site !== undefined && (
        <TreePlaceField
          locale={locale}
          none={t('place.top')}
          onChange={setParentId}
          site={site}
          value={parentId}
        />
      )}
      <p className="hint">{t('bulk.moveHint')}</p>
    </BulkDialog>
  );
}

interface QuestionProps extends Props {
  readonly action: Confirmed | 'schedule' | 'assign' | 'move' | 'workflowTransition' | 'addToRelease';
}

/** What is asked before an action runs. */
export function BulkQuestion({ action, ...dialog }: QuestionProps) {
  if (action === 'schedule') return <ScheduleBulk {...dialog} />;
  if (action === 'assign') return <AssignBulk {...dialog} />;
  if (action === 'move') return <MoveBulk {...dialog} />;
  if (action === 'addToRelease') return <AddSelectedDialog {...dialog} count={dialog.entries.length} />;
  if (action !== 'workflowTransition') return <ConfirmBulk {...dialog} action={action} />;
  const { entries, onRun, onClose } = dialog;
  return (
    <BulkTransition
      entries={entries}
      onClose={onClose}
      onStep={({ to, comment }) =>
        onRun(action, { to, ...(comment.trim() !== '' && { comment: comment.trim() }) })
      }
    />
  );
}

interface FailuresProps {
  readonly items: readonly BulkItem[];
  readonly titleOfEntry: (id: string) => string;
  readonly onClose: () => void;
}

/** What was refused, entry by entry; the rest was done. */
export function BulkFailures({ items, titleOfEntry, onClose }: FailuresProps) {
  return (
    <Dialog onClose={onClose} title={t('bulk.failed', { count: items.length })}>
      <ul className="stack">
        {items.map(({ entryId, message, error }) => (
          <li key={entryId}>
            <strong>{titleOfEntry(entryId)}</strong>
            <p className="problem">{failureText(error ?? '', message ?? '')}</p>
          </li>
        ))}
      </ul>
      <p className="soft small">{t('bulk.failedHint')}</p>
      <button className="button" data-focus onClick={onClose} type="button">
        {t('app.close')}
      </button>
    </Dialog>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperationName } from '../../../contracts/index.js';
import { api } from '../api/client.js';
import { projectQuery, typeOf, useProject, type Entry } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { Dialog } from '../ui/dialog.js';
import { notify, notifyFailure } from '../ui/toasts.js';
import { titleOf } from './entry-title.js';
import { BulkTransition } from './bulk-transition.js';
import { runBulk, type BulkItem, type BulkStep, type ListAction } from './run-bulk.js';
import type { Selection } from './selection.js';

interface Props {
  readonly rows: readonly Entry[];
  readonly locale: string | undefined;
  readonly selection: Selection;
}

interface FailuresProps {
  readonly items: readonly BulkItem[];
  readonly titleOfEntry: (id: string) => string;
  readonly onClose: () => void;
}

/** What was refused, entry by entry; the rest was done. */
function Failures({ items, titleOfEntry, onClose }: FailuresProps) {
  return (
    <Dialog onClose={onClose} title={t('bulk.failed', { count: items.length })}>
      <ul className="stack">
        {items.map(({ entryId, message, error }) => (
          <li key={entryId}>
            <strong>{titleOfEntry(entryId)}</strong>
            <p className="problem">{message ?? error}</p>
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

interface ConfirmProps {
  readonly count: number;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function ConfirmDeletion({ count, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog onClose={onClose} title={t('bulk.deleteTitle', { count })}>
      <p>{t('bulk.deleteHint')}</p>
      <p className="row">
        <button className="button" data-focus onClick={onClose} type="button">
          {t('app.cancel')}
        </button>
        <button className="button primary" onClick={onConfirm} type="button">
          {t('bulk.delete')}
        </button>
      </p>
    </Dialog>
  );
}

/** A button for each action that is permitted. */
const actions = ['publish', 'unpublish', 'workflowTransition', 'delete'] as const;

const operations = {
  publish: 'entries.publish',
  unpublish: 'entries.unpublish',
  workflowTransition: 'entries.transition',
  delete: 'entries.delete',
} as const satisfies Record<ListAction, OperationName>;

/** Those that ask before they start. */
const asking: ReadonlySet<ListAction> = new Set(['delete', 'workflowTransition']);

/** Acts on the ticked entries. What was refused stays ticked. */
export function BulkBar({ rows, locale, selection }: Props) {
  const project = useProject();
  const queries = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [asked, setAsked] = useState<ListAction>();
  const [refused, setRefused] = useState<readonly BulkItem[]>([]);
  const close = (): void => setAsked(undefined);
  const count = selection.ids.size;
  const titleOfEntry = (id: string): string => {
    const entry = rows.find((row) => row.id === id);
    return entry === undefined ? id : titleOf(entry, typeOf(project, entry.contentTypeApiName));
  };
  const run = async (action: ListAction, step?: BulkStep): Promise<void> => {
    setAsked(undefined);
    setIsBusy(true);
    const left = new Set(selection.ids);
    const failed: BulkItem[] = [];
    const call = { projectSlug: project.slug, action, entryIds: [...selection.ids], locale, step };
    try {
      await runBulk(call, (items) => {
        for (const item of items) if (item.ok) left.delete(item.entryId);
        failed.push(...items.filter(({ ok }) => !ok));
      });
    } catch (error) {
      notifyFailure(error);
    }
    const done = selection.ids.size - left.size;
    if (done > 0) notify(t(`bulk.${action}Done`, { count: done }));
    selection.set(left);
    setRefused(failed);
    setIsBusy(false);
    await Promise.all([
      queries.invalidateQueries({ queryKey: api.entries.pathKey() }),
      queries.invalidateQueries(projectQuery(project.slug, project.environment)),
    ]);
  };
  return (
    <>
      {count > 0 && (
        <div aria-label={t('bulk.title')} className="row bulk-bar" role="toolbar">
          <span aria-live="polite" className="grow">
            {t('bulk.count', { count })}
          </span>
          {actions
            .filter((action) =>
              project.may(operations[action], action === 'delete' || locale === undefined ? {} : { locale }),
            )
            .map((action) => (
              <button
                className="button"
                disabled={isBusy}
                key={action}
                onClick={() => (asking.has(action) ? setAsked(action) : void run(action))}
                type="button"
              >
                {t(`bulk.${action}`)}
              </button>
            ))}
          <button className="button plain" disabled={isBusy} onClick={() => selection.set([])} type="button">
            {t('bulk.clear')}
          </button>
        </div>
      )}
      {asked === 'delete' && (
        <ConfirmDeletion count={count} onClose={close} onConfirm={() => void run('delete')} />
      )}
      {asked === 'workflowTransition' && (
        <BulkTransition
          entries={rows.filter(({ id }) => selection.ids.has(id))}
          onClose={close}
          onStep={(step) => void run('workflowTransition', step)}
        />
      )}
      {refused.length > 0 && (
        <Failures items={refused} onClose={() => setRefused([])} titleOfEntry={titleOfEntry} />
      )}
    </>
  );
}

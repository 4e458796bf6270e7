import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { refreshWork } from '../../planning/tasks/use-tasks.js';
import { t, formatTime } from '../../texts/index.js';
import { IconButton } from '../../ui/icon-button.js';
import { Loaded } from '../../ui/states.js';
import { notifyFailure } from '../../ui/toasts.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { CurrentState } from './current-state.js';
import { givenCount, type EntryWorkflow } from './entry-workflow.js';
import { useStates } from './states.js';
import { TransitionForm } from './transition-form.js';
import { isChanged, rebased } from '../draft.js';
import { contentOf } from '../use-entry-state.js';

/**
 * Reads the entry again after something besides its content has changed. What was typed is kept: if the content has
 * another version by now, it stays based on the version in which it was typed, so that saving compares both.
 */
export async function refreshEntry(projectSlug: string, editor: EntryEditor): Promise<void> {
  const { saved, stored, latest, change, remember } = editor;
  const { data } = await client.entries.get.query({ projectSlug, id: saved.id, locale: saved.locale });
  const { version, slug, fields } = stored();
  // What was typed has been saved since.
  if (data.version < version) return;
  if (data.version > version && isChanged(latest())) return remember({ ...data, version, slug, fields });
  change((typed) => rebased(typed, contentOf(data)));
  remember(data);
}

type Pending = EntryWorkflow['pendingApprovals'][number];

interface PendingProps {
  readonly pending: Pending;
  readonly name: string;
}

function PendingApproval({ pending, name }: PendingProps) {
  const { required, approvals } = pending;
  const given = givenCount(pending);
  const missing = Math.max(0, required - given);
  return (
    <li className="version">
      <p>
        <strong>{name}</strong>{' '}
        <span className="soft small">{t('workflow.approvals.count', { given, required, missing })}</span>
      </p>
      <ul className="plain">
        {approvals.map(({ by, at, comment, isLapsed }) => (
          <li className="small" key={`${by.id ?? ''} ${at}`}>
            {t('workflow.by', { name: by.name, time: formatTime(at) })}{' '}
            {isLapsed && <span className="badge overdue">{t('workflow.approvals.lapsed')}</span>}
            {comment !== null && <p dir="auto">{comment}</p>}
            {isLapsed && <p className="soft">{t('workflow.approvals.lapsedHint')}</p>}
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Who has approved each transition, and how many are missing. */
function Approvals({ workflow }: { readonly workflow: EntryWorkflow }) {
  const stateOf = useStates(workflow.workflowSlug);
  const { pendingApprovals, availableTransitions, unavailableTransitions } = workflow;
  if (pendingApprovals.length === 0) return null;
  const nameOf = (to: string): string =>
    [...availableTransitions, ...unavailableTransitions].find((one) => one.to === to)?.name ??
    stateOf(to).name;
  return (
    <section aria-label={t('workflow.approvals')} className="stack tight">
      <h3>{t('workflow.approvals')}</h3>
      <ul className="versions">
        {pendingApprovals.map((pending) => (
          <PendingApproval key={pending.to} name={nameOf(pending.to)} pending={pending} />
        ))}
      </ul>
    </section>
  );
}

/** The transitions so far, latest first. */
function WorkflowHistory({ workflow }: { readonly workflow: EntryWorkflow }) {
  const stateOf = useStates(workflow.workflowSlug);
  const { history } = workflow;
  return (
    <section aria-label={t('workflow.history')} className="stack tight">
      <h3>{t('workflow.history')}</h3>
      {history.length === 0 && <p className="soft small">{t('workflow.history.empty')}</p>}
      <ol className="versions">
        {history.map(({ from, to, by, at, comment, approvals }) => (
          <li className="version" key={`${at} ${to}`}>
            <p>{t('workflow.step', { from: stateOf(from).name, to: stateOf(to).name })}</p>
            <p className="small soft">{t('workflow.by', { name: by.name, time: formatTime(at) })}</p>
            {comment !== null && (
              <p className="small" dir="auto">
                {comment}
              </p>
            )}
            {approvals.length > 0 && (
              <p className="small soft">
                {t('workflow.approvedBy', {
                  names: approvals.map((approval) => approval.by.name).join(', '),
                })}
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface Props {
  readonly editor: EntryEditor;
  readonly onClose: () => void;
}

/** A new version can end an approval, or return the entry to its first state. */
function useEntryWorkflow({ saved: { id, locale, version } }: EntryEditor) {
  const { slug: projectSlug } = useProject();
  const place = { projectSlug, id, locale };
  return useQuery({
    queryKey: [...api.entries.getWorkflow.queryKey(place), version],
    queryFn: () => client.entries.getWorkflow.query(place),
    placeholderData: keepPreviousData,
  });
}

function Transitions({ editor, workflow }: Pick<Props, 'editor'> & { readonly workflow: EntryWorkflow }) {
  const { slug, may } = useProject();
  const { saved, isDirty } = editor;
  const refresh = (): void => {
    refreshEntry(slug, editor).catch(notifyFailure);
    refreshWork();
  };
  return (
    <section aria-label={t('workflow.transitions')} className="stack tight">
      <h3>{t('workflow.transitions')}</h3>
      {may('entries.transition', { locale: saved.locale }) ? (
        <>
          {isDirty && <p className="hint">{t('workflow.unsaved')}</p>}
          <TransitionForm
            key={`${workflow.state ?? ''} ${workflow.dueAt ?? ''}`}
            onDone={() => undefined}
            onTried={refresh}
            version={saved.version}
            workflow={workflow}
          />
        </>
      ) : (
        <p className="soft">{t('workflow.may.not')}</p>
      )}
    </section>
  );
}

/** The state of the entry, what can be done next, who has approved it, and how it came there. */
export function WorkflowPanel({ editor, onClose }: Props) {
  const query = useEntryWorkflow(editor);
  const { locale, locales } = editor.saved;
  const hasDraft = locales.some((one) => one.locale === locale);
  return (
    <aside aria-label={t('workflow.title')} className="panel">
      <div className="row">
        <h2 className="grow">{t('workflow.title')}</h2>
        <IconButton icon="close" label={t('app.close')} onClick={onClose} />
      </div>
      {query.error !== null && !hasDraft ? (
        <p className="soft">{t('workflow.noDraft')}</p>
      ) : (
        <Loaded query={query}>
          {({ data }) => (
            <>
              <section aria-label={t('workflow.state')} className="stack tight">
                <h3>{t('workflow.state')}</h3>
                <CurrentState workflow={data} />
              </section>
              <Approvals workflow={data} />
              <Transitions editor={editor} workflow={data} />
              <WorkflowHistory workflow={data} />
            </>
          )}
        </Loaded>
      )}
    </aside>
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, client } from '../../api/client.js';
import { useProject } from '../../api/project-data.js';
import { refreshWork } from '../../planning/tasks/use-tasks.js';
import { t } from '../../texts/index.js';
import { IconButton } from '../../ui/icon-button.js';
import { Loaded } from '../../ui/states.js';
import { notifyFailure } from '../../ui/toasts.js';
import { refreshEntry } from '../refresh-entry.js';
import type { EntryEditor } from '../use-entry-editor.js';
import { Approvals } from './approvals.js';
import { CurrentState } from './current-state.js';
import type { EntryWorkflow } from './entry-workflow.js';
import { TransitionForm } from './transition-form.js';
import { WorkflowHistory } from './workflow-history.js';

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

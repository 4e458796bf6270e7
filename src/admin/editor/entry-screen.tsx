import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { api } from '../api/client.js';
import { typeOf, useProject, type ContentType, type Entry } from '../api/project-data.js';
import { t, formatTime } from '../texts/index.js';
import { Empty, Loaded, Loading } from '../ui/states.js';
import { DeletedEntry } from './actions/deleted-entry.js';
import { useEffect, useMemo, useState, type ReactNode, Suspense } from 'react';
import { CreationContext } from '../fields/creation.js';
import { DiscussionContext } from '../fields/discussion.js';
import { PresenceContext, type Person } from '../fields/presence-mark.js';
import { RecoveryDialog } from './autosave/recovery-dialog.js';
import { useBlockActions } from './actions/use-block-actions.js';
import { useAutosave } from './autosave/use-autosave.js';
import { useKeptDraft } from './autosave/use-kept-draft.js';
import { useDiscussion, type Shown } from './comments/use-discussion.js';
import { ConflictDialog } from './conflict-dialog.js';
import { firstCreation } from './create/new-entry-dialog.js';
import { EntryHead } from './entry-head.js';
import { FieldForm, type FieldKey } from './field-form.js';
import { LeaveGuard } from './leave-guard.js';
import { directionOf } from './locales/direction.js';
import { SideBySide } from './locales/side-by-side.js';
import { useBesideLocale } from './locales/use-beside.js';
import type { Panel } from '../routes/searches.js';
import { usePanel } from './use-panel.js';
import { PlaceContext } from './place.js';
import { ProblemList, useProblemFocus } from './problem-list.js';
import { useEntryEditor, type EntryEditor } from './use-entry-editor.js';
import { useSaveKey } from '../ui/hooks.js';
import type { Discussion } from './comments/use-discussion.js';
import type { PanelState } from './use-panel.js';
import { lazyPart } from '../ui/lazy-part.js';

/** In chunks that are loaded when they are opened. */
const PreviewFrame = lazyPart(() => import('./preview-frame.js'), 'PreviewFrame');

const CommentsPanel = lazyPart(() => import('./comments/comments-panel.js'), 'CommentsPanel');

const WorkflowPanel = lazyPart(() => import('./workflow/workflow-panel.js'), 'WorkflowPanel');

const PublicationPanel = lazyPart(() => import('./publication-panel.js'), 'PublicationPanel');

const UsesPanel = lazyPart(() => import('./actions/uses-panel.js'), 'UsesPanel');

const VersionPanel = lazyPart(() => import('./version-panel.js'), 'VersionPanel');

interface PanelProps {
  readonly editor: EntryEditor;
  readonly type: ContentType;
  readonly discussion: Discussion;
  readonly state: PanelState;
  /** Opens a field of the form. */
  readonly onOpen: (path: string) => void;
}

/** What is shown beside the form. */
function SidePanel({ editor, type, discussion, state: { panel, thread, show }, onOpen }: PanelProps) {
  const onClose = (): void => show(undefined);
  return (
    <Suspense
      fallback={
        panel !== undefined && (
          <div className="panel">
            <Loading />
          </div>
        )
      }
    >
      {panel === 'preview' && <PreviewFrame editor={editor} onOpen={onOpen} onClose={onClose} />}
      {panel === 'workflow' && editor.saved.workflow !== null && (
        <WorkflowPanel editor={editor} onClose={onClose} />
      )}
      {panel === 'comments' && (
        <CommentsPanel
          editor={editor}
          type={type}
          discussion={discussion}
          onClose={onClose}
          shownId={thread}
        />
      )}
      {panel === 'publication' && <PublicationPanel editor={editor} type={type} onClose={onClose} />}
      {panel === 'uses' && <UsesPanel id={editor.saved.id} onClose={onClose} />}
      {panel === 'versions' && <VersionPanel editor={editor} onClose={onClose} type={type} />}
    </Suspense>
  );
}

interface Props {
  readonly entry: Entry;
  readonly type: ContentType;
}

interface ContentProps {
  readonly editor: EntryEditor;
  readonly type: ContentType;
  readonly mayWrite: boolean;
  /** What a thread leads to. */
  readonly shown: Shown | undefined;
  /** What the preview leads to. */
  readonly opened: Shown | undefined;
}

function useShown(shown: Shown | undefined, show: (path: string, range: Shown['range']) => void): void {
  useEffect(() => {
    if (shown !== undefined) show(shown.path, shown.range);
  }, [shown]);
}

/** The fields, with another locale beside them if the address names one. */
function EntryContent({ editor, type, mayWrite, shown, opened }: ContentProps) {
  const { may } = useProject();
  const { saved, draft, problems, along, refusalCount } = editor;
  const values = draft.now.fields;
  const { revealed, show } = useProblemFocus({ type, values, problems }, refusalCount);
  useShown(shown, show);
  useShown(opened, show);
  const { field } = useSearch({ from: '/$project/$environment/entries/$entry' });
  useEffect(() => {
    if (field !== undefined) show(field);
  }, [field]);
  const blockActions = useBlockActions(editor);
  const beside = useBesideLocale(saved);
  const mayWriteField = ({ apiName, localized }: FieldKey): boolean =>
    mayWrite && may('entries.update', { locale: localized ? saved.locale : null, field: apiName });
  const form = (around?: (field: FieldKey, row: ReactNode) => ReactNode) => (
    <FieldForm
      draft={draft}
      problems={problems}
      revealed={revealed}
      type={type}
      mayWriteField={mayWriteField}
      blockActions={blockActions}
      {...(around !== undefined && { around })}
      isReadOnly={!mayWrite}
      onChange={editor.change}
    />
  );
  return (
    <div
      className={beside === undefined ? 'editor-form' : 'editor-form wide'}
      dir={beside === undefined ? directionOf(saved.locale) : 'ltr'}
    >
      {!mayWrite && (
        <p className="notice" dir="ltr">
          {t('entry.readOnly')}
        </p>
      )}
      <ProblemList type={type} problems={problems} along={along} values={values} onShow={show} />
      <CreationContext value={firstCreation}>
        {beside === undefined ? (
          form()
        ) : (
          <SideBySide editor={editor} type={type} beside={beside} mayWriteField={mayWriteField}>
            {form}
          </SideBySide>
        )}
      </CreationContext>
      <p className="soft small" dir="ltr">
        {t('entry.version', { version: saved.version })} ·{' '}
        {t('entry.updatedBy', { time: formatTime(saved.updatedAt), name: saved.updatedBy.name })}
      </p>
    </div>
  );
}

function editorClass(panel: Panel | undefined): string {
  if (panel === undefined) return 'editor';
  return panel === 'preview' ? 'editor with-panel with-preview' : 'editor with-panel';
}

function EntryForm({ entry, type }: Props) {
  const { may } = useProject();
  const editor = useEntryEditor(entry);
  const panel = usePanel();
  const discussion = useDiscussion(editor, type, panel);
  const { saved, conflict } = editor;
  const mayWrite = may('entries.update', { locale: saved.locale });
  const isPreviewed = panel.panel === 'preview';
  const autosave = useAutosave(editor, mayWrite, isPreviewed);
  const kept = useKeptDraft(editor, mayWrite);
  const [opened, setOpened] = useState<Shown>();
  const [people, setPeople] = useState<readonly Person[]>([]);
  const { siteId, locale } = saved;
  const present = useMemo(() => ({ people, locale }), [people, locale]);
  const place = useMemo(() => ({ siteId, locale }), [siteId, locale]);
  useSaveKey(() => {
    if (mayWrite && editor.isDirty && !editor.isBusy) void editor.save();
  });
  return (
    <PlaceContext value={place}>
      <EntryHead
        editor={editor}
        type={type}
        autosave={autosave}
        panel={panel}
        discussion={discussion}
        onPeople={setPeople}
        onDeleted={kept.discard}
      />
      <div className={editorClass(panel.panel)}>
        <DiscussionContext value={discussion.inForm}>
          <PresenceContext value={present}>
            <EntryContent
              editor={editor}
              mayWrite={mayWrite}
              type={type}
              opened={opened}
              shown={discussion.shown}
            />
          </PresenceContext>
        </DiscussionContext>
        <SidePanel
          editor={editor}
          type={type}
          discussion={discussion}
          onOpen={(path) => setOpened({ path, range: undefined })}
          state={panel}
        />
      </div>
      {conflict !== undefined && <ConflictDialog conflict={conflict} editor={editor} type={type} />}
      <RecoveryDialog editor={editor} kept={kept} type={type} />
      <LeaveGuard isDirty={editor.isDirty} onDiscard={kept.discard} onLeave={autosave.leave} />
    </PlaceContext>
  );
}

/** One entry in one locale; another locale is another form. */
export function EntryScreen() {
  const project = useProject();
  const { entry: id } = useParams({ from: '/$project/$environment/entries/$entry' });
  const { locale } = useSearch({ from: '/$project/$environment/entries/$entry' });
  const query = useQuery(
    api.entries.get.queryOptions(
      { projectSlug: project.slug, id, deleted: true, ...(locale !== undefined && { locale }) },
      { refetchOnWindowFocus: false, staleTime: 0, gcTime: 0 },
    ),
  );
  return (
    <Loaded query={query}>
      {({ data }) => {
        const type = typeOf(project, data.contentTypeApiName);
        if (type === undefined) return <Empty title={t('app.notFound')} />;
        if (data.deletedAt !== null) return <DeletedEntry entry={data} type={type} />;
        return <EntryForm entry={data} key={`${data.id} ${data.locale}`} type={type} />;
      }}
    </Loaded>
  );
}

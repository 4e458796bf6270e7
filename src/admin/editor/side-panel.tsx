import { Suspense } from 'react';
import type { ContentType } from '../api/project-data.js';
import { Loading } from '../ui/states.js';
import type { Discussion } from './comments/use-discussion.js';
import type { EntryEditor } from './use-entry-editor.js';
import type { PanelState } from './use-panel.js';
import { lazyPart } from '../ui/lazy-part.js';

/** In chunks that are loaded when they are opened. */
const PreviewFrame = lazyPart(() => import('./preview-frame.js'), 'PreviewFrame');
const CommentsPanel = lazyPart(() => import('./comments/comments-panel.js'), 'CommentsPanel');
const WorkflowPanel = lazyPart(() => import('./workflow/workflow-panel.js'), 'WorkflowPanel');
const PublicationPanel = lazyPart(() => import('./publication-panel.js'), 'PublicationPanel');
const UsesPanel = lazyPart(() => import('./actions/uses-panel.js'), 'UsesPanel');
const VersionPanel = lazyPart(() => import('./version-panel.js'), 'VersionPanel');

interface Props {
  readonly editor: EntryEditor;
  readonly type: ContentType;
  readonly discussion: Discussion;
  readonly state: PanelState;
  /** Opens a field of the form. */
  readonly onOpen: (path: string) => void;
}

/** What is shown beside the form. */
export function SidePanel({ editor, type, discussion, state: { panel, thread, show }, onOpen }: Props) {
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
      {panel === 'preview' && <PreviewFrame {...{ editor, onOpen, onClose }} />}
      {panel === 'workflow' && editor.saved.workflow !== null && (
        <WorkflowPanel editor={editor} onClose={onClose} />
      )}
      {panel === 'comments' && <CommentsPanel {...{ editor, type, discussion, onClose }} shownId={thread} />}
      {panel === 'publication' && <PublicationPanel {...{ editor, type, onClose }} />}
      {panel === 'uses' && <UsesPanel id={editor.saved.id} onClose={onClose} />}
      {panel === 'versions' && <VersionPanel editor={editor} onClose={onClose} type={type} />}
    </Suspense>
  );
}

import { EditorView } from 'prosemirror-view';
import 'prosemirror-view/style/prosemirror.css';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import { useProject } from '../api/project-data.js';
import { usePlace } from '../editor/place.js';
import type { FieldEditorProps } from '../fields/field-editor.js';
import { t } from '../texts/index.js';
import { commentRanges, selectedText, selectRange, showRanges } from './comment-ranges.js';
import { documentOf, stateOf, valueOf } from './editor-state.js';
import { pastedHtml } from './pasted-html.js';
import { referenceViews } from './reference-views.js';
import { Toolbar } from './toolbar.js';
import type { Node } from 'prosemirror-model';
import type { FieldDiscussion } from '../fields/discussion.js';

function readDocument(value: unknown): Node | undefined {
  try {
    return documentOf(value);
  } catch {
    return undefined;
  }
}

/**
 * Shows the comments on the text, and selects the one that is asked for.
 * @param edition changes when the editor was given another document
 */
function useCommentRanges(
  view: RefObject<EditorView | undefined>,
  discussion: FieldDiscussion | undefined,
  edition: unknown,
): void {
  const { ranges = [], savedValue, shownThread, revealed } = discussion ?? {};
  const seen = useRef(revealed?.request);
  useEffect(() => {
    if (view.current === undefined || discussion === undefined) return;
    const saved = readDocument(savedValue);
    if (saved !== undefined) showRanges(view.current, { saved, ranges, shown: shownThread });
  }, [JSON.stringify(ranges), savedValue, shownThread, edition]);
  useEffect(() => {
    if (revealed === undefined || revealed.request === seen.current) return;
    seen.current = revealed.request;
    const isHere = ranges.some((range) => range.threadId === revealed.threadId);
    if (isHere && view.current !== undefined) selectRange(view.current, revealed.threadId);
  }, [revealed?.request]);
}

function readable(value: unknown): string | undefined {
  try {
    documentOf(value);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Rich text in the schema of the service. A document that does not fit is shown as it is and never changed. */
export function RichTextEditor(props: FieldEditorProps) {
  const reason = readable(props.value);
  if (reason === undefined) return <Editor {...props} />;
  return (
    <>
      <p className="problem">{t('rich.unreadable', { reason })}</p>
      <pre className="value">{JSON.stringify(props.value, null, 2)}</pre>
    </>
  );
}

function Editor(props: FieldEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  /** The editor keeps its own document; what it reports last is not set again. */
  const reported = useRef<unknown>(props.value);
  const latest = useRef(props);
  latest.current = props;
  const { locale } = usePlace();
  const project = useProject();
  const latestPlace = useRef({ project, locale });
  latestPlace.current = { project, locale };
  const [, setEdition] = useState(0);
  const [given, setGiven] = useState<unknown>();
  const [comments] = useState(() => commentRanges((threadId) => latest.current.discussion?.onOpen(threadId)));

  useEffect(() => {
    if (place.current === null) return undefined;
    const made = new EditorView(place.current, {
      state: stateOf(documentOf(latest.current.value), [comments]),
      editable: () => !latest.current.isReadOnly,
      nodeViews: referenceViews(() => latestPlace.current),
      transformPastedHTML: pastedHtml,
      attributes: () => ({
        id: latest.current.id,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': latest.current.label,
        'aria-describedby': latest.current.describedBy,
        'aria-invalid': String(latest.current.isInvalid),
        'aria-readonly': String(latest.current.isReadOnly),
        dir: 'auto',
        tabindex: '0',
      }),
      dispatchTransaction: (transaction) => {
        made.updateState(made.state.apply(transaction));
        setEdition((edition) => edition + 1);
        if (!transaction.docChanged) return;
        reported.current = valueOf(made.state.doc);
        latest.current.onChange(reported.current);
      },
    });
    view.current = made;
    setGiven(made);
    return () => {
      made.destroy();
      view.current = undefined;
    };
  }, []);

  useEffect(() => {
    if (isEqualJson(reported.current ?? null, props.value ?? null)) return;
    reported.current = props.value;
    view.current?.updateState(stateOf(documentOf(props.value), [comments]));
    setGiven(props.value);
  }, [props.value]);

  useCommentRanges(view, props.discussion, given);

  const { onComment } = props.discussion ?? {};
  return (
    <div className={props.isReadOnly ? 'rich read-only' : 'rich'}>
      {view.current !== undefined && (!props.isReadOnly || onComment !== undefined) && (
        <Toolbar
          field={props.field}
          isReadOnly={props.isReadOnly}
          label={props.label}
          onComment={onComment && ((state) => onComment(selectedText(state)))}
          view={view.current}
        />
      )}
      <div className="rich-place" ref={place} />
    </div>
  );
}

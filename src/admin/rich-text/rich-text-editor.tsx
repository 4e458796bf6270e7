import { EditorView } from 'prosemirror-view';
import 'prosemirror-view/style/prosemirror.css';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import { useProject } from '../api/project-data.js';
import { usePlace } from '../editor/place.js';
import type { FieldEditorProps } from '../fields/field-editor.js';
import { t } from '../texts/index.js';
import { commentRanges, selectedText, selectRange, showRanges } from './comment-ranges.js';
import { EditorDialog, type DialogName } from './editor-dialogs.js';
import { documentOf, stateOf, valueOf } from './editor-state.js';
import { pastedHtml, pastedLink } from './pasted-html.js';
import { referenceViews } from './reference-views.js';
import { Toolbar } from './toolbar.js';
import type { Node } from 'prosemirror-model';
import type { Command } from 'prosemirror-state';
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

/** The dialog that is open. When it ends, the focus returns to the text. */
function useDialog(view: RefObject<EditorView | undefined>) {
  const [dialog, setDialog] = useState<DialogName>();
  const wasOpen = useRef(false);
  // A dialog gives the focus back to where it was when it is removed, which is before this.
  useLayoutEffect(() => {
    if (wasOpen.current && dialog === undefined) view.current?.focus();
    wasOpen.current = dialog !== undefined;
  }, [dialog]);
  return [dialog, setDialog] as const;
}

/** The view of the text in `place`. It keeps its own document; what it reports last is not set again. */
function useEditorView(props: FieldEditorProps, place: RefObject<HTMLElement | null>, describedBy: string) {
  const view = useRef<EditorView>(undefined);
  const reported = useRef<unknown>(props.value);
  const { locale } = usePlace();
  const project = useProject();
  const latest = useRef({ props, project, locale });
  latest.current = { props, project, locale };
  const [, setEdition] = useState(0);
  const [given, setGiven] = useState<unknown>();
  const [comments] = useState(() =>
    commentRanges((threadId) => latest.current.props.discussion?.onOpen(threadId)),
  );

  useEffect(() => {
    if (place.current === null) return undefined;
    const made = new EditorView(place.current, {
      state: stateOf(documentOf(latest.current.props.value), [comments]),
      editable: () => !latest.current.props.isReadOnly,
      nodeViews: referenceViews(() => latest.current),
      transformPastedHTML: pastedHtml,
      handlePaste: pastedLink,
      attributes: () => attributesOf(latest.current.props, describedBy),
      dispatchTransaction: (transaction) => {
        const before = made.state.doc;
        made.updateState(made.state.apply(transaction));
        setEdition((edition) => edition + 1);
        if (made.state.doc === before) return;
        reported.current = valueOf(made.state.doc);
        latest.current.props.onChange(reported.current);
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
  return view;
}

const attributesOf = (props: FieldEditorProps, describedBy: string): Record<string, string> => ({
  ...{ id: props.id, role: 'textbox', dir: 'auto', tabindex: '0' },
  'aria-multiline': 'true',
  'aria-label': props.label,
  'aria-describedby': `${props.describedBy} ${describedBy}`,
  'aria-invalid': String(props.isInvalid),
  'aria-readonly': String(props.isReadOnly),
});

/** Alt+F10, as in other editors. */
function toToolbar(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'F10' || !event.altKey) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLElement>('[role="toolbar"] [tabindex="0"]')?.focus();
}

function Editor(props: FieldEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const keysId = useId();
  const view = useEditorView(props, place, keysId);
  const [dialog, setDialog] = useDialog(view);
  const run = (command: Command): void => {
    const { current } = view;
    if (current === undefined) return;
    command(current.state, current.dispatch, current);
    current.focus();
  };
  const { field, label, isReadOnly } = props;
  const { onComment } = props.discussion ?? {};
  return (
    <div className={isReadOnly ? 'rich read-only' : 'rich'} onKeyDown={toToolbar}>
      {view.current !== undefined && (!isReadOnly || onComment !== undefined) && (
        <Toolbar
          {...{ field, isReadOnly, label, run }}
          onComment={onComment && ((state) => onComment(selectedText(state)))}
          onDialog={setDialog}
          view={view.current}
        />
      )}
      <div className="rich-place" ref={place} />
      <p className="hidden-text" id={keysId}>
        {!isReadOnly && t('rich.keys')}
      </p>
      {view.current !== undefined && dialog !== undefined && (
        <EditorDialog
          field={field}
          name={dialog}
          onEnd={(command) => {
            setDialog(undefined);
            if (command !== undefined) run(command);
          }}
          state={view.current.state}
        />
      )}
    </div>
  );
}

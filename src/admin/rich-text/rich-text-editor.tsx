import { EditorView } from 'prosemirror-view';
import 'prosemirror-view/style/prosemirror.css';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import { useProject } from '../api/project-data.js';
import { usePlace } from '../editor/place.js';
import type { FieldEditorProps } from '../fields/field-editor.js';
import { formatNumber, t } from '../texts/index.js';
import { useDelayed } from '../ui/hooks.js';
import { commentRanges, selectedText, selectRange, showRanges } from './comment-ranges.js';
import { EditorDialog, selectedPicture, type DialogName } from './editor-dialogs.js';
import { documentOf, stateOf, valueOf } from './editor-state.js';
import { pasting } from './pasted-html.js';
import { referenceViews } from './reference-views.js';
import { openSlash, SlashMenu, slashMenu, slashOptionId } from './slash-menu.js';
import { Toolbar } from './toolbar.js';
import type { Node } from 'prosemirror-model';
import { Plugin, type Command, type EditorState } from 'prosemirror-state';
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

/** When a dialog ends, the focus returns to the text. */
function useFocusAfter(dialog: DialogName | undefined, view: RefObject<EditorView | undefined>): void {
  const wasOpen = useRef(false);
  // A dialog gives the focus back to where it was when it is removed, which is before this.
  useLayoutEffect(() => {
    if (wasOpen.current && dialog === undefined) view.current?.focus();
    wasOpen.current = dialog !== undefined;
  }, [dialog]);
}

/** Enter and a double click open the texts of a picture. */
const pictureKeys = (onOpen: () => void): Plugin =>
  new Plugin({
    props: {
      handleKeyDown: ({ state }, { key }) => {
        if (key !== 'Enter' || selectedPicture(state) === undefined) return false;
        onOpen();
        return true;
      },
      handleDoubleClick: ({ state, editable }) => {
        if (!editable || selectedPicture(state) === undefined) return false;
        onOpen();
        return true;
      },
    },
  });

/** The view of the text in `place`. It keeps its own document; what it reports last is not set again. */
function useEditorView(
  props: FieldEditorProps,
  place: RefObject<HTMLElement | null>,
  { describedBy, onDialog }: { describedBy: string; onDialog: (name: DialogName) => void },
) {
  const view = useRef<EditorView>(undefined);
  const reported = useRef<unknown>(props.value);
  const { locale } = usePlace();
  const project = useProject();
  const latest = useRef({ props, project, locale, onDialog });
  latest.current = { props, project, locale, onDialog };
  const [, setEdition] = useState(0);
  const [given, setGiven] = useState<unknown>();
  const [plugins] = useState(() => [
    commentRanges((threadId) => latest.current.props.discussion?.onOpen(threadId)),
    slashMenu(
      () => latest.current.props.field,
      (name) => latest.current.onDialog(name),
    ),
    pictureKeys(() => latest.current.onDialog('picture')),
  ]);

  // Before the browser paints, so that the toolbar moves nothing.
  useLayoutEffect(() => {
    if (place.current === null) return undefined;
    const made = new EditorView(place.current, {
      state: stateOf(documentOf(latest.current.props.value), plugins),
      editable: () => !latest.current.props.isReadOnly,
      nodeViews: referenceViews(() => latest.current),
      ...pasting(() => ({ project: latest.current.project, field: latest.current.props.field })),
      attributes: (state) => ({
        ...attributesOf(latest.current.props, describedBy),
        ...slashAttributes(state, latest.current.props),
      }),
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
    view.current?.updateState(stateOf(documentOf(props.value), plugins));
    setGiven(props.value);
  }, [props.value]);

  useCommentRanges(view, props.discussion, given);
  return view;
}

/** What names the active option of the menu while it is open. */
function slashAttributes(state: EditorState, { id, field }: FieldEditorProps): Record<string, string> {
  const open = openSlash(state, field);
  if (open === undefined) return {};
  const active = slashOptionId(id, open.active);
  return { 'aria-autocomplete': 'list', 'aria-controls': `${id}-slash`, 'aria-activedescendant': active };
}

/** Words and characters, some time after they were typed: a long text takes a while. */
function Count({ doc }: { readonly doc: Node }) {
  const { locale } = usePlace();
  const counted = useDelayed(doc);
  const { words, characters } = useMemo(() => {
    const written = counted.textBetween(0, counted.content.size, '\n', ' ');
    const parts = new Intl.Segmenter(locale, { granularity: 'word' }).segment(written);
    return {
      words: [...parts].filter(({ isWordLike }) => isWordLike).length,
      characters: [...written.replaceAll('\n', '')].length,
    };
  }, [counted, locale]);
  const values = { words: formatNumber(words), characters: formatNumber(characters) };
  return <p className="count soft small">{t('rich.count', values)}</p>;
}

/** While a text fills the window, what is behind it is out of reach. */
function useAlone(frame: RefObject<HTMLElement | null>, isFull: boolean): void {
  useEffect(() => {
    const others: HTMLElement[] = [];
    for (let part = isFull ? frame.current : null; part !== null; part = part.parentElement)
      for (const other of part.parentElement?.children ?? [])
        if (other !== part && other instanceof HTMLElement && !other.inert && !other.matches('head, .toasts'))
          others.push(other);
    for (const other of others) other.inert = true;
    return () => {
      for (const other of others) other.inert = false;
    };
  }, [isFull]);
}

const attributesOf = (props: FieldEditorProps, describedBy: string): Record<string, string> => ({
  id: props.id,
  role: 'textbox',
  dir: 'auto',
  tabindex: '0',
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
  const [dialog, setDialog] = useState<DialogName>();
  const view = useEditorView(props, place, { describedBy: keysId, onDialog: setDialog });
  useFocusAfter(dialog, view);
  const frame = useRef<HTMLDivElement>(null);
  const [isFull, setIsFull] = useState(false);
  useAlone(frame, isFull);
  const run = (command: Command): void => {
    const { current } = view;
    if (current === undefined) return;
    command(current.state, current.dispatch, current);
    current.focus();
  };
  const { field, label, isReadOnly } = props;
  const { onComment } = props.discussion ?? {};
  return (
    <div
      className={`rich${isReadOnly ? ' read-only' : ''}${isFull ? ' full' : ''}`}
      onKeyDown={(event) => {
        toToolbar(event);
        if (event.key === 'Escape' && isFull && dialog === undefined) setIsFull(false);
      }}
      ref={frame}
    >
      {view.current !== undefined && (!isReadOnly || onComment !== undefined) && (
        <Toolbar
          field={field}
          isFull={isFull}
          isReadOnly={isReadOnly}
          label={label}
          run={run}
          onFull={() => setIsFull(!isFull)}
          onComment={onComment && ((state) => onComment(selectedText(state)))}
          onDialog={setDialog}
          view={view.current}
        />
      )}
      <div className="rich-place" ref={place} />
      {view.current !== undefined && <Count doc={view.current.state.doc} />}
      {view.current !== undefined && !isReadOnly && (
        <SlashMenu field={field} id={props.id} onDialog={setDialog} view={view.current} />
      )}
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

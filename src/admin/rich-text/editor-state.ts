import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import { inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { Node } from 'prosemirror-model';
import { EditorState, Plugin, type Command } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { blockTools, liftItem, markTools, setBlockStyle, sinkItem, splitItem } from './commands.js';
import { editorSchema, nodeType } from './editor-schema.js';
import { pendingPictures, withoutPending } from './pending-pictures.js';
import { nextCell, previousCell, tableEditing } from './tables.js';

/** Takes its key also where it has nothing to do: the browser would undo what was typed in another field. */
const handled =
  (command: Command): Command =>
  (...given) => {
    command(...given);
    return true;
  };

/** What the browser calls the steps of its history, and their events. */
const steps: Readonly<Record<string, string>> = { historyUndo: 'undo', historyRedo: 'redo' };

/** The view reads what has changed in it some time later, unless it is asked to. */
const readChanges = (view: EditorView): void =>
  (view as unknown as { readonly domObserver: { flush(): void } }).domObserver.flush();

/**
 * Each text has its own history, which takes what is undone while it has the focus. Chrome keeps one for all that is
 * typed in a page, so that undoing in a plain field reaches what was typed in a rich text: the text ignores such a
 * step, and the browser goes on to the one before it. Comes before the plugin of the history.
 */
function ownHistory(): Plugin {
  /** The browser changes the text. A step that is refused would be the next one again. */
  let isForeign = false;
  let field: Element | null = null;
  return new Plugin({
    filterTransaction: ({ docChanged }) => !docChanged || !isForeign,
    props: {
      handleDOMEvents: {
        // Of steps that a key starts.
        beforeinput: (view, { inputType }) => {
          if (steps[inputType] === undefined || view.hasFocus()) return false;
          field = document.activeElement;
          isForeign = true;
          setTimeout(() => (isForeign = false));
          return true;
        },
        // The browser has moved the focus to the text.
        input: (view, event) => {
          const step = steps[(event as InputEvent).inputType];
          if (step === undefined) return false;
          isForeign = true;
          readChanges(view);
          isForeign = false;
          setTimeout(() => {
            if (field instanceof HTMLElement) field.focus();
            document.execCommand(step);
          });
          return true;
        },
      },
    },
  });
}

const hardBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodeType('hardBreak').create()).scrollIntoView());
  return true;
};

/** Editors that the next Tab leaves, because Escape was pressed before it. */
const left = new WeakSet<EditorView>();

const escape = new Plugin({
  props: {
    handleKeyDown: (view, { key }) => {
      if (key === 'Escape') left.add(view);
      else if (key !== 'Tab' && key !== 'Shift') left.delete(view);
      return false;
    },
    handleDOMEvents: {
      blur: (view) => void left.delete(view),
      // Where the caret is decides what these keys do, also right after a click.
      keydown: (view, { key }) => {
        if ((key === 'Tab' || key === 'Enter') && !view.composing) readChanges(view);
        return false;
      },
    },
  },
});

/** Tab belongs to lists and tables, as long as they have a use for it. */
const unlessLeft =
  (command: Command): Command =>
  (state, dispatch, view) =>
    (view === undefined || !left.has(view)) && command(state, dispatch, view);

const keys: Readonly<Record<string, Command>> = {
  'Mod-z': handled(undo),
  'Mod-y': handled(redo),
  'Shift-Mod-z': handled(redo),
  ...Object.fromEntries(
    [...markTools, ...blockTools].flatMap(({ key, run }) => (key === undefined ? [] : [[key, run]])),
  ),
  ...Object.fromEntries(
    ['1', '2', '3', '4', '5', '6'].map((level) => [`Mod-Alt-${level}`, setBlockStyle(level)]),
  ),
  'Mod-Alt-0': setBlockStyle('paragraph'),
  'Shift-Enter': chainCommands(exitCode, hardBreak),
  Enter: splitItem,
  Tab: unlessLeft(chainCommands(sinkItem, nextCell)),
  'Shift-Tab': unlessLeft(chainCommands(liftItem, previousCell)),
  'Mod-]': sinkItem,
  'Mod-[': liftItem,
};

/** As in Markdown. */
const rules = inputRules({
  rules: [
    textblockTypeInputRule(/^(#{1,6})\s$/, nodeType('heading'), ([, marks = '']) => ({
      level: marks.length,
    })),
    wrappingInputRule(/^\s*[-*]\s$/, nodeType('bulletList')),
    wrappingInputRule(/^(\d{1,6})\.\s$/, nodeType('orderedList'), ([, start = '1']) => ({
      start: Number(start),
    })),
    wrappingInputRule(/^>\s$/, nodeType('blockquote')),
    textblockTypeInputRule(/^```$/, nodeType('codeBlock')),
  ],
});

const plugins: readonly Plugin[] = [
  ...[
    rules,
    escape,
    keymap(keys),
    tableEditing(),
    pendingPictures(),
    keymap(baseKeymap),
    ownHistory(),
    history(),
  ],
];

/** @throws RangeError if the document does not fit the schema */
export function documentOf(value: unknown): Node {
  if (value === null || value === undefined)
    return nodeType('doc').create(null, nodeType('paragraph').create());
  const node = Node.fromJSON(editorSchema, value);
  node.check();
  return node.content.size > 0 ? node : nodeType('doc').create(null, nodeType('paragraph').create());
}

export const stateOf = (doc: Node, more: readonly Plugin[] = []): EditorState =>
  EditorState.create({ doc, plugins: [...more, ...plugins] });

/** Null for a document without content. */
export function valueOf(doc: Node): unknown {
  const isBlank =
    doc.childCount <= 1 &&
    doc.textContent === '' &&
    doc.firstChild?.type.name === 'paragraph' &&
    doc.firstChild.childCount === 0;
  return isBlank || doc.childCount === 0
    ? null
    : withoutPending(doc.toJSON() as Parameters<typeof withoutPending>[0]);
}

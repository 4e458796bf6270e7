import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import type { Mark, MarkType, NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { NodeSelection, Selection, TextSelection, type Command, type EditorState } from 'prosemirror-state';
import { baseName, spellingsOf } from '../../content/rich-text/vocabulary.js';
import type { TextKey } from '../texts/index.js';
import type { IconName } from '../ui/icon.js';
import { markType, nodeType } from './editor-schema.js';

/** A button of the toolbar. */
export interface Tool {
  readonly label: TextKey;
  /** A letter or sign; absent: an icon. */
  readonly sign?: string;
  readonly icon?: IconName;
  /** As ProseMirror names it. */
  readonly key?: string;
  readonly run: Command;
  readonly isOn: (state: EditorState) => boolean;
}

type Look = Pick<Tool, 'sign' | 'icon' | 'key'>;

function hasMark({ doc, selection, storedMarks }: EditorState, type: MarkType): boolean {
  const { from, to, empty, $from } = selection;
  if (empty) return type.isInSet(storedMarks ?? $from.marks()) !== undefined;
  return doc.rangeHasMark(from, to, type);
}

/** The innermost node of a canonical name around the cursor, in the spelling of the document. */
function nodeAround({ selection: { $from } }: EditorState, name: string): NodeType | undefined {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const { type } = $from.node(depth);
    if (baseName(type.name) === name) return type;
  }
  return undefined;
}

/** Text is either raised or lowered. */
const opposites: Readonly<Record<string, string>> = { superscript: 'subscript', subscript: 'superscript' };

function mark(name: string, label: TextKey, look: Look): Tool {
  const types = spellingsOf(name).map(markType);
  const opposite = opposites[name];
  const isOn = (state: EditorState): boolean => types.some((type) => hasMark(state, type));
  return {
    label,
    isOn,
    ...look,
    run: (state, dispatch) => {
      const set = types.find((type) => hasMark(state, type)) ?? markType(name);
      return toggleMark(set)(
        state,
        dispatch &&
          ((tr) => {
            const { from, to } = tr.selection;
            const other = opposite === undefined ? undefined : markType(opposite);
            if (other !== undefined && !isOn(state)) tr.removeMark(from, to, other).removeStoredMark(other);
            dispatch(tr);
          }),
      );
    },
  };
}

/** Runs a command on the kind of list item that the cursor is in. */
const onItem =
  (command: (type: NodeType) => Command): Command =>
  (state, ...rest) => {
    const type = nodeAround(state, 'listItem');
    return type !== undefined && command(type)(state, ...rest);
  };

export const splitItem = onItem((type) => splitListItem(type));
export const sinkItem = onItem(sinkListItem);
export const liftItem = onItem(liftListItem);

const list = (name: string, label: TextKey, look: Look): Tool => {
  const isOn = (state: EditorState): boolean => nodeAround(state, name) !== undefined;
  return {
    label,
    isOn,
    ...look,
    run: (state, ...rest) =>
      isOn(state) ? liftItem(state, ...rest) : wrapInList(nodeType(name))(state, ...rest),
  };
};

const quotation: Tool = {
  label: 'rich.blockquote',
  sign: '❝',
  isOn: (state) => nodeAround(state, 'blockquote') !== undefined,
  run: (state, ...rest) =>
    nodeAround(state, 'blockquote') === undefined
      ? wrapIn(nodeType('blockquote'))(state, ...rest)
      : lift(state, ...rest),
};

const divider: Tool = {
  label: 'rich.horizontalRule',
  sign: '―',
  isOn: () => false,
  run: (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(nodeType('horizontalRule').create()).scrollIntoView());
    return true;
  },
};

export const markTools: readonly Tool[] = [
  mark('bold', 'rich.bold', { sign: 'B', key: 'Mod-b' }),
  mark('italic', 'rich.italic', { sign: 'I', key: 'Mod-i' }),
  mark('underline', 'rich.underline', { sign: 'U', key: 'Mod-u' }),
  mark('strike', 'rich.strike', { sign: 'S', key: 'Mod-Shift-x' }),
  mark('superscript', 'rich.superscript', { icon: 'superscript', key: 'Mod-.' }),
  mark('subscript', 'rich.subscript', { icon: 'subscript', key: 'Mod-,' }),
  mark('code', 'rich.code', { sign: '<>', key: 'Mod-e' }),
];

export const blockTools: readonly Tool[] = [
  list('bulletList', 'rich.bulletList', { icon: 'list', key: 'Mod-Shift-8' }),
  list('orderedList', 'rich.orderedList', { icon: 'numbers', key: 'Mod-Shift-7' }),
  quotation,
  divider,
];

export const headingLevels = [1, 2, 3, 4, 5, 6] as const;

/** Of the block with the cursor: `paragraph`, `codeBlock`, or the level of a heading. */
export function blockStyle({ selection: { $from } }: EditorState): string {
  const { type, attrs } = $from.parent;
  const name = baseName(type.name);
  return name === 'heading' ? String(attrs.level) : name;
}

export function setBlockStyle(style: string): Command {
  if (style === 'paragraph' || style === 'codeBlock') return setBlockType(nodeType(style));
  return setBlockType(nodeType('heading'), { level: Number(style) });
}

const link = markType('link');

interface FoundLink {
  readonly from: number;
  readonly to: number;
  readonly mark: Mark | undefined;
}

/** The link at the cursor, as far as it goes, or of the selection. */
export function linkIn({ doc, selection: { from, to, empty, $from } }: EditorState): FoundLink {
  let mark: Mark | undefined;
  if (!empty) {
    doc.nodesBetween(from, to, ({ marks }) => {
      mark ??= link.isInSet(marks);
    });
    return { from, to, mark };
  }
  mark =
    [$from.nodeAfter, $from.nodeBefore].map((node) => node && link.isInSet(node.marks)).find(Boolean) ??
    undefined;
  let found = { from, to };
  let run = { from: $from.start(), to: $from.start() };
  $from.parent.forEach((node, offset) => {
    const end = $from.start() + offset + node.nodeSize;
    if (mark?.isInSet(node.marks) !== true) run = { from: end, to: end };
    else run.to = end;
    if (run.from < run.to && run.from <= from && run.to >= from) found = run;
  });
  return { ...found, mark };
}

/** Sets the target of the link at the cursor or of the selection. A link keeps its title and frame. */
export const setLink =
  (attrs: Readonly<Record<string, string | null>>): Command =>
  (state, dispatch) => {
    const { from, to, mark: before } = linkIn(state);
    if (from === to) return false;
    const { title, target, rel } = (before?.attrs ?? {}) as Readonly<Record<string, unknown>>;
    const tr = state.tr.addMark(from, to, link.create({ title, target, rel, ...attrs }));
    // What is typed next comes after the link.
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, to)).scrollIntoView());
    return true;
  };

export const removeLink: Command = (state, dispatch) => {
  const { from, to } = linkIn(state);
  dispatch?.(state.tr.removeMark(from, to, link));
  return from < to;
};

export type Reference = 'entryMention' | 'entryEmbed' | 'assetEmbed';

/**
 * Puts a reference in place of the selection, after an embed that is selected. A mention has no marks: it is a link
 * itself.
 */
export const insertReference =
  (name: Reference, attrs: Readonly<Record<string, string>>): Command =>
  ({ selection, tr }, dispatch) => {
    const node = nodeType(name).create(attrs);
    if (selection instanceof NodeSelection && selection.node.isBlock) {
      const inserted = node.isInline ? nodeType('paragraph').create(null, node) : node;
      tr.insert(selection.to, inserted);
      tr.setSelection(Selection.near(tr.doc.resolve(selection.to + inserted.nodeSize), -1));
    } else tr.replaceSelectionWith(node, false);
    dispatch?.(tr.scrollIntoView());
    return true;
  };

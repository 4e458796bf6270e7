import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import type { MarkType, NodeType } from 'prosemirror-model';
import { liftListItem, wrapInList } from 'prosemirror-schema-list';
import type { Command, EditorState } from 'prosemirror-state';
import type { TextKey } from '../texts/index.js';
import { markType, nodeType } from './editor-state.js';

/** A button of the toolbar. */
export interface Tool {
  readonly label: TextKey;
  readonly sign: string;
  readonly run: Command;
  readonly isOn: (state: EditorState) => boolean;
}

export function hasMark({ doc, selection, storedMarks }: EditorState, type: MarkType): boolean {
  const { from, to, empty, $from } = selection;
  if (empty) return type.isInSet(storedMarks ?? $from.marks()) !== undefined;
  return doc.rangeHasMark(from, to, type);
}

function isInside({ selection: { $from } }: EditorState, type: NodeType): boolean {
  for (let depth = $from.depth; depth > 0; depth -= 1) if ($from.node(depth).type === type) return true;
  return false;
}

const mark = (name: string, label: TextKey, sign: string): Tool => ({
  ...{ label, sign },
  run: toggleMark(markType(name)),
  isOn: (state) => hasMark(state, markType(name)),
});

const list = (name: string, label: TextKey, sign: string): Tool => {
  const isOn = (state: EditorState): boolean => isInside(state, nodeType(name));
  return {
    ...{ label, sign, isOn },
    run: (state, ...rest) =>
      isOn(state)
        ? liftListItem(nodeType('listItem'))(state, ...rest)
        : wrapInList(nodeType(name))(state, ...rest),
  };
};

const quotation: Tool = {
  label: 'rich.blockquote',
  sign: '❝',
  isOn: (state) => isInside(state, nodeType('blockquote')),
  run: (state, ...rest) =>
    isInside(state, nodeType('blockquote'))
      ? lift(state, ...rest)
      : wrapIn(nodeType('blockquote'))(state, ...rest),
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

export const tools: readonly Tool[] = [
  mark('bold', 'rich.bold', 'B'),
  mark('italic', 'rich.italic', 'I'),
  mark('underline', 'rich.underline', 'U'),
  mark('strike', 'rich.strike', 'S'),
  mark('code', 'rich.code', '<>'),
  list('bulletList', 'rich.bulletList', '•'),
  list('orderedList', 'rich.orderedList', '⒈'),
  quotation,
  divider,
];

export const headingLevels = [1, 2, 3, 4, 5, 6] as const;

/** Of the block with the cursor: `paragraph`, `codeBlock`, or the level of a heading. */
export function blockStyle({ selection: { $from } }: EditorState): string {
  const { type, attrs } = $from.parent;
  return type === nodeType('heading') ? String(attrs.level) : type.name;
}

export function setBlockStyle(style: string): Command {
  if (style === 'paragraph' || style === 'codeBlock') return setBlockType(nodeType(style));
  return setBlockType(nodeType('heading'), { level: Number(style) });
}

import { baseKeymap, chainCommands, exitCode, toggleMark } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import { inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { Node, Schema, type MarkSpec, type NodeSpec } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { EditorState, type Command, type Plugin } from 'prosemirror-state';
import { richTextSchema } from '../../content/rich-text/schema.js';
import { baseName } from '../../content/rich-text/vocabulary.js';
import { markViews, nodeViews } from './document-views.js';

function withViews<S extends NodeSpec | MarkSpec>(
  specs: { forEach(visit: (name: string, spec: S) => void): void },
  views: Readonly<Record<string, S['toDOM']>>,
): Record<string, S> {
  const viewed: Record<string, S> = {};
  specs.forEach((name, spec) => {
    const toDOM = views[baseName(name)];
    viewed[name] = toDOM === undefined ? spec : { ...spec, toDOM };
  });
  return viewed;
}

/** The schema of the service with views. Names and attributes are the same, so every document is kept as it is. */
export const editorSchema = new Schema({
  nodes: withViews<NodeSpec>(richTextSchema.spec.nodes, nodeViews),
  marks: withViews<MarkSpec>(richTextSchema.spec.marks, markViews),
});

/** The schema has every name that is used here. */
export const nodeType = (name: string) => editorSchema.nodes[name]!;
export const markType = (name: string) => editorSchema.marks[name]!;

const hardBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodeType('hardBreak').create()).scrollIntoView());
  return true;
};

const listItem = nodeType('listItem');

const keys: Readonly<Record<string, Command>> = {
  'Mod-z': undo,
  'Mod-y': redo,
  'Shift-Mod-z': redo,
  'Mod-b': toggleMark(markType('bold')),
  'Mod-i': toggleMark(markType('italic')),
  'Mod-u': toggleMark(markType('underline')),
  'Shift-Enter': chainCommands(exitCode, hardBreak),
  Enter: splitListItem(listItem),
  'Mod-]': sinkListItem(listItem),
  'Mod-[': liftListItem(listItem),
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

const plugins: readonly Plugin[] = [rules, keymap(keys), keymap(baseKeymap), history()];

/** @throws RangeError if the document does not fit the schema */
export function documentOf(value: unknown): Node {
  if (value === null || value === undefined)
    return nodeType('doc').create(null, nodeType('paragraph').create());
  const node = Node.fromJSON(editorSchema, value);
  node.check();
  return node.content.size > 0 ? node : nodeType('doc').create(null, nodeType('paragraph').create());
}

export const stateOf = (doc: Node, more: readonly Plugin[] = []): EditorState =>
  EditorState.create({ doc, plugins: [...plugins, ...more] });

/** Null for a document without content. */
export function valueOf(doc: Node): unknown {
  const isBlank =
    doc.childCount <= 1 &&
    doc.textContent === '' &&
    doc.firstChild?.type.name === 'paragraph' &&
    doc.firstChild.childCount === 0;
  return isBlank || doc.childCount === 0 ? null : doc.toJSON();
}

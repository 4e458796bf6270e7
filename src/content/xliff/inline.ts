import type { RichTextMark, RichTextNode } from '../../../contracts/rich-text.js';
import { isEqualJson } from '../exact-json/canonical-json.js';

/** Content of a segment: text, a mark around content, or something that must stay as it is. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pc'; readonly id: string; readonly content: readonly Inline[] }
  | { readonly kind: 'ph'; readonly id: string };

/** What the ids of a unit stand for. */
export interface Codes {
  readonly marks: ReadonlyMap<string, RichTextMark>;
  readonly atoms: ReadonlyMap<string, Atom>;
}

/** A node without text, or a placeholder in the text. */
export type Atom = { readonly node: RichTextNode } | { readonly placeholder: string };

export interface Segment {
  readonly content: readonly Inline[];
  readonly codes: Codes;
}

/** `{{name}}`, `${name}`, `{name}`, `%s`, `%1$d`. */
const placeholders = /\{\{[^{}]{1,100}\}\}|\$\{[^{}]{1,100}\}|\{[\w.]{1,100}\}|%(?:\d{1,2}\$)?[sd@](?!\w)/g;

interface Draft {
  content: Inline[];
  readonly mark: RichTextMark | null;
}

/** Nests marks in their order and shares those that neighbours begin with. */
class SegmentWriter {
  readonly marks = new Map<string, RichTextMark>();
  readonly atoms = new Map<string, Atom>();
  readonly #open: Draft[] = [{ content: [], mark: null }];

  add(node: RichTextNode): void {
    this.#enter(node.marks ?? []);
    if (node.type === 'text') this.#addText(node.text ?? '');
    else this.#addAtom({ node });
  }

  finish(): Segment {
    this.#leave(1);
    return { content: this.#open[0]?.content ?? [], codes: { marks: this.marks, atoms: this.atoms } };
  }

  #enter(marks: readonly RichTextMark[]): void {
    const open = this.#open.slice(1).map(({ mark }) => mark);
    let shared = 0;
    while (shared < marks.length && shared < open.length && isEqualJson(open[shared], marks[shared]))
      shared += 1;
    this.#leave(shared + 1);
    for (const mark of marks.slice(shared)) {
      const content: Inline[] = [];
      const id = `m${String(this.marks.size + 1)}`;
      this.marks.set(id, mark);
      this.#open.at(-1)?.content.push({ kind: 'pc', id, content });
      this.#open.push({ content, mark });
    }
  }

  #leave(depth: number): void {
    this.#open.length = depth;
  }

  #addText(text: string): void {
    let end = 0;
    for (const match of text.matchAll(placeholders)) {
      if (match.index > end) this.#push(text.slice(end, match.index));
      this.#addAtom({ placeholder: match[0] });
      end = match.index + match[0].length;
    }
    if (end < text.length) this.#push(text.slice(end));
  }

  #push(text: string): void {
    this.#open.at(-1)?.content.push({ kind: 'text', text });
  }

  #addAtom(atom: Atom): void {
    const id = `p${String(this.atoms.size + 1)}`;
    this.atoms.set(id, atom);
    this.#open.at(-1)?.content.push({ kind: 'ph', id });
  }
}

export function segmentOf(nodes: readonly RichTextNode[]): Segment {
  const writer = new SegmentWriter();
  for (const node of nodes) writer.add(node);
  return writer.finish();
}

export const textSegment = (text: string): Segment => segmentOf(text === '' ? [] : [{ type: 'text', text }]);

const withMarks = (node: RichTextNode, marks: readonly RichTextMark[]): RichTextNode =>
  marks.length === 0 ? node : { ...node, marks: [...marks] };

function nodesIn(
  content: readonly Inline[],
  { marks, atoms }: Codes,
  open: readonly RichTextMark[],
): RichTextNode[] {
  return content.flatMap((inline): RichTextNode[] => {
    if (inline.kind === 'text') return [withMarks({ type: 'text', text: inline.text }, open)];
    if (inline.kind === 'pc') {
      const mark = marks.get(inline.id);
      return nodesIn(inline.content, { marks, atoms }, mark === undefined ? open : [...open, mark]);
    }
    const atom = atoms.get(inline.id);
    if (atom === undefined) return [];
    return 'node' in atom
      ? [withMarks(atom.node, open)]
      : [withMarks({ type: 'text', text: atom.placeholder }, open)];
  });
}

/** Nodes of translated content; the codes are those of the source. Neighbours with the same marks are one text. */
export function nodesOf(content: readonly Inline[], codes: Codes): RichTextNode[] {
  const nodes: RichTextNode[] = [];
  for (const node of nodesIn(content, codes, [])) {
    const last = nodes.at(-1);
    if (node.type !== 'text' || last?.type !== 'text' || !isEqualJson(last.marks ?? [], node.marks ?? []))
      nodes.push(node);
    else if (node.text !== '')
      nodes[nodes.length - 1] = { ...last, text: `${last.text ?? ''}${node.text ?? ''}` };
  }
  return nodes.filter(({ type, text }) => type !== 'text' || text !== '');
}

export const plainText = (content: readonly Inline[], codes: Codes): string =>
  nodesOf(content, codes)
    .map(({ text }) => text ?? '')
    .join('');

export function codeIds(content: readonly Inline[]): string[] {
  return content.flatMap((inline) => {
    if (inline.kind === 'text') return [];
    return inline.kind === 'pc' ? [inline.id, ...codeIds(inline.content)] : [inline.id];
  });
}

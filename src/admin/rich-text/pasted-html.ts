import type { Node } from 'prosemirror-model';
import type { EditorProps, EditorView } from 'prosemirror-view';
import { PASTED_STYLE, type HtmlElement } from '../../content/rich-text/html/html-dom.js';
import { cleanHtml } from '../../content/rich-text/html/html-elements.js';
import { HtmlTally } from '../../content/rich-text/html/html-tally.js';
import { declarationsOf, endsMark, inheritedMarks, markStyles } from '../../content/rich-text/mark-styles.js';
import { isSafeHref } from '../../content/rich-text/safe-href.js';
import type { Field, Project } from '../api/project-data.js';
import { t } from '../texts/index.js';
import { notify } from '../ui/toasts.js';
import { allowedTargets } from './allowed-targets.js';
import { setLink } from './commands.js';
import { markType, nodeType } from './editor-schema.js';
import { bringPicture, type PictureSource } from './pending-pictures.js';

/** The element of each mark that a style can mean, and the elements that mean it. */
const elements: Readonly<Record<string, readonly [string, ...string[]]>> = {
  bold: ['strong', 'b'],
  italic: ['em', 'i', 'cite', 'var', 'dfn'],
  underline: ['u', 'ins'],
  strike: ['s', 'del', 'strike'],
  superscript: ['sup'],
  subscript: ['sub'],
};

/** Elements whose children are parts of them. */
const wholes: ReadonlySet<string> = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'ul', 'ol', 'dl']);

/** Whether an element sets or ends a mark by its style. */
const declares = (element: Element, property: string): boolean =>
  declarationsOf(element.getAttribute(PASTED_STYLE)).has(property);

/** The texts below an element that no style of an inner element is about. */
function textsOf(element: Element, property: string): ChildNode[] {
  return [...element.childNodes].flatMap((child): ChildNode[] => {
    if (child instanceof Text) return (child.textContent ?? '').trim() === '' ? [] : [child];
    return child instanceof Element && !declares(child, property) ? textsOf(child, property) : [];
  });
}

function wrap(nodes: readonly ChildNode[], tag: string): void {
  const [first] = nodes;
  if (first === undefined) return;
  const wrapper = document.createElement(tag);
  first.before(wrapper);
  wrapper.append(...nodes);
}

/** Writes the styles of an element as elements: the policy of the app applies no style of pasted HTML. */
function writeStyle(element: Element): void {
  const style = element.getAttribute(PASTED_STYLE);
  const styles = declarationsOf(style);
  element.removeAttribute(PASTED_STYLE);
  for (const [mark, [tag, ...others]] of Object.entries(elements)) {
    const known = markStyles[mark];
    const isOn = known?.on.test(styles.get(known.property) ?? '') === true;
    // What is inherited ends where an inner element says so.
    if (known !== undefined && isOn && inheritedMarks.has(mark))
      for (const text of textsOf(element, known.property)) wrap([text], tag);
    else if (isOn && !wholes.has(element.localName)) wrap([...element.childNodes], tag);
    const isPlain = [tag, ...others].includes(element.localName) && endsMark(mark, style);
    if (isPlain) element.replaceWith(...element.childNodes);
  }
}

/** The editor that something is pasted or dropped into. */
interface Target {
  readonly project: Project;
  readonly field: Field;
}

/** Whether the field takes embeds of files of a type. */
function allows({ field }: Target, type: string): boolean {
  const { assets } = allowedTargets(field, 'allowedEmbeds');
  return (
    assets?.some((one) => (one.endsWith('/*') ? type.startsWith(one.slice(0, -1)) : one === type)) ?? true
  );
}

const DATA = /^data:(image\/([a-z]+)[\w.+-]*);base64,(.*)$/s;

/** The file in a `data:` URL. */
function fileIn(url: string): File | undefined {
  const [, type, kind = '', content = ''] = DATA.exec(url) ?? [];
  if (type === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
    return new File([bytes], `${t('rich.pastedName')}.${kind}`, { type });
  } catch {
    return undefined;
  }
}

/** What the library can get a pasted picture from; nothing of a path on the user's computer. */
const sourceOf = (url: string): PictureSource | undefined => (/^https?:\/\//i.test(url) ? url : fileIn(url));

/** Brings the pictures of pasted HTML into the library, by their source. */
function bringPictures(body: HTMLElement, target: Target): Map<string, string> {
  const brought = new Map<string, string>();
  for (const { src } of body.querySelectorAll('img')) {
    const source = brought.has(src) || !allows(target, 'image/') ? undefined : sourceOf(src);
    if (source !== undefined) brought.set(src, bringPicture(source, target.project));
  }
  return brought;
}

const SHEET = /<style\b[\s\S]*?(?:<\/style\s*>|$)/gi;
const TAG = /<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi;
const QUOTED_OR_STYLE = /"[^"]*"|'[^']*'|\sstyle(?=\s*=)/gi;

/** Reads pasted HTML; see {@link PASTED_STYLE}. */
const parsed = (html: string): Document =>
  new window.DOMParser().parseFromString(
    html
      .replace(SHEET, '')
      .replace(TAG, (tag) =>
        tag.replace(QUOTED_OR_STYLE, (part) => (/^["']/.test(part) ? part : ` ${PASTED_STYLE}`)),
      ),
    'text/html',
  );

/** What a clipboard has, as the service reads it: word processors and other editors write HTML of their own. */
function readableHtml(html: string, target: Target): string {
  const { body } = parsed(html);
  // What is copied from a page of the service names its asset.
  for (const image of body.querySelectorAll('figure[data-asset] img')) image.remove();
  const pictures = bringPictures(body, target);
  const tally = new HtmlTally();
  // Elements of browsers have what the conversion uses; the types of their lists differ.
  cleanHtml(body as unknown as HtmlElement, { tally, pictures, entries: new Map(), ownMedia: [] });
  const lost = tally.droppedTags.get('img') ?? 0;
  if (lost > 0) notify(t('rich.picturesLost', { count: lost }));
  for (const element of body.querySelectorAll(`[${PASTED_STYLE}]`)) writeStyle(element);
  return body.innerHTML;
}

/** An address alone. */
const ADDRESS = /^(?:https?:\/\/|mailto:|tel:)\S+$/i;

/** Links the selection to the address that is pasted on it. */
function pasteLink(view: EditorView, data: DataTransfer): boolean {
  const href = data.getData('text/plain').trim();
  const { empty, $from } = view.state.selection;
  const isPossible = !empty && $from.parent.type.allowsMarkType(markType('link'));
  if (!isPossible || !ADDRESS.test(href) || !isSafeHref(href)) return false;
  return setLink({ href, anchor: null })(view.state, view.dispatch);
}

/** Files, unless they picture the text that is beside them: word processors and tables write both. */
function filesIn(data: DataTransfer, target: Target): File[] {
  const { body } = parsed(data.getData('text/html'));
  const hasText = (body.textContent ?? '').trim() !== '';
  return hasText ? [] : [...data.files].filter(({ type }) => allows(target, type));
}

const embeds = (files: readonly File[], { project }: Target): Node[] =>
  files.map((file) => nodeType('assetEmbed').create({ assetId: bringPicture(file, project) }));

/** What is pasted and dropped: text of other programs, addresses, and files, which are uploaded. */
export const pasting = (target: () => Target): EditorProps => ({
  transformPastedHTML: (html) => readableHtml(html, target()),
  handlePaste: (view, { clipboardData: data }) => {
    if (data === null) return false;
    const files = filesIn(data, target());
    if (files.length === 0) return pasteLink(view, data);
    const { tr } = view.state;
    for (const embed of embeds(files, target())) tr.replaceSelectionWith(embed);
    view.dispatch(tr.scrollIntoView());
    return true;
  },
  handleDrop: (view, event) => {
    const files = event.dataTransfer === null ? [] : filesIn(event.dataTransfer, target());
    const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
    if (files.length === 0 || at === null) return false;
    event.preventDefault();
    const $at = view.state.doc.resolve(at.pos);
    // Before or after the block that it is dropped on.
    const isAbove = $at.parentOffset * 2 < $at.parent.content.size;
    const place = $at.depth === 0 ? at.pos : isAbove ? $at.before() : $at.after();
    view.dispatch(view.state.tr.insert(place, embeds(files, target())));
    return true;
  },
});

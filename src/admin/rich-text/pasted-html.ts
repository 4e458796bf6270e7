import type { HtmlElement } from '../../content/rich-text/html/html-dom.js';
import { HtmlTally } from '../../content/rich-text/html/html-tally.js';
import { normalizeHtml } from '../../content/rich-text/html/normalize-html.js';
import { isSafeHref } from '../../content/rich-text/safe-href.js';
import { declarationsOf, endsMark, markStyles } from '../../content/rich-text/mark-styles.js';
import { setLink } from './commands.js';
import { markType } from './editor-schema.js';
import type { EditorView } from 'prosemirror-view';

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

/** Writes the styles of an element as elements: the policy of the app applies no style of pasted HTML. */
function writeStyle(element: Element): void {
  const style = element.getAttribute('style');
  const styles = declarationsOf(style);
  element.removeAttribute('style');
  for (const [mark, [tag, ...others]] of Object.entries(elements)) {
    const known = markStyles[mark];
    const isOn = known?.on.test(styles.get(known.property) ?? '') === true;
    if (isOn && !wholes.has(element.localName)) {
      const wrapper = document.createElement(tag);
      wrapper.append(...element.childNodes);
      element.append(wrapper);
    }
    const isPlain = [tag, ...others].includes(element.localName) && endsMark(mark, style);
    if (isPlain) element.replaceWith(...element.childNodes);
  }
}

/** What a clipboard has, as the service reads it: word processors and other editors write HTML of their own. */
export function pastedHtml(html: string): string {
  const { body } = new window.DOMParser().parseFromString(html, 'text/html');
  // Elements of browsers have what the conversion uses; the types of their lists differ.
  normalizeHtml(body as unknown as HtmlElement, new HtmlTally());
  for (const element of body.querySelectorAll('[style]')) writeStyle(element);
  return body.innerHTML;
}

/** An address alone. */
const ADDRESS = /^(?:https?:\/\/|mailto:|tel:)\S+$/i;

/** Links the selection to the address that is pasted on it. */
export function pastedLink(view: EditorView, { clipboardData }: ClipboardEvent): boolean {
  const href = clipboardData?.getData('text/plain').trim() ?? '';
  const { empty, $from } = view.state.selection;
  const isPossible = !empty && $from.parent.type.allowsMarkType(markType('link'));
  if (!isPossible || !ADDRESS.test(href) || !isSafeHref(href)) return false;
  return setLink({ href, anchor: null })(view.state, view.dispatch);
}

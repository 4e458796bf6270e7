import { elementsOf, isElement, retag, unwrap, type HtmlElement } from './html-dom.js';
import type { HtmlTally } from './html-tally.js';

/** Text that the storage format keeps in sections, which HTML reads as comments. */
const section = /^\[CDATA\[([\s\S]*)\]\]$/;

const emptyTag = /<((?:ac|ri):[\w-]+|time)(\s[^<>]*)?\/>/g;

/** Closes the empty elements of the storage format, which is XML; HTML leaves them open. */
export const closeEmptyTags = (html: string): string =>
  /<(?:ac|ri):/.test(html) ? html.replace(emptyTag, '<$1$2></$1>') : html;

/** The text of a body, from sections and other text. */
function plainText(body: HtmlElement): string {
  return [...body.childNodes]
    .map(
      (node) =>
        section.exec(node.textContent ?? '')?.[1] ?? (isElement(node) ? '' : (node.textContent ?? '')),
    )
    .join('')
    .trim();
}

const childOf = (element: HtmlElement, tag: string): HtmlElement | undefined =>
  [...element.children].find(({ localName }) => localName === tag);

const parameter = (macro: HtmlElement, name: string): string | undefined =>
  [...macro.children]
    .find((one) => one.localName === 'ac:parameter' && one.getAttribute('ac:name') === name)
    ?.textContent?.trim();

const remarks: ReadonlySet<string> = new Set(['info', 'note', 'warning', 'tip', 'panel']);

function replaceCode(macro: HtmlElement, body: HtmlElement): void {
  const pre = macro.ownerDocument.createElement('pre');
  const code = macro.ownerDocument.createElement('code');
  const language = parameter(macro, 'language');
  if (language !== undefined && /^\S{1,100}$/.test(language))
    code.setAttribute('class', `language-${language}`);
  code.append(plainText(body));
  pre.append(code);
  macro.replaceWith(pre);
}

function replaceMacro(macro: HtmlElement, tally: HtmlTally): void {
  const name = macro.getAttribute('ac:name') ?? '';
  const code = childOf(macro, 'ac:plain-text-body');
  if (code !== undefined) return replaceCode(macro, code);
  const title = parameter(macro, 'title');
  for (const one of [...macro.children]) if (one.localName === 'ac:parameter') one.remove();
  if (name === 'status' && title !== undefined) return macro.replaceWith(title);
  const body = childOf(macro, 'ac:rich-text-body');
  if (body === undefined) {
    tally.dropTag(`ac:structured-macro ${name}`);
    return macro.remove();
  }
  unwrap(body);
  if (title !== undefined && title !== '') {
    const heading = macro.ownerDocument.createElement('p');
    const strong = macro.ownerDocument.createElement('strong');
    strong.append(title);
    heading.append(strong);
    macro.prepend(heading);
  }
  retag(macro, remarks.has(name) ? 'blockquote' : 'div');
}

/** Links to pages and files of the wiki lead nowhere else; their text stays. */
function replaceLink(link: HtmlElement, tally: HtmlTally): void {
  const body = childOf(link, 'ac:plain-text-link-body') ?? childOf(link, 'ac:link-body');
  const target = [...link.children].find(({ localName }) => localName.startsWith('ri:'));
  const named = target?.getAttribute('ri:content-title') ?? target?.getAttribute('ri:filename') ?? '';
  tally.dropTag('ac:link');
  if (body?.localName === 'ac:link-body') link.replaceWith(...body.childNodes);
  else link.replaceWith(body === undefined ? named : plainText(body));
}

function replaceTask(task: HtmlElement): void {
  const isDone = childOf(task, 'ac:task-status')?.textContent?.trim() === 'complete';
  const body = childOf(task, 'ac:task-body');
  for (const one of [...task.children]) if (one !== body) one.remove();
  if (body !== undefined) unwrap(body);
  task.prepend(isDone ? '☑ ' : '☐ ');
  retag(task, 'li');
}

/** A picture from a URL; attachments have none. */
function replaceImage(image: HtmlElement): void {
  const url = childOf(image, 'ri:url')?.getAttribute('ri:value');
  if (url === null || url === undefined) return;
  const shown = image.ownerDocument.createElement('img');
  shown.setAttribute('src', url);
  const alt = image.getAttribute('ac:alt');
  if (alt !== null) shown.setAttribute('alt', alt);
  image.replaceWith(shown);
}

const replacements: Readonly<Record<string, (element: HtmlElement, tally: HtmlTally) => void>> = {
  'ac:structured-macro': replaceMacro,
  'ac:link': replaceLink,
  'ac:image': replaceImage,
  'ac:task-list': (list) => void retag(list, 'ul'),
  'ac:task': replaceTask,
  time: (time) => {
    if (time.textContent === '') time.append(time.getAttribute('datetime') ?? '');
  },
};

/** Rewrites macros, links and tasks of Confluence's storage format. Inner ones come first. */
export function rewriteConfluence(root: HtmlElement, tally: HtmlTally): void {
  for (const element of elementsOf(root).reverse()) replacements[element.localName]?.(element, tally);
}

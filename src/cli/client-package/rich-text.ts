import { escapeHtml } from '../../content/rich-text/to-html.js';
import { richTextParts } from './rich-text-parts.js';
import type { RichTextElement, RichTextOrigin, RichTextPart, RichTextValue } from './rich-text-types.js';

export { richTextParts };
export type * from './rich-text-types.js';

/** What a hook gets: the element that would be written, and what it would contain. */
export interface RichTextHooked<Out> extends RichTextOrigin {
  readonly tag: string;
  readonly attributes: RichTextElement['attributes'];
  readonly children: Out;
}

type Hook<Out> = (element: RichTextHooked<Out>) => Out | undefined;

/** Write elements in another way. Undefined writes the element as it is. */
export interface RichTextHooks<Out> {
  readonly link?: Hook<Out> | undefined;
  /** `entryEmbed`, `assetEmbed` and `entryMention`. */
  readonly embed?: Hook<Out> | undefined;
  /** Other nodes and marks by name, such as `heading`, `codeBlock` and `bold`. */
  readonly nodes?: Readonly<Record<string, Hook<Out> | undefined>> | undefined;
}

/** How a framework writes elements. */
export interface RichTextTarget<Out> {
  text(text: string): Out;
  join(parts: readonly Out[]): Out;
  element(element: RichTextElement, children: readonly Out[], key: number): Out;
}

/** The hook for an element, if there is one. */
export function hookOf<H>(
  { origin }: RichTextElement,
  hooks: { readonly link?: H; readonly embed?: H; readonly nodes?: Readonly<Record<string, H>> | undefined },
): H | undefined {
  if (origin === undefined) return undefined;
  if (origin.kind !== 'node') return hooks[origin.kind];
  return hooks.nodes !== undefined && Object.hasOwn(hooks.nodes, origin.name)
    ? hooks.nodes[origin.name]
    : undefined;
}

/** Writes the elements of a text with a framework. */
export function renderParts<Out>(
  parts: readonly RichTextPart[],
  target: RichTextTarget<Out>,
  hooks: RichTextHooks<Out>,
): Out[] {
  return parts.map((part, key) => {
    if (typeof part === 'string') return target.text(part);
    const children = renderParts(part.children, target, hooks);
    const { origin, tag, attributes } = part;
    const hook = hookOf(part, hooks);
    const own = origin && hook?.({ ...origin, tag, attributes, children: target.join(children) });
    return own ?? target.element(part, children, key);
  });
}

const isVoid = (tag: string): boolean => tag === 'br' || tag === 'hr' || tag === 'img';

const html: RichTextTarget<string> = {
  text: escapeHtml,
  join: (parts) => parts.join(''),
  element: ({ tag, attributes }, children) => {
    const written = Object.entries(attributes).map(
      ([name, value]) => ` ${name}="${escapeHtml(String(value))}"`,
    );
    return `<${tag}${written.join('')}>${isVoid(tag) ? '' : `${children.join('')}</${tag}>`}`;
  },
};

/**
 * The HTML of a text, every value escaped. It equals `html` of the value where no hook writes something else.
 * @param hooks return HTML: escape what is not
 */
export const richTextHtml = (value: RichTextValue, hooks: RichTextHooks<string> = {}): string =>
  renderParts(richTextParts(value), html, hooks).join('');

export { escapeHtml };

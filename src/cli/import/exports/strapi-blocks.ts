import type { RichTextMark, RichTextNode } from '../../../../contracts/rich-text.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import { isSafeHref } from '../../../content/rich-text/safe-href.js';
import type { AssetLink } from './export-source.js';

type Node = Readonly<Record<string, unknown>>;

export interface StrapiTextContext {
  /** Undefined if the export does not have it. */
  assetOf(image: Node): AssetLink | undefined;
  lose(what: string, why: string): void;
}

const decorators = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  strikethrough: 'strike',
  code: 'code',
} as const;

const LEVELS = 20;

const childrenOf = ({ children }: Node): Node[] => (Array.isArray(children) ? children.filter(isObject) : []);

/** Rich text of Strapi 5: blocks with texts and links. */
class StrapiText {
  constructor(private readonly context: StrapiTextContext) {}

  block(node: Node): RichTextNode[] {
    const { type } = node;
    if (type === 'paragraph') return [{ type: 'paragraph', ...this.#inline(node) }];
    if (type === 'heading') {
      const level = Math.min(6, Math.max(1, Math.trunc(Number(node.level)) || 1));
      return [{ type: 'heading', attrs: { level }, ...this.#inline(node) }];
    }
    if (type === 'quote')
      return [{ type: 'blockquote', content: [{ type: 'paragraph', ...this.#inline(node) }] }];
    if (type === 'list') return this.#list(node, 1);
    if (type === 'code') return [this.#code(node)];
    if (type === 'image') return this.#image(node);
    this.#loseNode('block', type);
    return [];
  }

  #loseNode(what: string, type: unknown): void {
    this.context.lose(`the ${what} ${String(type).slice(0, 100)}`, 'Rich text has no such node.');
  }

  /** Lists within a list follow the item that they belong to. */
  #list(node: Node, level: number): RichTextNode[] {
    if (level > LEVELS) {
      this.context.lose('a list', `It is nested deeper than ${String(LEVELS)} levels.`);
      return [];
    }
    const items: (RichTextNode & { content: RichTextNode[] })[] = [];
    for (const child of childrenOf(node)) {
      if (child.type === 'list') {
        const inner = this.#list(child, level + 1);
        const last = items.at(-1);
        if (last === undefined) items.push({ type: 'listItem', content: inner });
        else last.content.push(...inner);
      } else items.push({ type: 'listItem', content: [{ type: 'paragraph', ...this.#inline(child) }] });
    }
    const filled = items.filter(({ content }) => content.length > 0);
    const type = node.format === 'ordered' ? 'orderedList' : 'bulletList';
    return filled.length === 0 ? [] : [{ type, content: filled }];
  }

  #code(node: Node): RichTextNode {
    const text = childrenOf(node)
      .map((child) => (typeof child.text === 'string' ? child.text : ''))
      .join('');
    const { language } = node;
    return {
      type: 'codeBlock',
      ...(typeof language === 'string' && language !== '' && { attrs: { language: language.slice(0, 100) } }),
      ...(text !== '' && { content: [{ type: 'text', text }] }),
    };
  }

  #image({ image }: Node): RichTextNode[] {
    const given = isObject(image) ? image : {};
    const asset = this.context.assetOf(given);
    if (asset === undefined) {
      this.context.lose(`the picture ${String(given.url).slice(0, 200)}`, 'The export does not have it.');
      return [];
    }
    const [alt, caption] = [given.alternativeText, given.caption].map((text) =>
      typeof text === 'string' ? text.slice(0, 1000) : undefined,
    );
    return [
      { type: 'assetEmbed', attrs: { assetId: asset, ...(alt && { alt }), ...(caption && { caption }) } },
    ];
  }

  #inline(node: Node): { content?: RichTextNode[] } {
    const content = childrenOf(node).flatMap((child): RichTextNode[] => {
      if (child.type === 'link') return this.#link(child);
      if (child.type === 'text') return this.#text(child, []);
      this.#loseNode('inline node', child.type);
      return [];
    });
    return content.length === 0 ? {} : { content };
  }

  #link(node: Node): RichTextNode[] {
    const { url } = node;
    const isAllowed = typeof url === 'string' && isSafeHref(url);
    if (!isAllowed)
      this.context.lose(
        `the link to ${String(url).slice(0, 200)}`,
        'Its address is not allowed. The words are kept.',
      );
    const marks = isAllowed ? [{ type: 'link', attrs: { href: url } }] : [];
    return childrenOf(node).flatMap((child) => this.#text(child, marks));
  }

  /** Line breaks within a text are nodes. */
  #text(node: Node, outer: readonly RichTextMark[]): RichTextNode[] {
    const own = Object.entries(decorators).flatMap(([name, type]) => (node[name] === true ? [{ type }] : []));
    const marks = [...outer, ...own];
    const lines = typeof node.text === 'string' ? node.text.split(/\r?\n/) : [];
    return lines.flatMap((text, index): RichTextNode[] => [
      ...(index > 0 ? [{ type: 'hardBreak' }] : []),
      ...(text === '' ? [] : [{ type: 'text', text, ...(marks.length > 0 && { marks }) }]),
    ]);
  }
}

/** Undefined for one without content. */
export function readStrapiBlocks(
  blocks: readonly unknown[],
  context: StrapiTextContext,
): RichTextNode | undefined {
  const reader = new StrapiText(context);
  const content = blocks.filter(isObject).flatMap((block) => reader.block(block));
  return content.length === 0 ? undefined : { type: 'doc', content };
}

import type { RichTextMark, RichTextNode } from '../../../../contracts/rich-text.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import { isSafeHref } from '../../../content/rich-text/safe-href.js';
import type { AssetLink, EntryLink } from './export-source.js';

type Item = Readonly<Record<string, unknown>>;

export interface PortableContext {
  /** Undefined, and reported, if the export does not have it. */
  entryOf(reference: Item): EntryLink | undefined;
  /** Undefined for what is no picture or file. */
  assetOf(value: Item): AssetLink | undefined;
  lose(what: string, why: string): void;
}

const decorators: Readonly<Record<string, string>> = {
  strong: 'bold',
  em: 'italic',
  underline: 'underline',
  'strike-through': 'strike',
  code: 'code',
  sup: 'superscript',
  sub: 'subscript',
};

const rules: ReadonlySet<unknown> = new Set(['break', 'hr', 'divider', 'horizontalRule']);
const LEVELS = 20;

export const isReference = (value: unknown): value is Item & { readonly _ref: string } =>
  isObject(value) && typeof value._ref === 'string';

const itemsOf = (value: unknown): Item[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Portable Text: blocks with spans, whose marks are decorators or keys of definitions. */
class PortableText {
  constructor(private readonly context: PortableContext) {}

  read(blocks: readonly Item[]): RichTextNode[] {
    const nodes: RichTextNode[] = [];
    for (let at = 0; at < blocks.length;) {
      const block = blocks[at] ?? {};
      if (block._type === 'block' && typeof block.listItem === 'string') {
        const end = blocks.findIndex(
          (one, index) => index > at && (one._type !== 'block' || typeof one.listItem !== 'string'),
        );
        const items = blocks.slice(at, end < 0 ? blocks.length : end);
        nodes.push(...this.#lists(items, 1));
        at += items.length;
      } else {
        nodes.push(...this.#block(block));
        at += 1;
      }
    }
    return nodes;
  }

  /** Items follow each other; their levels nest them. */
  #lists(items: readonly Item[], level: number): RichTextNode[] {
    const lists: { kind: unknown; node: RichTextNode & { content: RichTextNode[] } }[] = [];
    for (let at = 0; at < items.length;) {
      const item = items[at] ?? {};
      const own = typeof item.level === 'number' && level < LEVELS ? item.level : level;
      const last = lists.at(-1);
      if (own > level) {
        const end = items.findIndex(
          (one, index) => index > at && (typeof one.level === 'number' ? one.level : 1) <= level,
        );
        const inner = items.slice(at, end < 0 ? items.length : end);
        const nested = this.#lists(inner, level + 1);
        const parent = last?.node.content.at(-1);
        if (parent === undefined)
          lists.push({
            kind: undefined,
            node: { type: 'bulletList', content: [{ type: 'listItem', content: nested }] },
          });
        else parent.content?.push(...nested);
        at += inner.length;
        continue;
      }
      const node = {
        type: 'listItem',
        content: [{ type: 'paragraph', ...this.#inline(item) }] as RichTextNode[],
      };
      if (last?.kind === item.listItem) last?.node.content.push(node);
      else
        lists.push({
          kind: item.listItem,
          node: { type: item.listItem === 'number' ? 'orderedList' : 'bulletList', content: [node] },
        });
      at += 1;
    }
    return lists.map(({ node }) => node);
  }

  #block(block: Item): RichTextNode[] {
    const type = block._type;
    if (type === 'block') {
      const style = typeof block.style === 'string' ? block.style : 'normal';
      const inline = this.#inline(block);
      const level = /^h([1-6])$/.exec(style)?.[1];
      if (level !== undefined) return [{ type: 'heading', attrs: { level: Number(level) }, ...inline }];
      if (style === 'blockquote')
        return [{ type: 'blockquote', content: [{ type: 'paragraph', ...inline }] }];
      if (style !== 'normal')
        this.context.lose(
          `the style ${style.slice(0, 100)}`,
          'Rich text has no such style. It is a paragraph.',
        );
      return [{ type: 'paragraph', ...inline }];
    }
    const asset = this.context.assetOf(block);
    if (asset !== undefined) {
      const [alt, caption] = [block.alt, block.caption].map((text) =>
        typeof text === 'string' ? text.slice(0, 1000) : undefined,
      );
      return [
        { type: 'assetEmbed', attrs: { assetId: asset, ...(alt && { alt }), ...(caption && { caption }) } },
      ];
    }
    if (isReference(block)) {
      const entry = this.context.entryOf(block);
      return entry === undefined ? [] : [{ type: 'entryEmbed', attrs: { entryId: entry } }];
    }
    if (type === 'code' && typeof block.code === 'string') {
      const attrs =
        typeof block.language === 'string' ? { attrs: { language: block.language.slice(0, 100) } } : {};
      return [
        {
          type: 'codeBlock',
          ...attrs,
          ...(block.code !== '' && { content: [{ type: 'text', text: block.code }] }),
        },
      ];
    }
    if (rules.has(type)) return [{ type: 'horizontalRule' }];
    this.context.lose(`the block ${String(type).slice(0, 100)}`, 'Rich text has no such block.');
    return [];
  }

  #inline(block: Item): { content?: RichTextNode[] } {
    const definitions = new Map(itemsOf(block.markDefs).map((one) => [one._key, one]));
    const content = itemsOf(block.children).flatMap((child): RichTextNode[] => {
      if (child._type === 'span') return this.#span(child, definitions);
      const entry = isReference(child) ? this.context.entryOf(child) : undefined;
      if (entry !== undefined) return [{ type: 'entryMention', attrs: { entryId: entry } }];
      if (!isReference(child))
        this.context.lose(
          `the inline object ${String(child._type).slice(0, 100)}`,
          'Rich text has no such object.',
        );
      return [];
    });
    return content.length === 0 ? {} : { content };
  }

  #span({ text, marks }: Item, definitions: ReadonlyMap<unknown, Item>): RichTextNode[] {
    if (typeof text !== 'string' || text === '') return [];
    const names = Array.isArray(marks) ? [...new Set(marks.map(String))] : [];
    const read = names.flatMap((name): RichTextMark[] => {
      const decorator = Object.hasOwn(decorators, name) ? decorators[name] : undefined;
      if (decorator !== undefined) return [{ type: decorator }];
      const definition = definitions.get(name);
      if (definition !== undefined) return this.#link(definition);
      this.context.lose(`the mark ${name.slice(0, 100)}`, 'Rich text has no such mark. The words are kept.');
      return [];
    });
    return text
      .split('\n')
      .flatMap((line, index): RichTextNode[] => [
        ...(index > 0 ? [{ type: 'hardBreak' }] : []),
        ...(line === '' ? [] : [{ type: 'text', text: line, ...(read.length > 0 && { marks: read }) }]),
      ]);
  }

  #link(definition: Item): RichTextMark[] {
    const { href } = definition;
    if (typeof href === 'string' && isSafeHref(href)) return [{ type: 'link', attrs: { href } }];
    const reference = [definition, ...Object.values(definition)].find(isReference);
    const entry = reference === undefined ? undefined : this.context.entryOf(reference);
    if (entry !== undefined) return [{ type: 'link', attrs: { entryId: entry } }];
    if (reference === undefined)
      this.context.lose(
        `the annotation ${String(definition._type).slice(0, 100)}`,
        typeof href === 'string'
          ? 'Its address is not allowed. The words are kept.'
          : 'Rich text has no such annotation. The words are kept.',
      );
    return [];
  }
}

/** Undefined for one without content. */
export function readPortableText(
  blocks: readonly unknown[],
  context: PortableContext,
): RichTextNode | undefined {
  const content = new PortableText(context).read(itemsOf(blocks));
  return content.length === 0 ? undefined : { type: 'doc', content };
}

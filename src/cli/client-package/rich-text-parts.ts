import { isSafeHref } from '../../content/rich-text/safe-href.js';
import { baseName, markOrder, markTags, simpleTags } from '../../content/rich-text/vocabulary.js';
import { shownIn, type Shown } from './rich-text-shown.js';
import type {
  RichTextElement,
  RichTextMark,
  RichTextNode,
  RichTextOrigin,
  RichTextPart,
  RichTextValue,
} from './rich-text-types.js';

/** Nodes below this level are left out; documents of the service are not as deep. */
const MAXIMUM_DEPTH = 250;

type Attributes = Readonly<Record<string, unknown>>;

const asAttributes = (value: unknown): Attributes =>
  typeof value === 'object' && value !== null ? (value as Attributes) : {};
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const list = <T>(value: readonly T[] | undefined): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [];
const whole = (value: unknown, min: number, max: number): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined;
const url = (value: unknown): string | undefined =>
  typeof value === 'string' && isSafeHref(value) ? value : undefined;

function element(
  tag: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  children: readonly RichTextPart[],
): RichTextElement {
  const known = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return { tag, attributes: Object.fromEntries(known) as RichTextElement['attributes'], children };
}

/** Attributes of cells that are 1 say nothing. */
const spanOf = (value: unknown): number | undefined => whole(value, 2, 1000);

interface Run {
  readonly node: RichTextNode;
  readonly marks: readonly {
    readonly key: string;
    readonly mark: RichTextMark;
    readonly part: RichTextElement;
  }[];
}

class Tree {
  constructor(private readonly shown: Shown) {}

  children(nodes: readonly RichTextNode[] | undefined, depth: number): RichTextPart[] {
    if (depth > MAXIMUM_DEPTH) return [];
    const runs = list(nodes).filter((node) => typeof asAttributes(node).type === 'string');
    return this.#within(
      runs.map((node) => ({ node, marks: this.#marksOf(node) })),
      { level: 0, depth },
    );
  }

  /** Siblings share the elements of common marks: a link with a bold word stays one link. */
  #within(runs: readonly Run[], { level, depth }: { level: number; depth: number }): RichTextPart[] {
    const parts: RichTextPart[] = [];
    const add = (part: RichTextPart): void => {
      const last = parts.at(-1);
      if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
      else if (part !== '') parts.push(part);
    };
    for (let from = 0; from < runs.length;) {
      const { node, marks } = runs[from]!;
      const opened = marks[level];
      let to = from + 1;
      if (opened === undefined) this.#node(node, depth).forEach(add);
      else {
        while (to < runs.length && runs[to]?.marks[level]?.key === opened.key) to += 1;
        const inner = this.#within(runs.slice(from, to), { level: level + 1, depth });
        this.#mark(opened, inner).forEach(add);
      }
      from = to;
    }
    return parts;
  }

  /** A mention is a link itself, and links do not nest. */
  #marksOf(node: RichTextNode): Run['marks'] {
    const isMention = baseName(node.type) === 'entryMention';
    return list(node.marks)
      .filter((mark) => typeof asAttributes(mark).type === 'string')
      .map((mark) => ({ mark, name: baseName(mark.type) }))
      .filter(({ name }) => Object.hasOwn(markTags, name) && !(isMention && name === 'link'))
      .sort((a, b) => markOrder.indexOf(a.name) - markOrder.indexOf(b.name))
      .map(({ mark, name }) => {
        const attributes = name === 'link' ? this.#linkAttributes(asAttributes(mark.attrs)) : {};
        const part = element(markTags[name] ?? '', attributes, []);
        return { mark, part, key: JSON.stringify([part.tag, part.attributes]) };
      });
  }

  #linkAttributes(attrs: Attributes): Readonly<Record<string, string | undefined>> {
    const { entryId, assetId, anchor, href, title, target, rel } = attrs;
    const words = /^[A-Za-z -]*$/.test(text(rel) ?? '') ? (text(rel) ?? '').split(' ').filter(Boolean) : [];
    const all = target === '_blank' ? [...new Set([...words, 'noopener', 'noreferrer'])] : words;
    const id = text(entryId) ?? text(assetId);
    return {
      'data-entry': text(entryId),
      'data-asset': text(assetId),
      'data-anchor': text(anchor),
      href: id === undefined ? url(href) : url(this.shown.hrefOf(id, text(anchor))),
      title: text(title),
      target: /^_(?:blank|self|parent|top)$/.test(text(target) ?? '') ? text(target) : undefined,
      rel: all.length > 0 ? all.join(' ') : undefined,
    };
  }

  /** Of a link to what readers cannot see only the label remains. */
  #mark({ mark, part }: Run['marks'][number], children: readonly RichTextPart[]): readonly RichTextPart[] {
    const name = baseName(mark.type);
    if (name !== 'link') return [{ ...part, children, origin: { kind: 'node', name, node: mark } }];
    const { entryId, assetId } = asAttributes(mark.attrs);
    const id = text(entryId) ?? text(assetId);
    if (part.attributes.href === undefined && (id === undefined || this.shown.isShown)) return children;
    return [{ ...part, children, origin: { kind: 'link', name, node: mark, ...this.#named(id) } }];
  }

  #named(id: string | undefined): Pick<RichTextOrigin, 'id' | 'link'> {
    return id === undefined ? {} : { id, link: this.shown.linkOf(id) };
  }

  #node(node: RichTextNode, depth: number): readonly RichTextPart[] {
    const name = baseName(node.type);
    if (name === 'text') return [text(node.text) ?? ''];
    const attrs = asAttributes(node.attrs);
    const children = this.children(node.content, depth + 1);
    const found = this.#embed(name, attrs) ?? blockOf(name, attrs, children);
    if (found === undefined) return children;
    const id = text(attrs.entryId) ?? text(attrs.assetId);
    const isEmbed = name === 'entryMention' || name === 'entryEmbed' || name === 'assetEmbed';
    const origin: RichTextOrigin = isEmbed
      ? { kind: 'embed', name, node, ...this.#named(id) }
      : { kind: 'node', name, node };
    return [{ ...found, origin }];
  }

  #embed(name: string, attrs: Attributes): RichTextElement | undefined {
    const id = text(attrs.entryId) ?? text(attrs.assetId) ?? '';
    const title = this.shown.linkOf(id)?.title ?? '';
    const href = url(this.shown.hrefOf(id));
    if (name === 'entryMention') {
      const label = title === '' ? [] : [title];
      return element(href === undefined ? 'span' : 'a', { 'data-mention': id, href }, label);
    }
    if (name === 'entryEmbed') {
      const label = title === '' ? [] : [title];
      return element(
        'figure',
        { 'data-entry': id },
        href === undefined ? label : [element('a', { href }, label)],
      );
    }
    if (name !== 'assetEmbed') return undefined;
    const picture = this.shown.nextPicture(id);
    const caption = text(attrs.caption) ?? '';
    return element(
      'figure',
      { 'data-asset': id, 'data-alt': text(attrs.alt), 'data-align': alignOf(attrs) },
      [
        ...(picture === undefined || (picture.url !== undefined && !isSafeHref(picture.url))
          ? []
          : [picture.part]),
        ...(caption === '' ? [] : [element('figcaption', {}, [caption])]),
      ],
    );
  }
}

const alignOf = ({ align }: Attributes): string | undefined =>
  /^(?:left|center|right|full)$/.test(text(align) ?? '') ? text(align) : undefined;

function blockOf(
  name: string,
  attrs: Attributes,
  children: readonly RichTextPart[],
): RichTextElement | undefined {
  const { level, language, colspan, rowspan } = attrs;
  if (Object.hasOwn(simpleTags, name)) return element(simpleTags[name] ?? '', {}, children);
  switch (name) {
    case 'hardBreak':
      return element('br', {}, []);
    case 'horizontalRule':
      return element('hr', {}, []);
    case 'heading':
      return element(`h${String(whole(level, 1, 6) ?? 1)}`, {}, children);
    case 'orderedList': {
      const start = whole(attrs.start ?? attrs.order, 0, 1_000_000);
      return element('ol', { start: start === 1 ? undefined : start }, children);
    }
    case 'codeBlock': {
      const named = text(language) === undefined ? undefined : `language-${text(language) ?? ''}`;
      return element('pre', {}, [element('code', { class: named }, children)]);
    }
    case 'table':
      return element('table', {}, [element('tbody', {}, children)]);
    case 'tableHeader':
    case 'tableCell':
      return element(
        name === 'tableCell' ? 'td' : 'th',
        { colspan: spanOf(colspan), rowspan: spanOf(rowspan) },
        children,
      );
    default:
      return undefined;
  }
}

/** The elements of a text: what every renderer writes. URLs are checked, unknown nodes are left out with their attributes. */
export function richTextParts(value: RichTextValue): RichTextPart[] {
  return new Tree(shownIn(value)).children(asAttributes(value.raw).content as RichTextNode['content'], 0);
}

import { limits } from '../../../../contracts/limits.js';
import type { RichTextMark, RichTextNode } from '../../../../contracts/rich-text.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import { isSafeHref } from '../../../content/rich-text/safe-href.js';
import { AssetLink, EntryLink } from './export-source.js';

/** Reports a loss in the value that is being read. */
export type Lose = (what: string, why: string, remedy: string) => void;

/** What links of the export lead to. */
export interface LinkTargets {
  /** Content types by id of the entry. */
  readonly entryTypes: ReadonlyMap<string, string>;
  readonly assets: ReadonlySet<string>;
}

const DEPTH = 50;
const EDIT = 'Edit the entry after the import.';

/** Reads values of entries, which may have any form, into those of the fields. */
export class ContentfulValues {
  constructor(
    private readonly targets: LinkTargets,
    private readonly lose: Lose,
  ) {}

  /** Undefined if there is none, or none that can be kept. @param type of the field, `Date` or `Array` … */
  read(type: string, value: unknown): unknown {
    if (value === undefined || value === null) return undefined;
    if (type === 'Array') return this.#list(value);
    if (type === 'Link') return this.#link(value);
    if (type === 'RichText') return this.#richText(value);
    if (type === 'Date') return this.#time(value);
    if (type === 'Location') return this.#place(value);
    return isDeep(value) ? this.#malformed(`nested at most ${String(limits.jsonDepth)} levels deep`) : value;
  }

  #list(value: unknown): unknown {
    if (!Array.isArray(value)) return this.#malformed('a list');
    const items = value.flatMap((item: unknown) => {
      const read: unknown = isObject(item) ? this.#link(item) : item;
      return read === undefined || read === null ? [] : [read];
    });
    return items.length === 0 ? undefined : items;
  }

  #malformed(what: string): undefined {
    this.lose('the value', `It is not ${what}.`, EDIT);
  }

  #link(value: unknown): AssetLink | EntryLink | undefined {
    const sys = isObject(value) && isObject(value.sys) ? value.sys : {};
    const { linkType, id } = sys;
    if (typeof id !== 'string' || (linkType !== 'Entry' && linkType !== 'Asset'))
      return this.#malformed('a link to an entry or asset of the export');
    const type = linkType === 'Asset' ? 'MediaAsset' : this.targets.entryTypes.get(id);
    if (type === undefined || (linkType === 'Asset' && !this.targets.assets.has(id))) {
      this.lose(`the link to ${linkType.toLowerCase()} ${id}`, 'The export does not have it.', EDIT);
      return undefined;
    }
    return linkType === 'Asset' ? new AssetLink(id) : new EntryLink(type, id);
  }

  /** Times lack seconds, and some an offset. */
  #time(value: unknown): string | undefined {
    const [, day, minutes = '00:00', seconds = ':00', offset] =
      /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(String(value)) ?? [];
    if (day === undefined) return this.#malformed('a date or time in ISO 8601');
    if (day === value) return day;
    if (offset === undefined)
      this.lose('the time zone', 'The time has none and is read as UTC.', 'Check the time.');
    return `${day}T${minutes}${seconds}${offset ?? 'Z'}`;
  }

  #place(value: unknown): unknown {
    if (!isObject(value)) return this.#malformed('a location');
    return { lat: value.lat, lng: value.lon };
  }

  #richText(value: unknown): unknown {
    if (!isObject(value) || value.nodeType !== 'document') return this.#malformed('a rich text');
    const content = this.#children(value, { depth: 0, marks: [], isInline: false });
    return content.length === 0 ? undefined : { type: 'doc', content };
  }

  #children(node: Record<string, unknown>, place: Place): RichTextNode[] {
    if (place.depth >= DEPTH) {
      this.lose('a part of the document', `It is nested deeper than ${String(DEPTH)} levels.`, EDIT);
      return [];
    }
    const content: unknown[] = Array.isArray(node.content) ? node.content : [];
    const inner = { ...place, depth: place.depth + 1 };
    const nodes = content.flatMap((child) => (isObject(child) ? this.#node(child, inner) : []));
    return place.isInline ? nodes : wrapInline(nodes);
  }

  #node(node: Record<string, unknown>, place: Place): RichTextNode[] {
    const type = String(node.nodeType);
    if (type === 'text') return this.#text(node, place.marks);
    if (Object.hasOwn(blocks, type)) return this.#block(type, node, place);
    const data = isObject(node.data) ? node.data : {};
    const target = data.target;
    if (type === 'embedded-asset-block' || type === 'embedded-entry-block')
      return this.#embed(target, { AssetLink: 'assetEmbed', EntryLink: 'entryEmbed' });
    if (type === 'embedded-entry-inline') return this.#embed(target, { EntryLink: 'entryMention' });
    const attrs = type === 'hyperlink' ? this.#href(data.uri) : this.#linked(type, target);
    const marks = attrs === undefined ? place.marks : [...place.marks, { type: 'link', attrs }];
    return this.#children(node, { ...place, marks, isInline: true });
  }

  /** Line breaks within a text are nodes. */
  #text(node: Record<string, unknown>, outer: readonly RichTextMark[]): RichTextNode[] {
    const own: unknown[] = Array.isArray(node.marks) ? node.marks : [];
    const given = own.map((mark) => (isObject(mark) ? String(mark.type) : ''));
    for (const name of given.filter((one) => !Object.hasOwn(markNames, one)))
      this.lose(`the mark ${name.slice(0, 100)}`, 'Rich text has no such mark. The words are kept.', EDIT);
    const names = new Set(given.flatMap((name) => markNames[name] ?? []));
    const all = [...outer, ...[...names].map((type) => ({ type }))];
    const lines = (typeof node.value === 'string' ? node.value : '').split(/\r?\n/);
    return lines.flatMap((text, index): RichTextNode[] => [
      ...(index > 0 ? [{ type: 'hardBreak' }] : []),
      ...(text === '' ? [] : [{ type: 'text', text, ...(all.length > 0 && { marks: all }) }]),
    ]);
  }

  #block(type: string, node: Record<string, unknown>, place: Place): RichTextNode[] {
    const block = blocks[type] ?? { type: 'paragraph' };
    if (block.isEmpty === true) return [{ type: block.type }];
    const { isInline = false, isFilled = false } = block;
    const children = this.#children(node, { ...place, isInline });
    const content = children.length === 0 && isFilled ? [{ type: 'paragraph' }] : children;
    if (content.length === 0 && !isInline) return [];
    return [
      {
        type: block.type,
        ...(block.attrs && { attrs: block.attrs }),
        ...(content.length > 0 && { content }),
      },
    ];
  }

  #embed(target: unknown, names: Partial<Record<'AssetLink' | 'EntryLink', string>>): RichTextNode[] {
    const link = this.#link(target);
    if (link === undefined) return [];
    const name = link instanceof AssetLink ? names.AssetLink : names.EntryLink;
    if (name === undefined) return [];
    return [{ type: name, attrs: link instanceof AssetLink ? { assetId: link } : { entryId: link } }];
  }

  #href(uri: unknown): Record<string, unknown> | undefined {
    if (typeof uri === 'string' && isSafeHref(uri)) return { href: uri };
    this.lose(`the link to ${String(uri).slice(0, 200)}`, 'Its address is not allowed.', EDIT);
    return undefined;
  }

  #linked(type: string, target: unknown): Record<string, unknown> | undefined {
    if (type !== 'entry-hyperlink' && type !== 'asset-hyperlink') {
      this.lose(`the node ${type.slice(0, 100)}`, 'Rich text has no such node. The words are kept.', EDIT);
      return undefined;
    }
    const link = this.#link(target);
    if (link === undefined) return undefined;
    return link instanceof AssetLink ? { assetId: link } : { entryId: link };
  }
}

/** Whether a request cannot contain the value. */
export function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.jsonDepth - 10) return true;
    level = level.flatMap((one): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
  }
  return false;
}

interface Place {
  readonly depth: number;
  readonly marks: readonly RichTextMark[];
  /** Whether the parent has inline nodes. */
  readonly isInline: boolean;
}

interface Block {
  readonly type: string;
  readonly attrs?: Record<string, unknown>;
  readonly isInline?: true;
  /** Needs a child. */
  readonly isFilled?: true;
  readonly isEmpty?: true;
}

const headings = [1, 2, 3, 4, 5, 6].map((level): [string, Block] => [
  `heading-${String(level)}`,
  { type: 'heading', attrs: { level }, isInline: true },
]);

const blocks: Readonly<Record<string, Block>> = {
  paragraph: { type: 'paragraph', isInline: true },
  ...Object.fromEntries(headings),
  blockquote: { type: 'blockquote' },
  'unordered-list': { type: 'bulletList' },
  'ordered-list': { type: 'orderedList' },
  'list-item': { type: 'listItem', isFilled: true },
  hr: { type: 'horizontalRule', isEmpty: true },
  table: { type: 'table' },
  'table-row': { type: 'tableRow' },
  'table-cell': { type: 'tableCell', isFilled: true },
  'table-header-cell': { type: 'tableHeader', isFilled: true },
};

const markNames: Readonly<Record<string, string>> = {
  bold: 'bold',
  italic: 'italic',
  underline: 'underline',
  strikethrough: 'strike',
  superscript: 'superscript',
  subscript: 'subscript',
  code: 'code',
};

const inlineNames: ReadonlySet<string> = new Set(['text', 'hardBreak', 'entryMention']);

/** Inline nodes where blocks are expected become paragraphs. */
function wrapInline(nodes: readonly RichTextNode[]): RichTextNode[] {
  const wrapped: RichTextNode[] = [];
  let open: RichTextNode[] | undefined;
  for (const node of nodes) {
    if (!inlineNames.has(node.type)) {
      open = undefined;
      wrapped.push(node);
    } else if (open === undefined) {
      open = [node];
      wrapped.push({ type: 'paragraph', content: open });
    } else open.push(node);
  }
  return wrapped;
}

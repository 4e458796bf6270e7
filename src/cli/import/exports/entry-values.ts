import type { RichTextNode } from '../../../../contracts/rich-text.js';
import { isObject } from '../../../content/exact-json/is-object.js';
import { convertRichText } from '../../../content/rich-text/html/html-to-rich-text.js';
import { AssetLink, BlockValue, EntryLink, HtmlText, type SourceVersion } from './export-source.js';
import type { ImportPlan, PlannedType } from './import-plan.js';

export interface ValueContext {
  readonly plan: ImportPlan;
  /** Ids of assets by those of the export. */
  readonly assets: ReadonlyMap<string, string>;
  /** Whether a link can be written now. False: it is written later. */
  canLink(link: EntryLink): boolean;
  lose(field: string, reason: readonly [string, string, string]): void;
}

export interface WrittenValues {
  readonly fields: Record<string, unknown>;
  /** Whether links were left out that are written later. */
  readonly isPartial: boolean;
}

const GONE = Symbol('gone');

/** Nodes of rich text that need a child. */
const filledNodes: ReadonlySet<unknown> = new Set(['blockquote', 'listItem', 'tableCell', 'tableHeader']);

/** Values of one version of an entry as the service takes them. */
export class EntryValues {
  #isPartial = false;

  constructor(private readonly context: ValueContext) {}

  /** @param isFirst whether the version has the values that locales share */
  write(type: PlannedType, version: SourceVersion, isFirst: boolean): WrittenValues {
    const fields: Record<string, unknown> = {};
    for (const field of type.fields)
      if (isFirst || field.source.localized)
        fields[field.apiName] = this.#written(field, version.fields.get(field.source.id), field.source.id);
    return { fields, isPartial: this.#isPartial };
  }

  #written({ kind }: PlannedType['fields'][number], given: unknown, place: string): unknown {
    const value = this.#resolve(given, place);
    if (value === GONE || value === undefined) return null;
    return kind === 'richText' && typeof value === 'string' ? { markdown: value } : value;
  }

  /** Replaces links, also in rich text, where a node without its target is left out. */
  #resolve(value: unknown, field: string): unknown {
    if (value instanceof EntryLink) return this.#entry(value, field);
    if (value instanceof AssetLink) {
      const id = this.context.assets.get(value.id);
      return id === undefined ? this.#gone(field, `asset ${value.id}`) : { _ref: id, _type: 'MediaAsset' };
    }
    if (value instanceof HtmlText) return this.#html(value, field);
    if (value instanceof BlockValue) return this.#block(value, field);
    if (Array.isArray(value)) {
      const items = value.map((item: unknown) => this.#resolve(item, field)).filter((item) => item !== GONE);
      return items.length === 0 && value.length > 0 ? GONE : items;
    }
    return isObject(value) ? this.#node(value, field) : value;
  }

  #block({ type: id, externalId, fields }: BlockValue, field: string): unknown {
    const type = this.context.plan.types.get(id);
    if (type === undefined) return this.#gone(field, `block ${id}`);
    const values = new Map(fields);
    const written = type.fields.map((one) => [
      one.apiName,
      this.#written(one, values.get(one.source.id), `${field}.${one.source.id}`),
    ]);
    return { _type: type.apiName, _externalId: externalId, fields: Object.fromEntries(written) as object };
  }

  #html({ html, targets }: HtmlText, field: string): unknown {
    const pictures = new Map<string, string>();
    for (const [, double, single] of html.matchAll(/<img\s[^<>]*?src=(?:"([^"<>]*)"|'([^'<>]*)')/gi)) {
      const src = decodeEntities(double ?? single ?? '');
      const id = this.context.assets.get(targets.assetOf(src) ?? '');
      if (id !== undefined) pictures.set(src, id);
      else
        this.context.lose(field, [
          `the picture ${src.slice(0, 500)}`,
          'Its file was not imported.',
          'Upload it.',
        ]);
    }
    const converted = convertRichText({ html }, { pictures });
    const messages = 'doc' in converted ? converted.warnings : converted.problems;
    for (const { message } of messages)
      this.context.lose(field, ['a part of the HTML', message, 'Edit the entry.']);
    if (!('doc' in converted)) return GONE;
    return this.#resolve(linkedDocument(converted.doc, targets.entryOf), field);
  }

  #node(node: Readonly<Record<string, unknown>>, field: string): unknown {
    const { attrs } = node;
    if (isObject(attrs) && (attrs.entryId instanceof EntryLink || attrs.assetId instanceof AssetLink)) {
      const target = this.#resolve(attrs.entryId ?? attrs.assetId, field);
      if (target === GONE) return GONE;
      const id =
        attrs.assetId === undefined ? { entryId: target } : { assetId: (target as { _ref: string })._ref };
      return { ...node, attrs: { ...attrs, ...id } };
    }
    const entries = Object.entries(node).flatMap(([key, part]) => {
      const resolved = this.#resolve(part, field);
      if (resolved !== GONE) return [[key, resolved] as const];
      return key === 'content' && filledNodes.has(node.type) ? [[key, [{ type: 'paragraph' }]] as const] : [];
    });
    return Object.fromEntries(entries);
  }

  #entry(link: EntryLink, field: string): unknown {
    const { types, source } = this.context.plan;
    const type = types.get(link.type)?.apiName ?? (source.table && link.type);
    if (type === undefined) return this.#gone(field, `entry ${link.id}`);
    if (this.context.canLink(link)) return { _external: link.id, _type: type };
    this.#isPartial = true;
    return GONE;
  }

  #gone(field: string, target: string): typeof GONE {
    this.context.lose(field, [
      `the link to ${target}`,
      'It was not imported.',
      'Import it, or edit the entry.',
    ]);
    return GONE;
  }
}

const decodeEntities = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&#038;', '&').trim();

/** Links to addresses of entries name the entries. */
function linkedDocument(node: RichTextNode, entryOf: (href: string) => EntryLink | undefined): RichTextNode {
  const marks = node.marks?.map((mark) => {
    const href = mark.type === 'link' ? mark.attrs?.href : undefined;
    const entry = typeof href === 'string' ? entryOf(href) : undefined;
    if (entry === undefined) return mark;
    const anchor = /#([^\s#]{1,200})$/.exec(String(href))?.[1];
    return { type: 'link', attrs: { entryId: entry, ...(anchor !== undefined && { anchor }) } };
  });
  const content = node.content?.map((child) => linkedDocument(child, entryOf));
  return { ...node, ...(marks && { marks }), ...(content && { content }) };
}

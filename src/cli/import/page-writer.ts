import type { BatchOutcome } from '../../../contracts/entries/entries/batch.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import { htmlToRichText } from '../../content/rich-text/html/html-to-rich-text.js';
import { HtmlTally } from '../../content/rich-text/html/html-tally.js';
import { LineProblem, type PageLine } from './read-lines.js';
import type { BatchItemInput } from './send-items.js';
import { contentHash, type PageContent, type StoredPage } from './stored-pages.js';
import type { PageFacts } from './survey.js';

export interface WriterOptions {
  readonly siteId: string;
  readonly isPublishing: boolean;
  /** By key; created pages are added. */
  readonly stored: Map<string, StoredPage>;
  readonly facts: ReadonlyMap<string, PageFacts>;
  /** Ids of assets by file; undefined if the pages have no field for them. */
  readonly pictures: ReadonlyMap<string, string> | undefined;
}

export interface WriteResult {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  readonly tally: HtmlTally;
}

export interface PageChange extends WriteResult {
  readonly key: string;
  readonly locale: string;
  /** What to send; undefined if nothing differs. */
  readonly item: BatchItemInput | undefined;
  /** Changed values that are shared by all locales. */
  readonly shared: Readonly<Record<string, unknown>>;
  /** {@link contentHash} of the locale. */
  readonly hash: string;
}

/** Links to the assets of a page, each once, and their ids by the address in its HTML. */
function picturesOf({ images }: PageLine, known: ReadonlyMap<string, string>) {
  const shown = new Map(
    images.flatMap(({ src, file }) => {
      const id = known.get(file);
      return id === undefined ? [] : [[src, id] as const];
    }),
  );
  const links = [...new Set(shown.values())].map((id) => ({ _ref: id, _type: 'MediaAsset' }));
  return { shown, links: links.length === 0 ? null : links };
}

/** @param entries ids of pages by key, to which their anchors lead */
function contentOf(
  line: PageLine,
  { known, entries = new Map() }: { known: WriterOptions['pictures']; entries?: ReadonlyMap<string, string> },
): PageContent & { readonly tally: HtmlTally } {
  const { slug, title, html } = line;
  const tally = new HtmlTally();
  try {
    if (known === undefined)
      return { slug, fields: { title, body: htmlToRichText(html, tally, { entries }) }, tally };
    const { shown, links } = picturesOf(line, known);
    const body = htmlToRichText(html, tally, { pictures: shown, entries });
    return { slug, fields: { title, body, pictures: links }, tally };
  } catch (error) {
    // The parser recurses per level and overflows the stack.
    if ((error as Error).name === 'RangeError') throw new LineProblem('its HTML is nested too deeply');
    throw error;
  }
}

/** Writes only what differs from the stored page. */
export class PageWriter {
  /** Locales that a creation has written, still to be reported as created. */
  readonly #created = new Set<string>();

  constructor(private readonly options: WriterOptions) {}

  /**
   * Creates the entry of a page without its links.
   * @param treeParentId null for the root
   */
  creation(line: PageLine, treeParentId: string | null): PageChange {
    const { siteId, facts, pictures } = this.options;
    const { tally, ...content } = contentOf(line, { known: pictures });
    const { key, locale } = line;
    const shared = { key, position: facts.get(key)?.position ?? line.position };
    const place = { contentTypeApiName: 'page', siteId, treeParentId, locale };
    const fields = { ...content.fields, ...shared };
    const item = { action: 'create', ...place, slug: content.slug, fields } as const;
    return { key, locale, tally, outcome: 'created', item, shared, hash: contentHash(content) };
  }

  /** Stores what {@link creation} has created. */
  created(change: PageChange, { entryId, treeNodeId, version, status }: BatchOutcome): void {
    const { key, locale, hash, shared, item } = change;
    const parentNodeId = item?.action === 'create' ? (item.treeParentId ?? null) : null;
    const versions = new Map([[locale, { status: status ?? 'draft', hash }]]);
    const place = { nodeId: treeNodeId, parentNodeId };
    this.options.stored.set(key, { id: entryId ?? '', version: version ?? 1, ...place, shared, versions });
    this.#created.add(`${locale} ${key}`);
  }

  /** Updates one locale and the shared values, and publishes the locale unless it is published as it is. */
  change(line: PageLine): PageChange {
    const { key, locale } = line;
    const page = this.#page(key);
    const known = page.versions.get(locale);
    const { tally, ...content } = contentOf(line, {
      known: this.options.pictures,
      entries: this.#entriesOf(key),
    });
    const changed = Object.entries(this.#sharedOf(key)).filter(
      ([name, value]) => !isEqualJson(page.shared[name], value ?? undefined),
    );
    const hash = contentHash(content);
    const isSame = known?.hash === hash;
    const isNew = known === undefined || this.#created.has(`${locale} ${key}`);
    const shared = Object.fromEntries(changed);
    const found = { key, locale, tally, shared, hash };
    const { isPublishing: publish } = this.options;
    if (isSame && changed.length === 0) {
      const item =
        publish && known.status !== 'published'
          ? ({ action: 'publish', id: page.id, locale } as const)
          : undefined;
      return { ...found, outcome: isNew ? 'created' : 'unchanged', item };
    }
    const values = {
      ...(isSame ? {} : { slug: content.slug }),
      fields: { ...(isSame ? {} : content.fields), ...shared },
    };
    const item = {
      action: 'update',
      id: page.id,
      version: page.version,
      locale,
      ...values,
      publish,
    } as const;
    return { ...found, outcome: isNew ? 'created' : 'updated', item };
  }

  /** Stores what {@link change} has changed. */
  changed({ key, locale, hash, shared }: PageChange, { version, status }: BatchOutcome): void {
    const page = this.#page(key);
    page.version = version ?? page.version;
    if (Object.keys(shared).length > 0) {
      page.shared = { ...page.shared, ...shared };
      for (const [code, state] of page.versions)
        if (state.status === 'published') page.versions.set(code, { ...state, status: 'changed' });
    }
    page.versions.set(locale, { status: status ?? 'draft', hash });
  }

  #page(key: string): StoredPage {
    const page = this.options.stored.get(key);
    if (page === undefined) throw new LineProblem(`its page ${key} could not be created`);
    return page;
  }

  /** Ids of the pages that the page links to, and its own. */
  #entriesOf(key: string): ReadonlyMap<string, string> {
    const { facts, stored } = this.options;
    const targets = [key, ...(facts.get(key)?.links ?? [])];
    return new Map(
      targets.flatMap((target) => {
        const page = stored.get(target);
        return page === undefined ? [] : [[target, page.id] as const];
      }),
    );
  }

  /** Links to anchors without an entry are omitted. */
  #sharedOf(key: string): Record<string, unknown> {
    const { facts, stored } = this.options;
    const { position = null, parent = null, links = [] } = facts.get(key) ?? {};
    const linkTo = (target: string): { _ref: string; _type: string } | undefined => {
      const page = stored.get(target);
      return page && { _ref: page.id, _type: 'page' };
    };
    const parentLink = parent === null ? null : linkTo(parent);
    if (parentLink === undefined) throw new LineProblem(`its parent ${String(parent)} could not be created`);
    const related = links.flatMap((target) => linkTo(target) ?? []);
    return { key, position, parent: parentLink, related: related.length > 0 ? related : null };
  }
}

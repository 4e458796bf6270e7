import { AppError, type InputIssue } from '../../../contracts/errors.js';
import { isEqualJson } from '../../content/exact-json/canonical-json.js';
import { isAppError, type OperationsClient } from '../client/operations-client.js';
import { htmlToRichText } from '../../content/rich-text/html/html-to-rich-text.js';
import { HtmlTally } from '../../content/rich-text/html/html-tally.js';
import { LineProblem, type PageLine } from './page-line.js';
import { contentHash, refresh, storedPage, type PageContent, type StoredPage } from './stored-pages.js';
import type { PageFacts } from './survey.js';

export interface WriterOptions {
  readonly client: OperationsClient;
  readonly projectSlug: string;
  readonly siteId: string;
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

function contentOf(
  line: PageLine,
  known: WriterOptions['pictures'],
): PageContent & { readonly tally: HtmlTally } {
  const { slug, title, html } = line;
  const tally = new HtmlTally();
  try {
    if (known === undefined) return { slug, fields: { title, body: htmlToRichText(html, tally) }, tally };
    const { shown, links } = picturesOf(line, known);
    const body = htmlToRichText(html, tally, shown);
    return { slug, fields: { title, body, pictures: links }, tally };
  } catch (error) {
    // The parser recurses per level and overflows the stack.
    if ((error as Error).name === 'RangeError') throw new LineProblem('its HTML is nested too deeply');
    throw error;
  }
}

/** Writes only what differs from the stored page. */
export class PageWriter {
  /** Locales that {@link create} has written, still to be reported as created. */
  readonly #created = new Set<string>();

  constructor(private readonly options: WriterOptions) {}

  /**
   * Creates the entry of a page without its links.
   * @param treeParentId null for the root
   */
  async create(line: PageLine, treeParentId: string | null): Promise<void> {
    const { client, projectSlug, siteId, stored, facts, pictures } = this.options;
    const { slug, fields } = contentOf(line, pictures);
    const shared = { key: line.key, position: facts.get(line.key)?.position ?? line.position };
    const place = { projectSlug, contentTypeApiName: 'page', siteId, treeParentId, locale: line.locale };
    const { data } = await client.call('entries', 'create', {
      ...place,
      slug,
      fields: { ...fields, ...shared },
    });
    stored.set(line.key, storedPage(data));
    this.#created.add(`${line.locale} ${line.key}`);
  }

  /** Updates one locale and the shared values. */
  async write(line: PageLine): Promise<WriteResult> {
    const page = this.#page(line.key);
    const isNew = this.#created.has(`${line.locale} ${line.key}`) || !page.versions.has(line.locale);
    const { tally, ...content } = contentOf(line, this.options.pictures);
    const isChanged = await this.#update(page, line, content);
    return { outcome: isNew ? 'created' : isChanged ? 'updated' : 'unchanged', tally };
  }

  async #update(
    page: StoredPage,
    { key, locale }: PageLine,
    { slug, fields }: PageContent,
  ): Promise<boolean> {
    const { client, projectSlug } = this.options;
    const shared = this.#sharedOf(key);
    const changed = Object.entries(shared).filter(
      ([name, value]) => !isEqualJson(page.shared[name], value ?? undefined),
    );
    const isSame = page.versions.get(locale)?.hash === contentHash({ slug, fields });
    if (isSame && changed.length === 0) return false;
    const values = { ...(isSame ? {} : fields), ...Object.fromEntries(changed) };
    const change = {
      projectSlug,
      id: page.id,
      version: page.version,
      locale,
      fields: values,
      ...(isSame ? {} : { slug }),
    };
    refresh(page, (await client.call('entries', 'update', change)).data);
    return true;
  }

  #page(key: string): StoredPage {
    const page = this.options.stored.get(key);
    if (page === undefined) throw new LineProblem(`its page ${key} could not be created`);
    return page;
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

const MAXIMUM_REASON_LENGTH = 300;

export function reasonOf(error: unknown): string {
  const reason = explain(error);
  return reason.length > MAXIMUM_REASON_LENGTH ? `${reason.slice(0, MAXIMUM_REASON_LENGTH)} …` : reason;
}

function explain(error: unknown): string {
  if (isAppError(error, 'version_conflict'))
    return 'another client changed the page during the import. Run the import again';
  if (!(error instanceof AppError)) return firstLine(error);
  const { code, message, details, cause } = error;
  if (cause !== undefined) return `${code}: ${firstLine(cause)}`;
  const { issues = [] } = (details ?? {}) as { issues?: readonly InputIssue[] };
  const wrong = issues
    .map(({ path, message: what }) => (path.length > 0 ? `${what} (${path.join('.')})` : what))
    .join(' ');
  return `${code}: ${wrong === '' ? message : wrong}`;
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';

import { SchemaDocument } from '../../../contracts/deployment/schema/schema-plan.js';
import { unlessRefused, type OperationsClient } from '../client/operations-client.js';
import { everyItem } from '../client/rest-operations.js';
import type { DemoMembers } from '../client/credentials.js';
import { assignDemoTasks, ensureDemoMembers, isReviewed, openReview } from './demo-members.js';
import { demoPlaces } from './demo-project.js';
import content from './content.json' with { type: 'json' };
import schemaDocument from './schema.json' with { type: 'json' };
import { loadPictures } from './pictures/load-pictures.js';
import type { Entry } from '../../../contracts/entries/entries/entry.js';
import type { TreeNode } from '../../../contracts/routing/tree/tree-node.js';
import { htmlToRichText } from '../../content/rich-text/html/html-to-rich-text.js';

/** A link to another demo entry by its name. */
interface NamedLink {
  readonly linkTo: string;
}

/** Rich text, written as HTML. */
interface HtmlValue {
  readonly html: string;
}

/** A block of an entry. */
interface DemoBlock {
  /** Its type. */
  readonly block: string;
  /** Unique in its entry: a load that is repeated finds it by this name. */
  readonly name: string;
  /** Values that all locales share. */
  readonly fields?: DemoValues;
  readonly locales: Readonly<Record<string, DemoValues>>;
}

/** Values by field apiName. */
type DemoValues = Readonly<Record<string, unknown>>;

interface DemoLocale {
  readonly slug: string;
  readonly fields: DemoValues;
  /** Published by default. */
  readonly status?: 'draft' | 'changed';
  /** For `changed`: values that differ in the published document. */
  readonly live?: DemoValues;
}

interface Placed {
  /** Target of {@link linkTo} and of `below`. */
  readonly name: string;
  readonly site: string;
  /** Name of the page or folder that it is in; pages without one are at the top of their site. */
  readonly below?: string;
}

/** The first locale is the one it is created in. */
interface DemoEntry extends Placed {
  readonly type: string;
  /** A page outside the menus. */
  readonly isHidden?: true;
  readonly shared?: DemoValues;
  readonly locales: Readonly<Record<string, DemoLocale>>;
}

/** A folder, which has a slug, or a link, which has a URL. */
interface DemoNode extends Placed {
  readonly node: { readonly name: string; readonly slug?: string; readonly url?: string };
}

/** In the order of the menus, what is below a page or folder after it. */
type DemoItem = DemoEntry | DemoNode;

interface DemoRedirect {
  readonly site: string;
  readonly source: string;
  readonly target: string;
  readonly matchType?: 'prefix';
  readonly status?: 302;
}

const { projectSlug } = demoPlaces;

const isEntry = (item: DemoItem): item is DemoEntry => 'type' in item;

/** By content type, locale and slug. */
async function existingEntries(client: OperationsClient): Promise<ReadonlyMap<string, Entry>> {
  const known = new Map<string, Entry>();
  for (const locale of demoPlaces.locales) {
    const list = everyItem((page) =>
      client.call('entries', 'list', { projectSlug, locale, page, limit: 100 }),
    );
    for await (const entry of list) known.set(`${entry.contentTypeApiName} ${locale} ${entry.slug}`, entry);
  }
  return known;
}

/** Writes entries and nodes of the tree, and replaces links by name with ids. */
class DemoWriter {
  readonly #entries = new Map<string, Entry>();
  readonly #nodes = new Map<string, string>();

  /** @param siteIds by slug */
  constructor(
    private readonly client: OperationsClient,
    private readonly siteIds: ReadonlyMap<string, string>,
  ) {}

  /** Creates everything without values first, so that all can be linked to. */
  async createAll(items: readonly DemoItem[]): Promise<void> {
    const entries = await existingEntries(this.client);
    const nodes = await this.#existingNodes();
    for (const item of items) {
      if (isEntry(item)) await this.#createEntry(item, entries);
      else await this.#createNode(item, nodes);
    }
  }

  /** @param approve is called before the entry is published */
  async fill(
    { name, type, shared = {}, locales }: DemoEntry,
    approve: (id: string) => Promise<void>,
  ): Promise<void> {
    const id = this.idOf(name);
    for (const [locale, { slug, fields, live = {} }] of Object.entries(locales))
      await this.#write(name, locale, { slug, fields: { ...shared, ...fields, ...live } });
    const published = Object.entries(locales).filter(([, { status }]) => status !== 'draft');
    if (isReviewed(type) && published.length > 0) await approve(id);
    for (const [locale] of published)
      await this.client.call('entries', 'publish', { projectSlug, id, locale });
    for (const [locale, { slug, fields, status }] of published)
      if (status === 'changed') await this.#write(name, locale, { slug, fields });
  }

  /** The id of an entry. */
  idOf(name: string): string {
    return this.#entry(name).id;
  }

  async #existingNodes(): Promise<readonly TreeNode[]> {
    const trees = [...this.siteIds.keys()].map((siteSlug) =>
      this.client.call('tree', 'get', { projectSlug, siteSlug, flat: true }),
    );
    return (await Promise.all(trees)).flatMap(({ data }) => data);
  }

  async #createEntry(item: DemoEntry, known: ReadonlyMap<string, Entry>): Promise<void> {
    const { name, type, below, locales } = item;
    const [locale = '', first] = Object.entries(locales)[0] ?? [];
    const place = { projectSlug, contentTypeApiName: type, siteId: this.#siteId(item), locale };
    const position = below === undefined ? {} : { treeParentId: this.#node(below) };
    const entry =
      known.get(`${type} ${locale} ${first?.slug ?? ''}`) ??
      (await this.client.call('entries', 'create', { ...place, ...position, slug: first?.slug })).data;
    this.#entries.set(name, entry);
    const { treeNodeId } = entry;
    if (treeNodeId === null) return;
    this.#nodes.set(name, treeNodeId);
    if (item.isHidden)
      await this.client.call('tree', 'updateNode', { projectSlug, id: treeNodeId, hideInMenu: true });
  }

  async #createNode(item: DemoNode, known: readonly TreeNode[]): Promise<void> {
    const { name, below, node } = item;
    const siteId = this.#siteId(item);
    const found = known.find((other) => other.siteId === siteId && other.name === node.name);
    const position = below === undefined ? {} : { parentId: this.#node(below) };
    const input = { projectSlug, siteId, ...position, ...node };
    const { id } = found ?? (await this.client.call('tree', 'createNode', input)).data;
    this.#nodes.set(name, id);
  }

  async #write(
    name: string,
    locale: string,
    { slug, fields }: Pick<DemoLocale, 'slug' | 'fields'>,
  ): Promise<void> {
    const { id, version } = this.#entry(name);
    const change = { projectSlug, id, version, locale, slug, fields: this.#resolved(fields, locale) };
    this.#entries.set(name, (await this.client.call('entries', 'update', change)).data);
  }

  #siteId({ name, site }: DemoItem): string {
    return found(this.siteIds.get(site), `site ${site}, which ${name} is on`);
  }

  #entry(name: string): Entry {
    return found(this.#entries.get(name), `entry ${name}`);
  }

  #node(name: string): string {
    return found(this.#nodes.get(name), `page or folder ${name}`);
  }

  #resolved(values: DemoValues, locale: string): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(values).map(([apiName, value]) => [apiName, this.#resolve(value, locale)]),
    );
  }

  #resolve(value: unknown, locale: string): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#resolve(item, locale));
    if (typeof value !== 'object' || value === null) return value;
    if ('linkTo' in value) return { _ref: this.idOf((value as NamedLink).linkTo) };
    if ('block' in value) return this.#block(value as DemoBlock, locale);
    if ('html' in value) return htmlToRichText((value as HtmlValue).html);
    return value;
  }

  #block({ block, name, fields = {}, locales }: DemoBlock, locale: string): Record<string, unknown> {
    const values = { ...fields, ...locales[locale] };
    return { _type: block, _externalId: name, fields: this.#resolved(values, locale) };
  }
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the demo has no ${what}`);
  return value;
}

/** What is above another page comes first: paths of published pages do not move while the demo is loaded. */
const items = content.items as readonly DemoItem[];

/** Paths of earlier sites, which still are in printed guides. */
const redirects = content.redirects as readonly DemoRedirect[];

interface DemoSite {
  readonly slug: string;
  readonly name: string;
  readonly defaultLocale: string;
  readonly locales: string[];
  /** Name of the entry at "/". */
  readonly home: string;
}

const sites: readonly DemoSite[] = [
  { slug: 'main', name: 'The Alder Journal', defaultLocale: 'en', locales: ['en', 'de', 'fr'], home: 'home' },
  {
    slug: 'boatyard',
    name: 'Kettle Lock Boatyard',
    defaultLocale: 'de',
    locales: ['de', 'en'],
    home: 'workshop',
  },
];

async function createSites(client: OperationsClient): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const { slug, name, defaultLocale, locales } of sites) {
    const site = { slug, name, defaultLocale, locales, localePathStrategy: 'prefix' as const };
    await unlessRefused(client.call('sites', 'create', { projectSlug, ...site }), 'slug_conflict');
    const { data } = await client.call('sites', 'get', { projectSlug, siteSlug: slug });
    ids.set(slug, data.id);
  }
  return ids;
}

/**
 * Idempotent: completes what an earlier run left unfinished.
 * @returns the logins of the members
 */
export async function loadDemoContent(client: OperationsClient, known: DemoMembers): Promise<DemoMembers> {
  const schema = SchemaDocument.parse(schemaDocument);
  await unlessRefused(client.call('schema', 'applyDocument', { projectSlug, schema }), 'destructive_change');
  const pictures = await loadPictures(client, projectSlug);
  const siteIds = await createSites(client);
  const writer = new DemoWriter(client, siteIds);
  await writer.createAll(items);
  for (const { slug: siteSlug, home } of sites)
    await client.call('sites', 'update', { projectSlug, siteSlug, homeEntryId: writer.idOf(home) });
  const { logins, ids } = await ensureDemoMembers(client, known);
  const approve = await openReview(client, logins);
  for (const entry of items.filter(isEntry)) {
    const picture = pictures.get(entry.name);
    const written = picture === undefined ? entry : { ...entry, shared: { ...entry.shared, picture } };
    await writer.fill(written, approve);
  }
  for (const { site, ...redirect } of redirects) {
    const siteId = siteIds.get(site) ?? '';
    await unlessRefused(
      client.call('redirects', 'create', { projectSlug, siteId, ...redirect }),
      'redirect_conflict',
    );
  }
  await assignDemoTasks(client, ids, (name) => writer.idOf(name));
  return logins;
}

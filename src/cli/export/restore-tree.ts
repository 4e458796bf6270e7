import type { TreeNode } from '../../../contracts/routing/tree/tree-node.js';
import type { EntryLine, TreeLine } from './export-format.js';
import type { ExportLine } from './read-export.js';
import type { EntryRestore } from './restore-entries.js';
import { loseUnlessFatal, withOwnIds, type Restore, type SettingsRestore } from './restore-settings.js';
import { BATCH } from './restore-states.js';
import { movesInto } from './sibling-order.js';

interface Node extends TreeLine {
  readonly depth: number;
}

/** Makes trees of folders, links and pages, whose entries are created in their places. */
export class TreeRestore {
  readonly #nodes: Node[] = [];
  readonly #byId = new Map<string, Node>();
  /** Ids of nodes without entries that are not there yet. */
  readonly #open = new Set<string>();
  /** By id of the entry. */
  readonly #pages = new Map<string, Node>();
  /** Lines of entries that are not there, without values, as JSON by id. */
  readonly #missing = new Map<string, string>();
  /** Whether the entries of the export follow each other in the order of their ids. */
  #isInOrder = true;
  #lastId = '';
  /** Entries that are created next. */
  #batch: EntryLine[] = [];
  #characters = 0;
  /** Whether pages of the batch have no place of a site. Slugs of these and of others can be equal. */
  #isLoose = false;
  #existing: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly restore: Restore,
    private readonly entries: EntryRestore,
    private readonly settings: SettingsRestore,
  ) {}

  async read(): Promise<void> {
    const depths = new Map<string, number>();
    for await (const { value } of this.restore.reader.lines('tree.jsonl')) {
      const depth = value.parentId === null ? 0 : (depths.get(value.parentId) ?? -1) + 1;
      depths.set(value.id, depth);
      const node = { ...value, depth };
      this.#nodes.push(node);
      this.#byId.set(node.id, node);
      if (value.entryId !== null) this.#pages.set(value.entryId, node);
      if (value.type !== 'page') this.#open.add(value.id);
    }
    // Stable: siblings keep their order, and parents come first.
    this.#nodes.sort((one, other) => one.depth - other.depth);
  }

  /** Keeps lines of entries for {@link create}. */
  wait(missing: readonly EntryLine[]): void {
    for (const line of missing) {
      this.#missing.set(line.id, JSON.stringify({ ...line, locales: emptied(line.locales) }));
      this.#isInOrder &&= this.#lastId < line.id;
      this.#lastId = line.id;
    }
  }

  /** A new page has a node. */
  async #removeNode(entryId: string): Promise<void> {
    const { client, projectSlug } = this.restore;
    const id = this.entries.nodes.get(entryId);
    if (id !== undefined) await client.call('tree', 'deleteNode', { projectSlug, id });
    this.entries.nodes.delete(entryId);
  }

  /**
   * Creates entries in the order of their ids in the export, which is that of entries with one time, with their places.
   * What is above a page comes before it. In a file with this order, entries without a place have their values.
   */
  async create(): Promise<void> {
    this.#existing = await this.#withoutEntries();
    for (const node of this.#nodes) this.#learn(node);
    if (this.#isInOrder && this.#missing.size > 0)
      for await (const line of this.restore.reader.lines('entries.jsonl'))
        await this.#createEntry(line.value.id, line);
    for (const id of [...this.#missing.keys()].sort()) await this.#createEntry(id);
    for (const node of this.#nodes) await this.#ensure(node);
    await this.#flush();
  }

  /** The id of the node of an entry that is there. */
  #learn({ id, entryId }: Node): void {
    const own = this.entries.nodes.get(entryId ?? '');
    if (own !== undefined) this.restore.ids.set(id, own);
  }

  async #ensure(node: Node): Promise<void> {
    if (this.restore.ids.has(node.id)) return;
    if (node.type === 'page') await this.#createEntry(node.entryId ?? '');
    else if (this.#open.has(node.id)) await this.#createNode(node);
  }

  /** Requires that what is above is there, or on its way. */
  async #ensureParent({ parentId }: Node): Promise<void> {
    const parent = this.#byId.get(parentId ?? '');
    if (parent === undefined) return;
    await this.#ensure(parent);
    if (!this.restore.ids.has(parent.id)) await this.#flush();
  }

  /** @param full with the values of the entry */
  async #createEntry(id: string, full?: ExportLine<EntryLine>): Promise<void> {
    const text = this.#missing.get(id);
    if (text === undefined) return;
    this.#missing.delete(id);
    const line = full?.value ?? (JSON.parse(text) as EntryLine);
    const node = this.#pages.get(id);
    if (node !== undefined) await this.#ensureParent(node);
    const isLoose = this.#isLooseAt(line, node);
    const hasPlace = isLoose !== undefined;
    const size = (hasPlace ? text : (full?.text ?? text)).length;
    const isFull = this.#batch.length === BATCH.lines || this.#characters + size > BATCH.characters;
    if (isFull || (isLoose ?? this.#isLoose) !== this.#isLoose) await this.#flush();
    this.#isLoose = isLoose ?? this.#isLoose;
    this.#batch.push(hasPlace ? (JSON.parse(text) as EntryLine) : line);
    this.#characters += size;
  }

  /** Undefined for entries without a place. */
  #isLooseAt({ type }: EntryLine, node: Node | undefined): boolean | undefined {
    if (node !== undefined) return node.siteId === null;
    const own = this.settings.schema.contentTypes?.find(({ apiName }) => apiName === type);
    return own === undefined || own.isPage === true ? true : undefined;
  }

  #parentOf({ parentId, name }: TreeLine): string | null {
    if (parentId === null) return null;
    const own = this.restore.ids.get(parentId);
    if (own === undefined)
      this.restore.report.losses.add('other', `tree node ${name}`, [
        'its place in the tree',
        'The export does not have the node above it.',
        'Move it after the import.',
      ]);
    return own ?? null;
  }

  async #flush(): Promise<void> {
    const lines = this.#batch;
    this.#batch = [];
    this.#characters = 0;
    await this.entries.create(lines, ({ id }) => {
      const node = this.#pages.get(id);
      return node === undefined || node.siteId === null ? undefined : this.#parentOf(node);
    });
    for (const { id } of lines) {
      const node = this.#pages.get(id);
      if (node === undefined) await this.#removeNode(id);
      else if (node.siteId === null) await this.#placeGlobally(id);
      if (node !== undefined) this.#learn(node);
    }
  }

  async #placeGlobally(id: string): Promise<void> {
    const { client, projectSlug, ids } = this.restore;
    const entryId = ids.get(id);
    const node = this.#pages.get(id);
    if (entryId === undefined || node === undefined) return;
    await this.#removeNode(id);
    const place = { siteId: null, parentId: this.#parentOf(node), entryId };
    const { data } = await client.call('tree', 'createNode', { projectSlug, ...place });
    this.entries.nodes.set(id, data.id);
  }

  async #withoutEntries(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const node of await this.#present()) if (node.type !== 'page') found.set(this.#keyOf(node), node.id);
    return found;
  }

  /** Folders and links have no external ids. */
  #keyOf({
    siteId,
    parentId,
    type,
    slug,
    url,
    name,
  }: Pick<TreeNode, 'siteId' | 'parentId' | 'type' | 'slug' | 'url' | 'name'>): string {
    return JSON.stringify([siteId, parentId, type, type === 'folder' ? slug : [url, name]]);
  }

  async #createNode(node: Node): Promise<void> {
    const { client, projectSlug, ids, report } = this.restore;
    this.#open.delete(node.id);
    await this.#ensureParent(node);
    const { id, type, name, slug, url, hideInMenu } = node;
    const place = {
      siteId: node.siteId === null ? null : (ids.get(node.siteId) ?? null),
      parentId: this.#parentOf(node),
    };
    const found = this.#existing.get(this.#keyOf({ ...place, type, name, slug, url }));
    report.count('other', found === undefined ? 'made' : 'same');
    if (found !== undefined) {
      ids.set(id, found);
      return;
    }
    const own = type === 'folder' ? { slug: slug ?? undefined } : { url };
    const { data } = await client.call('tree', 'createNode', {
      projectSlug,
      ...place,
      type,
      name,
      ...own,
      hideInMenu,
    });
    ids.set(id, data.id);
  }

  /** Every node of the trees of the export. */
  async #present(): Promise<TreeNode[]> {
    const { client, projectSlug } = this.restore;
    const query = { projectSlug, flat: true } as const;
    const found: TreeNode[] = [...(await client.call('tree', 'getGlobal', query)).data];
    for (const { slug: siteSlug } of this.settings.sites)
      found.push(...(await client.call('tree', 'get', { ...query, siteSlug })).data);
    return found;
  }

  /** Names, menus and order, once the titles of the entries are there. */
  async finish(): Promise<void> {
    const { client, projectSlug, ids } = this.restore;
    const present = new Map((await this.#present()).map((node) => [node.id, node]));
    for (const { id, name, hideInMenu } of this.#nodes) {
      const now = present.get(ids.get(id) ?? '');
      if (now === undefined || (now.name === name && now.hideInMenu === hideInMenu)) continue;
      const change = { ...(now.name !== name && { name }), hideInMenu };
      await client.call('tree', 'updateNode', { projectSlug, id: now.id, ...change });
    }
    await this.#order([...present.values()]);
  }

  /** Moves nodes where siblings have another order, or another parent. */
  async #order(present: readonly TreeNode[]): Promise<void> {
    const { client, projectSlug, ids } = this.restore;
    const wanted = new Map<string, string[]>();
    const keyOf = (siteId: string | null, parentId: string | null): string =>
      JSON.stringify([siteId, parentId]);
    for (const node of this.#nodes) {
      const own = ids.get(node.id);
      if (own === undefined) continue;
      const { siteId, parentId } = withOwnIds(this.restore, { siteId: node.siteId, parentId: node.parentId });
      const parent = node.parentId !== null && !ids.has(node.parentId) ? null : parentId;
      const key = keyOf(siteId, parent);
      const siblings = wanted.get(key);
      if (siblings === undefined) wanted.set(key, [own]);
      else siblings.push(own);
    }
    const children = new Map<string, string[]>();
    for (const { id, siteId, parentId } of present) {
      const key = keyOf(siteId, parentId);
      const siblings = children.get(key);
      if (siblings === undefined) children.set(key, [id]);
      else siblings.push(id);
    }
    for (const [key, nodes] of wanted) {
      const [, parentId] = JSON.parse(key) as [string | null, string | null];
      for (const { id, afterId } of movesInto(nodes, children.get(key) ?? []))
        await client
          .call('tree', 'moveNode', {
            projectSlug,
            id,
            parentId,
            ...(afterId === null ? { position: 0 } : { afterId }),
          })
          .catch((error: unknown) => {
            loseUnlessFatal(this.restore, error, {
              kind: 'other',
              where: `tree node ${id}`,
              what: 'its place',
            });
          });
    }
  }
}

/** A page waits for its place with its slugs only. */
const emptied = (locales: EntryLine['locales']): EntryLine['locales'] =>
  Object.fromEntries(
    Object.entries(locales).map(([locale, { published, ...state }]) => [
      locale,
      { ...state, slug: published?.slug ?? state.slug, fields: {} },
    ]),
  );

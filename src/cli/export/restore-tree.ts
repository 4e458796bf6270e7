import type { TreeNode } from '../../../contracts/routing/tree/tree-node.js';
import type { EntryLine, TreeLine } from './export-format.js';
import type { EntryRestore } from './restore-entries.js';
import { loseUnlessFatal, withOwnIds, type Restore, type SettingsRestore } from './restore-settings.js';
import { everyItem } from '../client/rest-operations.js';
import { limits } from '../../../contracts/limits.js';

const CREATED_AT_ONCE = 50;

interface Node extends TreeLine {
  readonly depth: number;
}

/** Makes trees of folders, links and pages, whose entries are created in their places. */
export class TreeRestore {
  readonly #nodes: Node[] = [];
  /** By id of the entry. */
  readonly #pages = new Map<string, Node>();
  /** Lines of entries that are created with their nodes. */
  readonly #waiting = new Map<string, EntryLine>();

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
      if (value.entryId !== null) this.#pages.set(value.entryId, node);
    }
    // Stable: siblings keep their order, and parents come first.
    this.#nodes.sort((one, other) => one.depth - other.depth);
  }

  /** Entries of pages are created by {@link create}, without values, and the others at once. */
  async createEntries(missing: readonly EntryLine[]): Promise<void> {
    for (const line of missing)
      if (this.#pages.has(line.id)) this.#waiting.set(line.id, { ...line, locales: emptied(line.locales) });
    const others = missing.filter(({ id }) => !this.#pages.has(id));
    await this.entries.create(others);
    for (const { id } of others) await this.#removeNode(id);
  }

  /** A new page has a node. */
  async #removeNode(entryId: string): Promise<void> {
    const { client, projectSlug } = this.restore;
    const id = this.entries.nodes.get(entryId);
    if (id !== undefined) await client.call('tree', 'deleteNode', { projectSlug, id });
    this.entries.nodes.delete(entryId);
  }

  async create(): Promise<void> {
    const existing = await this.#existing();
    let pages: Node[] = [];
    const flush = async (): Promise<void> => {
      await this.#createPages(pages);
      pages = [];
    };
    for (const node of this.#nodes) {
      const parent = pages.some(({ id }) => id === node.parentId);
      if (parent || pages.length === CREATED_AT_ONCE || node.type !== 'page') await flush();
      if (node.type === 'page') pages.push(node);
      else await this.#createNode(node, existing);
    }
    await flush();
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

  async #createPages(nodes: readonly Node[]): Promise<void> {
    const lines = nodes.flatMap(({ entryId }) => this.#waiting.get(entryId ?? '') ?? []);
    const inSites = lines.filter(({ id }) => this.#pages.get(id)?.siteId !== null);
    await this.entries.create(inSites, ({ id }) => {
      const node = this.#pages.get(id);
      return node === undefined ? null : this.#parentOf(node);
    });
    const globals = lines.filter(({ id }) => this.#pages.get(id)?.siteId === null);
    await this.entries.create(globals);
    for (const { id } of globals) await this.#placeGlobally(id);
    for (const { id, entryId } of nodes) {
      const own = this.entries.nodes.get(entryId ?? '');
      if (own !== undefined) this.restore.ids.set(id, own);
      this.#waiting.delete(entryId ?? '');
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

  async #existing(): Promise<Map<string, string>> {
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

  async #createNode(node: Node, existing: ReadonlyMap<string, string>): Promise<void> {
    const { client, projectSlug, ids, report } = this.restore;
    const { id, type, name, slug, url, hideInMenu } = node;
    const place = {
      siteId: node.siteId === null ? null : (ids.get(node.siteId) ?? null),
      parentId: this.#parentOf(node),
    };
    const found = existing.get(this.#keyOf({ ...place, type, name, slug, url }));
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
      const own = new Set(nodes);
      const known = (children.get(key) ?? []).filter((id) => own.has(id));
      if (known.join() === nodes.join()) continue;
      for (const [position, id] of nodes.entries())
        await client
          .call('tree', 'moveNode', { projectSlug, id, parentId, position })
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

/** Redirects in their order. One of the same path is changed. */
export async function restoreRedirects(restore: Restore): Promise<void> {
  const { client, projectSlug, reader, report, ids } = restore;
  const known = new Map<string, { id: string; text: string }>();
  const nameOf = (siteId: string, { locale, source }: { locale: string | null; source: string }) =>
    JSON.stringify([siteId, locale, source]);
  for await (const { id, siteId, locale, source, ...rest } of everyItem((page) =>
    client.call('redirects', 'list', {
      projectSlug,
      orderBy: 'createdAt:asc',
      limit: limits.pageLimitMaximum,
      page,
    }),
  ))
    known.set(nameOf(siteId, { locale, source }), { id, text: textOf(rest) });
  for await (const { value } of reader.lines('redirects.jsonl')) {
    const { siteId: _siteId, ...redirect } = value;
    const siteId = ids.get(value.siteId) ?? value.siteId;
    const found = known.get(nameOf(siteId, value));
    const isSame = found?.text === textOf(value);
    report.count('redirect', found === undefined ? 'made' : isSame ? 'same' : 'changed');
    if (isSame) continue;
    const sent =
      found === undefined
        ? client.call('redirects', 'create', { projectSlug, siteId, ...redirect })
        : client.call('redirects', 'update', { projectSlug, id: found.id, ...redirect });
    await sent.catch((error: unknown) => {
      loseUnlessFatal(restore, error, { kind: 'redirect', where: value.source, what: 'the redirect' });
    });
  }
}

/** What can differ between two redirects of a path. */
const textOf = (given: {
  readonly target: string | null;
  readonly status: number;
  readonly matchType: string;
  readonly queryMatch: string;
  readonly isActive: boolean;
  readonly note: string | null;
}): string => {
  const { target, status, matchType, queryMatch, isActive, note } = given;
  return JSON.stringify([target, status, matchType, queryMatch, isActive, note]);
};
